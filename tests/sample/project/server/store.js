// The shelf: books in the order they were put there, kept in memory.

/** Something that is not a book was put on the shelf; `problems` names all that is wrong with it. */
export class NotABook extends Error {
  constructor(problems) {
    super(problems.join('; '));
    this.name = 'NotABook';
    this.problems = problems;
  }
}

/** A shelf with `books` on it already. */
export function createStore(books = []) {
  const shelf = [];
  const store = {
    /** All books. The list is a copy. */
    list: () => [...shelf],
    /** Puts a book on the shelf and gives it back with its id. Throws NotABook. */
    add(fields) {
      const book = { id: shelf.length + 1, ...toBook(fields) };
      shelf.push(book);
      return book;
    },
  };
  for (const book of books) store.add(book);
  return store;
}

function toBook({ title, author, pages, page = 0 }) {
  const problems = [];
  if (!isText(title)) problems.push('title: a text is needed');
  if (!isText(author)) problems.push('author: a text is needed');
  if (!Number.isInteger(pages) || pages < 1) problems.push('pages: a whole number from 1 is needed');
  else if (!Number.isInteger(page) || page < 0 || page > pages)
    problems.push(`page: a whole number from 0 to ${pages} is needed`);
  if (problems.length > 0) throw new NotABook(problems);
  return { title: title.trim(), author: author.trim(), pages, page };
}

function isText(value) {
  return typeof value === 'string' && value.trim() !== '';
}
