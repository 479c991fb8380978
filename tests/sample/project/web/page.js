// The page with all books on it.
import { renderCard } from './card.js';

export function renderPage(books) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Shelf</title>
<h1>Shelf</h1>
${renderBooks(books)}
</html>
`;
}

function renderBooks(books) {
  if (books.length === 0) return '<p>The shelf is empty.</p>';
  return `<ul>\n${books.map(renderCard).join('\n')}\n</ul>`;
}
