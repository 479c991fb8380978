// A local server of the Messages API that answers as a whole organisation would (organisation.ts). It thinks in every reply,
// as the models of today do, and refuses what the API refuses.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messagesFault } from '../../engine/models/messages-rules.ts';
import { blockEvents, end, refuse, stall, stream } from '../../engine/models/server.ts';
import { type Block, type Given, thinkingFault } from '../../engine/models/thinking-rules.ts';
import { calls, look, replies, type Said, says, type Task, taskIn } from './organisation.ts';

export type { Task };

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
  system: TextBlock[];
  messages: { role: string; content: Block[] }[];
  tools?: { name: string; cache_control?: object }[];
}

interface TextBlock {
  type: 'text';
  text: string;
  cache_control?: object;
}

/** Usage reported by every reply. */
export const usage = {
  input_tokens: 12_345,
  output_tokens: 6_789,
  cache_read_input_tokens: 300_000,
  cache_creation_input_tokens: 20_000,
};

const EDIT = `I wrote the note.

docs/note.md
\`\`\`
\`\`\`
`;

/** The director's reply where a program of others asks: Claude Code by its tools, aider, which has none, by an edit. */
function programs(turn: number, { tools = [], system, messages }: Body): Said[] | undefined {
  const told = JSON.stringify([system, messages]);
  if (told.includes('SEARCH/REPLACE')) return [says(EDIT)];
  if (!tools.some(({ name }) => name === 'Write')) return undefined;
  const folder = /Primary working directory: (.+?)\\n/.exec(told)?.[1];
  if (turn === 0) return [calls('Bash', { command: look })];
  if (turn === 1) return [calls('Write', { file_path: `${folder}/docs/note.md`, content: 'A note.\n' })];
  return [says('I wrote the note.')];
}

/** `declined`: the model refuses. `held`: nothing is ever answered. `none`: the reply comes. */
export type Failure = 'overloaded' | 'rate limited' | 'cut' | 'refused' | 'declined' | 'held' | 'none';

/** `failures`: how the first requests of a task end, in this order, before its replies come. */
export async function organisationApi(failures: Partial<Record<Task, Failure[]>> = {}) {
  const asked: Asked[] = [];
  const given: Given[] = [];
  const faults: string[] = [];
  /** GitHub's claims about the jobs that used their identity. */
  const shown: Record<string, string>[] = [];
  const left = new Map(Object.entries(failures).map(([task, list]) => [task, [...list]]));
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (request.url === '/v1/oauth/token') {
      const [, claims = ''] = String(JSON.parse(text).assertion).split('.');
      shown.push(JSON.parse(Buffer.from(claims, 'base64url').toString()));
      const token = { access_token: `${shortLived}-${shown.length}`, token_type: 'Bearer', expires_in: 3600 };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
    }
    const body: Body = JSON.parse(text);
    // A program of others has a system text of its own, and the role in what it is told.
    const task =
      taskIn(body.system.map(({ text }) => text).join('\n')) ?? taskIn(JSON.stringify(body.messages));
    if (!task) return void response.writeHead(418).end();
    // Programs of others speak to a wire of their own, with what it has in beta.
    const isOwn = /^Anthropic\/JS/.test(request.headers['user-agent'] ?? '') && !('metadata' in body);
    const fault = isOwn ? (messagesFault(body) ?? thinkingFault(body, given)) : undefined;
    if (fault !== undefined) {
      faults.push(`${task}: ${fault}`);
      return refuse(400, 'invalid_request_error', fault)(response);
    }
    const failure = left.get(task)?.shift() ?? 'none';
    const { url: path = '', headers } = request;
    asked.push({ task, path, headers, body, answered: failure === 'none' });
    const turn = body.messages.filter(({ role }) => role === 'assistant').length;
    const said = (task === 'engineer.director' ? programs(turn, body) : undefined) ?? replies[task](turn);
    const content = blocksOf(said, given.length, isOwn);
    const stop = said.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
    const { output_tokens, ...read } = usage;
    const message = { ...opening, model: body.model, usage: { ...read, output_tokens: 1 } };
    const begun = [
      { type: 'message_start', message },
      ...content.flatMap((each, at) => blockEvents(at, each)),
    ];
    // A service that repeats the key in what it says of an error: nothing of it may reach a log or a comment.
    const told = `try again, ${headers.authorization}`;
    if (failure === 'refused') refuse(401, 'authentication_error', told)(response);
    else if (failure === 'overloaded') refuse(529, 'overloaded_error', told)(response);
    else if (failure === 'rate limited')
      refuse(429, 'rate_limit_error', told, { 'retry-after': '1' })(response);
    else if (failure === 'cut') stall(begun, cut => cut.destroy())(response);
    else if (failure === 'declined')
      stream([{ type: 'message_start', message }, ...end('refusal', output_tokens)])(response);
    else if (failure === 'none') {
      given.push({ ...body, content });
      stream([...begun, ...end(stop, output_tokens)])(response);
    }
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    shown,
    /** Reasons of refused requests, which the API would refuse too. */
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

/** Beginning of the tokens that a job gets for its identity. */
export const shortLived = 'sk-ant-oat-short-lived';

const opening = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [],
  stop_reason: null,
  stop_sequence: null,
};

/** The blocks of the server's n-th reply: each thinks before it speaks, by turns openly, redacted, and without a word. */
function blocksOf(said: readonly Said[], n: number, thinks: boolean): Block[] {
  return said.flatMap((each, at) => {
    const id = `${n}_${at}`;
    const kinds: Block[] = [
      { type: 'thinking', thinking: `thought ${id}`, signature: `sig-${id}==` },
      { type: 'redacted_thinking', data: `hidden-${id}` },
      { type: 'thinking', thinking: '', signature: `sig-${id}==` },
    ];
    const thought = thinks ? kinds.slice((n + at) % kinds.length).slice(0, 1) : [];
    // Ids of calls are given once.
    return [...thought, each.type === 'tool_use' ? { ...each, id: `toolu_${id}` } : each];
  });
}
