// The Messages API in front of a model, on a socket: where a program of others asks in place of its provider. It gets no
// key, and of its requests only what a `ModelRequest` can say reaches anybody: no tools that a provider carries out, no
// addresses to fetch from, no dearer service.
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyReader, BodyRefused, type Clock } from '@echelon/ground';
import { Thinking } from './anthropic-stream.ts';
import { asEvents, asMessage } from './messages-reply.ts';
import { type Asked, asked, type DoorRequest } from './messages-request.ts';
import { ModelFailure, type ModelReply, type OpaquePart } from './model.ts';

export interface DoorOptions {
  /** Path of the socket, in a folder that nobody else may read. */
  socket: string;
  /** Token that the program must present instead of a key. */
  token: string;
  /**
   * One call of the model. What it throws is answered as an error and told by `failed`, but for a conversation that does
   * not fit: that is the program's to shorten.
   */
  ask(request: DoorRequest): Promise<ModelReply>;
  /** A call has failed for good: the program need not ask any more. */
  failed(error: unknown): void;
  clock: Clock;
}

/** As the API itself has it. */
const largest = 32 << 20;
/** Milliseconds between signs of life, while the model replies. */
const pingMs = 10_000;

/** Opens it. `close` answers when every call that was begun is paid for. */
export async function openMessagesDoor(options: DoorOptions): Promise<{ close(): Promise<void> }> {
  const { clock, socket } = options;
  const readBody = bodyReader({ largest, together: 4 * largest, patienceMs: 60_000 }, clock);
  const calls = new Set<Promise<void>>();
  /** Thinking that was given, by its signature or its data: it comes back without the marks by which it is known. */
  const given = new Map<string, OpaquePart>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?');
    if (!knows(request, options.token)) return refuse(response, 401, 'authentication_error', 'not the token');
    if (request.method !== 'POST' || path !== '/v1/messages')
      return refuse(response, 404, 'not_found_error', 'only POST /v1/messages is served');
    await readBody(request, async text => {
      const read = asked(text, given);
      if ('problem' in read) return refuse(response, 400, 'invalid_request_error', read.problem);
      await reply(read, response);
    });
  }

  async function reply({ request, model, stream }: Asked, response: ServerResponse): Promise<void> {
    const begin = () =>
      response.headersSent || response.writeHead(200, { 'content-type': 'text/event-stream' });
    const alive = setInterval(() => {
      if (!stream) return;
      begin();
      response.write('event: ping\ndata: {"type":"ping"}\n\n');
    }, pingMs);
    try {
      const made = await options.ask(request);
      for (const part of made.parts ?? []) {
        const { data } = Thinking.safeParse(part.type === 'opaque' ? part.data : undefined);
        if (data && part.type === 'opaque')
          given.set(data.type === 'thinking' ? data.signature : data.data, part);
      }
      if (stream) begin();
      if (stream) response.end(asEvents(made, model));
      else response.writeHead(200, { 'content-type': 'application/json' }).end(asMessage(made, model));
    } catch (error) {
      // Of a conversation that does not fit, in the words by which programs know it.
      const [status, type, message] =
        error instanceof ModelFailure && error.class === 'context'
          ? [400, 'invalid_request_error', 'prompt is too long']
          : [402, 'api_error', 'the model is not to be asked any more'];
      if (status === 402) options.failed(error);
      if (response.headersSent) response.end(`event: error\ndata: ${errorBody(type, message)}\n\n`);
      else refuse(response, status, type, message);
    } finally {
      clearInterval(alive);
    }
  }

  const server = createServer((request, response) => {
    // A client that disconnects before the reply still has it paid for.
    response.on('error', () => {});
    const call = answer(request, response)
      .catch(error => {
        if (!(error instanceof BodyRefused)) return options.failed(error);
        response.setHeader('connection', 'close');
        refuse(response, error.status, 'invalid_request_error', error.message);
      })
      .finally(() => calls.delete(call));
    calls.add(call);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  return {
    async close() {
      await Promise.all(calls);
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** True if it presents the token, in either of the ways of presenting a key. */
function knows({ headers }: IncomingMessage, token: string): boolean {
  const shown = headers['x-api-key'] || headers.authorization?.replace(/^Bearer /, '') || '';
  const [mine, theirs] = [Buffer.from(token), Buffer.from(String(shown))];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

const errorBody = (type: string, message: string) =>
  JSON.stringify({ type: 'error', error: { type, message } });

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(errorBody(type, message));
}
