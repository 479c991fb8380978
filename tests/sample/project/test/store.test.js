import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStore, NotABook } from '../server/store.js';

test('a book gets an id, and page 0 when nobody has begun it', () => {
  const store = createStore();
  const book = store.add({ title: ' The Summer Book ', author: 'Tove Jansson', pages: 172 });
  assert.deepEqual(book, { id: 1, title: 'The Summer Book', author: 'Tove Jansson', pages: 172, page: 0 });
});

test('books stay in the order they were put there', () => {
  const store = createStore([
    { title: 'Z', author: 'A', pages: 1 },
    { title: 'A', author: 'Z', pages: 1 },
  ]);
  assert.deepEqual(
    store.list().map(book => [book.id, book.title]),
    [
      [1, 'Z'],
      [2, 'A'],
    ],
  );
});

test('what is not a book is refused with all that is wrong', () => {
  assert.throws(
    () => createStore().add({ title: '', pages: 0 }),
    error => error instanceof NotABook && error.problems.length === 3,
  );
});

test('nobody reads past the last page', () => {
  const book = { title: 'Momo', author: 'Michael Ende', pages: 304 };
  assert.equal(createStore().add({ ...book, page: 304 }).page, 304);
  assert.throws(() => createStore().add({ ...book, page: 305 }), /from 0 to 304/);
});
