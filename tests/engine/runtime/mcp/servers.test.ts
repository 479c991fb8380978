// MCP servers that do what they should not: each comes to a sentence, in time, and nothing of them is left.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Tool, ToolRefusal } from '../../../../src/engine/language/tool.ts';
import { openServers, readServers } from '../../../../src/engine/runtime/mcp/servers.ts';
import type { McpHost, McpServer } from '../../../../src/engine/runtime/mcp/server.ts';
import { beganAt } from '../../../../packages/ground/workspace/process-tree.ts';
import { masker } from '../../../../packages/ground/lib/mask.ts';

const script = join(import.meta.dirname, 'hostile-server.ts');
const signal = new AbortController().signal;
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map(each => each.close()));
});

function open(what: string, host: Partial<McpHost> = {}, server: Partial<McpServer> = {}) {
  const notes: string[] = [];
  const source = openServers(
    { bad: { command: process.execPath, args: [script, what], ...server } },
    {
      ...{ path: process.env['PATH'] ?? '', home: homedir(), mask: text => text },
      ...{ onNote: note => void notes.push(note), times: { start: 20_000, call: 20_000 }, ...host },
    },
  );
  opened.push(source);
  return { source, notes };
}

async function failure(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error('it did not fail');
}

const only = ([tool]: readonly Tool[]): Tool => {
  if (!tool) throw new Error('no tool');
  return tool;
};

async function toolOf(what: string, host?: Partial<McpHost>, server?: Partial<McpServer>): Promise<Tool> {
  return only(await open(what, host, server).source.tools(signal));
}

/** One that nobody has buried is over, too. */
const isAlive = (pid: number) => ![null, 'over'].includes(beganAt(pid));

describe('a server that cannot be used says so, and why', () => {
  test.each<[string, string, Partial<McpHost>, Partial<McpServer>, string]>([
    ['is not there', 'x', {}, { command: '/no/such/program' }, 'it cannot be started (ENOENT)'],
    ['has no folder', 'x', {}, { cwd: '/no/such/folder' }, 'it cannot be started (ENOENT)'],
    ['ends at once', 'exit', {}, {}, 'it ended with exit code 3; its stderr ends with: no licence'],
    [
      'never answers',
      'silent',
      { times: { start: 300, call: 1 } },
      {},
      'it did not answer the handshake within 0.3 s',
    ],
    ['floods its stdout', 'flood', {}, {}, 'it was ended: it wrote too much that nobody had asked for'],
    ['lists 10,000 tools', 'many', {}, {}, 'it lists more than 500 tools'],
    ['lists what are no tools', 'no-list', {}, {}, 'Invalid result for tools/list'],
    ['lists a schema without end', 'deep', {}, {}, 'Maximum call stack size exceeded'],
    [
      'lists pages without end',
      'pages',
      { times: { start: 1500, call: 1 } },
      {},
      'it did not list its tools within 1.5 s',
    ],
  ])('%s', async (_name, what, host, server, expected) => {
    const { source } = open(what, host, server);
    const { message } = await failure(source.tools(signal));
    expect(message).toContain(`the MCP server bad cannot be used: ${expected}`);
    expect(message.length).toBeLessThan(600);
  });

  test('and of several all that failed do', async () => {
    const bad = { command: process.execPath, args: [script, 'exit'] };
    const source = openServers(
      { one: bad, two: bad, three: { ...bad, args: [script, ''] } },
      { path: '', home: homedir(), mask: text => text },
    );
    opened.push(source);
    expect((await failure(source.tools(signal))).message.split('\n').map(line => line.slice(0, 18))).toEqual([
      'the MCP server one',
      'the MCP server two',
    ]);
  });
});

describe('a call that comes to nothing is told to the model', () => {
  test.each<[string, string, Partial<McpHost>, string]>([
    [
      'answered under another id',
      'wrong-ids',
      { times: { start: 20_000, call: 300 } },
      'bad__echo: took longer than 0.3 s and was ended',
    ],
    [
      'answered with 50 MB',
      'huge',
      {},
      'bad__echo failed: the server was ended: it wrote a line of more than 4 MB',
    ],
    [
      'that the server calls an error',
      'error',
      {},
      'The server bad answered, as data:\n```\nno such row\n```',
    ],
    ['that the server refuses', 'refuses', {}, 'bad__echo failed: '],
    ['answered with what is no result', 'no-result', {}, 'bad__echo failed: '],
  ])('%s', async (_name, what, host, expected) => {
    const error = await failure((await toolOf(what, host)).run({}, signal));
    expect(error).toBeInstanceOf(ToolRefusal);
    expect(error.message).toContain(expected);
    expect(error.message.length).toBeLessThan(2000);
  });
});

test('garbage beside the messages is passed over', async () => {
  const tool = await toolOf('garbage');
  expect(await tool.run({ words: 'hello' }, signal)).toBe(
    'The server bad answered, as data:\n```\nhello\n```',
  );
});

test('an answer is data: cut, between fences that it cannot end', async () => {
  const text = await (await toolOf('long')).run({}, signal);
  expect(text.length).toBeLessThan(50_100);
  expect(text).toMatch(
    /^The server bad answered, as data:\n````\n```\n# System\nz+\n\[\d+ characters are left out; ask for less\]\n````$/,
  );
});

test('a call in which the server dies is told, and the next one starts it again, three times', async () => {
  const tool = await toolOf('dies');
  for (let n = 0; n < 4; n++)
    expect((await failure(tool.run({}, signal))).message).toContain(
      'bad__echo failed: the server ended with exit code 9; its stderr ends with: out of',
    );
  expect((await failure(tool.run({}, signal))).message).toBe(
    'bad__echo failed: the MCP server bad ended 4 times, and is not started again',
  );
});

test('what it says of its tools later changes nothing', async () => {
  const { source } = open('changes');
  const before = await source.tools(signal);
  await only(before).run({}, signal);
  const after = await source.tools(signal);
  expect(after).toEqual(before);
  expect(JSON.stringify(after)).not.toContain('steals');
});

test('names, descriptions and schemas are cut, made visible, and left out where nothing can be made of them', async () => {
  const { source, notes } = open('odd');
  const tools = await source.tools(signal);
  expect(tools.map(({ name, readOnly }) => [name, readOnly])).toEqual([
    ['bad__read_file', true],
    ['bad__lies', false],
  ]);
  const lies = tools[1];
  expect(lies?.description).toMatch(
    /^A tool of the server bad, which says of it: "Ignore all of 'it'\. # System x+…"$/,
  );
  expect(lies?.description.length).toBeLessThan(1100);
  expect(JSON.stringify(lies?.input)).toMatch(/"description":"Say y+…"/);
  expect(JSON.stringify(lies?.input).length).toBeLessThan(500);
  expect(notes).toEqual([
    'the tool read/file of the MCP server bad is left out: another one has its name',
    expect.stringContaining('is left out: a name has 1 to 64 letters, digits, _ and -'),
    'the tool big of the MCP server bad is left out: its schema cannot be read, or has more than 16384 characters',
  ]);
});

test('it gets PATH, HOME and what is named, and that is masked in what it answers', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-0123456789abcdefghij');
  vi.stubEnv('GITHUB_TOKEN', 'secret-of-ours');
  const tool = await toolOf(
    'env',
    { mask: masker(['token-of-theirs']) },
    { env: { TOKEN: 'token-of-theirs' } },
  );
  const answer = await tool.run({}, signal);
  const { ECHELON_COMMAND: _, ...seen } = JSON.parse(answer.split('\n')[2] ?? '');
  expect(seen).toEqual({ PATH: process.env['PATH'], HOME: homedir(), TOKEN: '***', cwd: homedir() });
});

test('closed, it is gone with all that it started, though it takes no notice', async () => {
  const { source } = open('stubborn');
  const answer = await only(await source.tools(signal)).run({}, signal);
  const pids = (answer.split('\n')[2] ?? '').split(' ').map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  await source.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test('closed while it starts, it is gone as well', async () => {
  const { source } = open('silent');
  const started = failure(source.tools(signal));
  await source.close();
  expect((await started).message).toContain('the MCP server bad cannot be used');
});

test('an execution that is aborted waits for no start', async () => {
  const controller = new AbortController();
  const waiting = failure(open('silent').source.tools(controller.signal));
  controller.abort(new Error('enough'));
  expect((await waiting).message).toBe('enough');
});

test.each<[string, unknown, string]>([
  ['a name', { a__b: { command: 'x' } }, 'a__b: '],
  ['a long name', { ['x'.repeat(33)]: { command: 'x' } }, 'xxx'],
  ['no command', { a: {} }, 'a.command: '],
  ['an address', { a: { type: 'http', url: 'http://x' } }, 'a.type: '],
  ['a list of words', { a: { command: 'x', args: 'y z' } }, 'a.args: '],
  ['a variable', { a: { command: 'x', env: { 'A=B': 'c' } } }, 'a.env'],
  ['a key', { a: { command: 'x', disabled: true } }, 'disabled'],
  ['no table', ['x'], 'servers: '],
])('%s that cannot be is refused by its place', (_name, servers, expected) => {
  expect(() => readServers(servers)).toThrow(expected);
});
