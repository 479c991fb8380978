// Serves the shelf on PORT, 8080 unless told. All that is worth testing is in handler.js.
import { createServer } from 'node:http';
import { handle } from './handler.js';
import { createStore } from './store.js';

const store = createStore([
  { title: 'The Tombs of Atuan', author: 'Ursula K. Le Guin', pages: 180, page: 112 },
  { title: 'Cien años de soledad', author: 'Gabriel García Márquez', pages: 471 },
  { title: 'The Summer Book', author: 'Tove Jansson', pages: 172, page: 172 },
]);
const port = Number(process.env.PORT ?? 8080);

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = handle(store, {
      method: request.method,
      url: request.url,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
});

server.listen(port, 'localhost', () => console.log(`The shelf is at http://localhost:${port}`));
