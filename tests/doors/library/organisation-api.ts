// A local server of the Messages API that answers as a whole organisation would: it recognises the task by the words
// of its role, and goes through each role's conversation by the turns that are in the request.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messagesFault } from '../../engine/models/messages-rules.ts';
import {
  end,
  refuse,
  stall,
  type StreamEvent,
  stream,
  textBlock,
  toolBlock,
} from '../../engine/models/server.ts';

export type Task = '2ic' | 'eng-lead' | 'team-lead' | 'engineer.director' | 'engineer.evaluator';

export interface Asked {
  task: Task;
  path: string;
  headers: IncomingHttpHeaders;
  body: Body;
  /** False for a request that a failure was planned for. */
  answered: boolean;
}

export interface Body {
  model: string;
  system: Block[];
  messages: { role: string; content: Block[] }[];
  tools?: { name: string; cache_control?: object }[];
}

interface Block {
  type: string;
  text?: string;
  content?: string;
  cache_control?: object;
}

/** What every reply says that it used. */
export const usage = {
  input_tokens: 12_345,
  output_tokens: 6_789,
  cache_read_input_tokens: 300_000,
  cache_creation_input_tokens: 20_000,
};

/** Sentences that stand in the roles' instructions. */
const roles: Readonly<Record<Task, string>> = {
  '2ic': 'You are the strategist',
  'eng-lead': 'You are the engineering lead',
  'team-lead': 'You are the team lead',
  'engineer.director': 'You implement one issue in a checkout',
  'engineer.evaluator': 'You judge whether a change fulfils an issue',
};

const action = (value: object) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

/** What the director runs in its shell: everything within reach in which a key could stand. */
const look =
  'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; cat ../job.json ../job.log ~/.* 2>/dev/null; true';

const EDIT = `I wrote the note.

docs/note.md
\`\`\`
<<<<<<< SEARCH
=======
A note.
>>>>>>> REPLACE
\`\`\`
`;

/** The director's pieces where a program of others asks: Claude Code by its tools, aider, which has none, by an edit. */
function programs(turn: number, { tools = [], system, messages }: Body): StreamEvent[] | undefined {
  const told = JSON.stringify([system, messages]);
  if (told.includes('SEARCH/REPLACE')) return textBlock(0, EDIT);
  if (!tools.some(({ name }) => name === 'Write')) return undefined;
  const folder = /Primary working directory: (.+?)\\n/.exec(told)?.[1];
  const note = { file_path: `${folder}/docs/note.md`, content: 'A note.\n' };
  if (turn === 0) return toolBlock(0, 'Bash', JSON.stringify({ command: look }));
  if (turn === 1) return toolBlock(0, 'Write', JSON.stringify(note));
  return textBlock(0, 'I wrote the note.');
}

/** The pieces of a reply to a task in whose conversation the model has spoken `turn` times. */
const replies: Readonly<Record<Task, (turn: number, body: Body) => StreamEvent[]>> = {
  '2ic': turn =>
    turn === 0
      ? toolBlock(0, 'read_file', '{"path": ', '"README.md"}')
      : textBlock(0, 'One note is wanted.\n\n', action({ action: 'update_plan', plan: 'Write the note.' })),
  'eng-lead': () => textBlock(0, 'One file, `docs/note.md`; nothing else changes.'),
  'team-lead': () =>
    textBlock(
      0,
      `One issue.\n\n${action({
        action: 'create_issues',
        issues: [
          { title: 'Write the note', body: 'Add `docs/note.md`.', domain: 'docs', paths: ['docs/**'] },
        ],
      })}\n\n${action({ action: 'schedule' })}`,
    ),
  'engineer.director': (turn, body) =>
    programs(turn, body) ??
    (turn === 0
      ? [
          ...textBlock(0, 'I look first.'),
          ...toolBlock(1, 'read_file', '{"path":"README.md"}'),
          ...toolBlock(2, 'shell', JSON.stringify({ command: look })),
        ]
      : turn === 1
        ? toolBlock(0, 'write_file', '{"path":"docs/note.md",', '"content":"A note.\\n"}')
        : textBlock(0, 'I wrote the note.')),
  'engineer.evaluator': () =>
    textBlock(
      0,
      '<result status="COMPLETE"><content>Done as asked.</content><output name="success">true</output>',
      '<output name="feedback">The note is there.</output></result>',
    ),
};

export type Failure = 'overloaded' | 'rate limited' | 'cut' | 'refused';

/** `failures`: how the first requests of a task end, in this order, before its replies come. */
export async function organisationApi(failures: Partial<Record<Task, Failure[]>> = {}) {
  const asked: Asked[] = [];
  const left = new Map(Object.entries(failures).map(([task, list]) => [task, [...list]]));
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body: Body = JSON.parse(text);
    const system = body.system.map(block => block.text).join('\n');
    const isIn = (text: string) => (name: Task) => text.includes(roles[name]);
    const names = Object.keys(roles) as Task[];
    // A program of others has a system text of its own, and the role in what it is told.
    const task = names.find(isIn(system)) ?? names.find(isIn(JSON.stringify(body.messages)));
    if (!task) return void response.writeHead(418).end();
    // Programs of others speak to a wire of their own, with what it has in beta.
    const isOwn = /^Anthropic\/JS/.test(request.headers['user-agent'] ?? '') && !('metadata' in body);
    const fault = isOwn ? messagesFault(body) : undefined;
    if (fault !== undefined) return refuse(400, 'invalid_request_error', fault)(response);
    const failure = left.get(task)?.shift();
    const { url: path = '', headers } = request;
    asked.push({ task, path, headers, body, answered: failure === undefined });
    const turn = body.messages.filter(({ role }) => role === 'assistant').length;
    const { output_tokens, ...read } = usage;
    const message = { ...opening, model: body.model, usage: { ...read, output_tokens: 1 } };
    const pieces = replies[task](turn, body).map(piece => ofTurn(piece, turn));
    const begun = [{ type: 'message_start', message }, ...pieces];
    const stop = pieces.some(
      ({ type, content_block }) => type === 'content_block_start' && isCall(content_block),
    );
    // A service that repeats the key in what it says of an error: nothing of it may reach a log or a comment.
    const said = `try again, ${headers.authorization}`;
    if (failure === 'refused') refuse(401, 'authentication_error', said)(response);
    else if (failure === 'overloaded') refuse(529, 'overloaded_error', said)(response);
    else if (failure === 'rate limited')
      refuse(429, 'rate_limit_error', said, { 'retry-after': '1' })(response);
    else if (failure === 'cut') stall(begun, cut => cut.destroy())(response);
    else stream([...begun, ...end(stop ? 'tool_use' : 'end_turn', output_tokens)])(response);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

const opening = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [],
  stop_reason: null,
  stop_sequence: null,
};

/** Ids of calls are given once in a conversation. */
function ofTurn(piece: StreamEvent, turn: number): StreamEvent {
  const block = piece['content_block'];
  return isCall(block) ? { ...piece, content_block: { ...block, id: `${block.id}_${turn}` } } : piece;
}

const isCall = (block: unknown): block is { id: string } =>
  typeof block === 'object' && block !== null && 'type' in block && block.type === 'tool_use';
