import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handle } from '../server/handler.js';
import { createStore } from '../server/store.js';

const momo = { title: 'Momo', author: 'Michael Ende', pages: 304 };

test('GET /api/books answers all books', () => {
  const response = handle(createStore([momo]), { method: 'GET', url: '/api/books' });
  assert.equal(response.status, 200);
  assert.deepEqual(JSON.parse(response.body), { books: [{ id: 1, ...momo, page: 0 }] });
});

test('POST /api/books puts a book on the shelf', () => {
  const store = createStore();
  const response = handle(store, { method: 'POST', url: '/api/books', body: JSON.stringify(momo) });
  assert.equal(response.status, 201);
  assert.equal(store.list()[0].title, 'Momo');
});

for (const [what, body, problem] of [
  ['a body that is not JSON', 'Momo', /not JSON/],
  ['a body that is null', 'null', /title/],
  ['a book without an author', JSON.stringify({ ...momo, author: ' ' }), /author/],
]) {
  test(`POST /api/books refuses ${what}`, () => {
    const store = createStore();
    const response = handle(store, { method: 'POST', url: '/api/books', body });
    assert.equal(response.status, 400);
    assert.match(response.body, problem);
    assert.equal(store.list().length, 0);
  });
}

test('GET / answers the page', () => {
  const response = handle(createStore([momo]), { method: 'GET', url: '/' });
  assert.match(response.headers['content-type'], /text\/html/);
  assert.match(response.body, /Momo/);
});

test('what nobody answers is 404', () => {
  assert.equal(handle(createStore(), { method: 'DELETE', url: '/api/books' }).status, 404);
});
