// Answers requests. A plain function, so that no test has to open a port.
import { renderPage } from '../web/page.js';
import { NotABook } from './store.js';

/** The response `{status, headers, body}` to a request `{method, url, body}`; `url` starts with a slash. */
export function handle(store, { method, url, body = '' }) {
  const [path] = url.split('?', 1);
  const route = `${method} ${path}`;
  if (route === 'GET /') return html(renderPage(store.list()));
  if (route === 'GET /api/books') return json(200, { books: store.list() });
  if (route === 'POST /api/books') return addBook(store, body);
  return json(404, { problems: [`nothing answers ${route}`] });
}

function addBook(store, body) {
  try {
    return json(201, store.add(Object(JSON.parse(body))));
  } catch (error) {
    if (error instanceof SyntaxError) return json(400, { problems: ['the body is not JSON'] });
    if (error instanceof NotABook) return json(400, { problems: error.problems });
    throw error;
  }
}

function html(body) {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function json(status, value) {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
