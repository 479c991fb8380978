import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPage } from '../web/page.js';

test('a book is shown with its title and author', () => {
  const page = renderPage([{ id: 1, title: 'Momo', author: 'Michael Ende', pages: 304, page: 0 }]);
  assert.match(page, /<h2>Momo<\/h2>/);
  assert.match(page, /Michael Ende/);
});

test('what a reader typed cannot become markup', () => {
  const page = renderPage([{ id: 1, title: '<script>', author: '"&"', pages: 1, page: 0 }]);
  assert.ok(!page.includes('<script>'));
  assert.match(page, /&lt;script&gt;/);
  assert.match(page, /&quot;&amp;&quot;/);
});

test('an empty shelf says so', () => {
  assert.match(renderPage([]), /The shelf is empty/);
});
