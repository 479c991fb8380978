// A local server that speaks as much of the streaming Messages API as a test tells it to.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messagesFault } from './messages-rules.ts';
import { type Block, type Given, type Spoken, thinkingFault } from './thinking-rules.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

type Answer = ((response: ServerResponse) => void) & { content?: Block[] };
export type { Block };

/**
 * Answers the n-th request with the n-th of `answers`, and any further one with 418. A request is refused that the API
 * would refuse: `messagesFault`; and one whose turns with tool calls have not the thinking that they were given with:
 * `thinkingFault`.
 */
export async function messagesServer(answers: Answer[]) {
  const received: Received[] = [];
  const given: Given[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    received.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
    const body = received.at(-1)!.body as unknown as Spoken;
    const fault = messagesFault(body) ?? thinkingFault(body, given);
    const answer =
      fault === undefined ? answers[received.length - 1] : refuse(400, 'invalid_request_error', fault);
    if (answer?.content) given.push({ ...body, content: answer.content });
    if (answer === undefined) response.writeHead(418).end();
    else answer(response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** A turn made of whole blocks, streamed in pieces. Its calls have the ids of their blocks. */
export function says(content: Block[], stop: string): Answer {
  const events = content.flatMap((each, index) => blockEvents(index, each));
  return Object.assign(stream([begin, ...events, ...end(stop)]), { content });
}

/** A whole block in its pieces. */
export function blockEvents(index: number, { ...each }: Block): StreamEvent[] {
  const pieces = (text: string) => [text.slice(0, 3), text.slice(3)];
  const empty: Record<string, unknown> = { text: '', thinking: '', signature: '', input: {} };
  const opened = Object.fromEntries(Object.entries(each).map(([key, value]) => [key, empty[key] ?? value]));
  const deltas = Object.entries(each).flatMap(([key, value]): object[] => {
    if (key === 'text') return pieces(String(value)).map(text => ({ type: 'text_delta', text }));
    if (key === 'thinking')
      return pieces(String(value)).map(thinking => ({ type: 'thinking_delta', thinking }));
    if (key === 'signature') return [{ type: 'signature_delta', signature: value }];
    if (key !== 'input') return [];
    return pieces(JSON.stringify(value)).map(partial_json => ({ type: 'input_json_delta', partial_json }));
  });
  return block(index, opened, deltas);
}

export type StreamEvent = { type: string } & Record<string, unknown>;

/** A whole stream of events, then the end of the response. */
export function stream(events: StreamEvent[]): Answer {
  return response => {
    start(response, events);
    response.end();
  };
}

/** The beginning of a stream; `then` decides how it goes on. */
export function stall(events: StreamEvent[], then: Answer = () => {}): Answer {
  return response => {
    start(response, events);
    then(response);
  };
}

export const refuse = (status: number, type: string, message: string, headers?: Record<string, string>) =>
  refuseWith(status, { type: 'error', error: { type, message } }, headers);

export function refuseWith(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

function start(response: ServerResponse, events: StreamEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

export const begin: StreamEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 2000,
      cache_read_input_tokens: 50_000,
      output_tokens: 1,
    },
  },
};

export function block(index: number, content_block: object, deltas: object[]): StreamEvent[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

export function textBlock(index: number, ...pieces: string[]): StreamEvent[] {
  const deltas = pieces.map(text => ({ type: 'text_delta', text }));
  return block(index, { type: 'text', text: '' }, deltas);
}

export function toolBlock(index: number, name: string, ...pieces: string[]): StreamEvent[] {
  const deltas = pieces.map(partial_json => ({ type: 'input_json_delta', partial_json }));
  return block(index, { type: 'tool_use', id: `toolu_${index}`, name, input: {} }, deltas);
}

export function end(stop_reason: string | null, output_tokens = 40): StreamEvent[] {
  return [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ];
}
