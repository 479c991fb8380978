// One book as it stands on the page.
import { escapeHtml } from './escape.js';

export function renderCard(book) {
  return `<li class="card">
  <h2>${escapeHtml(book.title)}</h2>
  <p class="author">${escapeHtml(book.author)}</p>
  <p class="length">${book.pages} pages</p>
</li>`;
}
