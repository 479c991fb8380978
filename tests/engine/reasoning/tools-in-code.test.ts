// Code of a session calls the session's tools: within its rights, told as any call, and past the conversation.
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { bindTool, type Tool } from '../../../src/engine/language/tool.ts';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import { createExecutor } from '../../../src/engine/reasoning/execution/executor.ts';
import type { SessionRequest } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { searchTokens } from '../tokens/search.ts';
import { asked, callsTo, playing, reply } from './model.ts';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const found = 'a.ts:1: TODO write\nb.ts:9: TODO read';
const search = bindTool('search', async ({ pattern }) => (pattern === 'TODO' ? found : 'no match'));

async function run(code: string, more: Partial<SessionRequest> = {}) {
  const events: SessionEvent[] = [];
  const model = playing(callsTo(['js', { code }]), reply('done'));
  const executor = createExecutor({ sandbox, clock: systemClock, random: () => 0 });
  const outcome = runSession(
    {
      ...asked(),
      ...{ tools: [search], abilities: ['js'] },
      limits: { turns: 5, output_tokens: 1000, time_ms: 60_000 },
      ...more,
    },
    { model, clock: systemClock, executor, onEvent: event => events.push(event) },
  );
  return { outcome, events, requests: model.requests };
}

const calls = (events: SessionEvent[]) => events.filter(({ type }) => type === 'tool_call');

test('what a tool answers is kept, and never read by the model', async () => {
  const code = `const lines = (await tools.search({ pattern: 'TODO' })).split('\\n');
    vault.set('todo', lines); return lines.length`;
  const { outcome, events, requests } = await run(code);
  expect(await outcome).toMatchObject({ text: 'done', tools: [{ name: 'search', ok: true }] });
  expect(calls(events)).toEqual([
    { type: 'tool_call', task: 't', name: 'search', ok: true, input: { pattern: 'TODO' } },
  ]);
  const sent = JSON.stringify(requests);
  expect(sent).toContain('Returned: 2');
  expect(sent).not.toContain('TODO write');
});

describe('what cannot be called', () => {
  const write = bindTool('write_file', async () => {
    throw new Error('it was called');
  });

  test('is what changes something', async () => {
    const { outcome, requests } = await run("await tools.write_file({ path: 'a', content: '' })", {
      tools: [search, write],
    });
    await outcome;
    expect(JSON.stringify(requests[1])).toContain('write_file changes something: call it outside of code');
  });

  test.each<[string, Partial<SessionRequest>]>([
    ['anything, where nothing only reads', { tools: [write] }],
    ['anything, where there is no tool', { tools: [] }],
  ])('is %s; and nothing is told of it', async (_name, more) => {
    const { outcome, requests } = await run('return typeof tools', more);
    await outcome;
    expect(JSON.stringify(requests[0])).not.toContain('tools.name');
    expect(JSON.stringify(requests[1])).toContain('undefined');
  });

  test('is what does not fit its schema: refused, told, and mended by the model', async () => {
    const { outcome, events } = await run('return await tools.search({ pattern: 1 })');
    expect(await outcome).toMatchObject({ text: 'done', tools: [{ name: 'search', ok: false }] });
    expect(calls(events)).toMatchObject([{ ok: false, error: expect.stringContaining('pattern') }]);
  });
});

test('a tool that breaks ends the session as a call of it does', async () => {
  const broken: Tool = { ...search, run: () => Promise.reject(new Error('no disk')) };
  const { outcome } = await run('try { await tools.search({}) } catch {} return 1', { tools: [broken] });
  await expect(outcome).rejects.toMatchObject({ detail: { reason: 'tool_failed' } });
});

test('another attempt at code has the calls that are left', async () => {
  let made = 0;
  const counted: Tool = { ...search, run: async () => `${++made}` };
  const code = `for (let n = 0; n < 120; n++) await tools.search({});
    throw Object.assign(new Error('the network is gone'), { code: 'ECONNRESET' })`;
  const { outcome, requests } = await run(code, { tools: [counted] });
  await outcome;
  expect(made).toBe(200);
  expect(JSON.stringify(requests[1])).toContain('code may call tools 200 times in one execution');
});

test('searching and counting costs less than half of what it costs by the conversation', async () => {
  const [inCode, byCalls] = [await searchTokens('code'), await searchTokens('calls')];
  expect(inCode.priced).toBeLessThan(byCalls.priced / 2);
  expect(inCode.priced).toBeGreaterThan(1000);
});

test('a call that the code did not wait for is in the account and among the events', async () => {
  const slow = bindTool('search', () => new Promise(() => {}));
  const { outcome, events } = await run("tools.search({ pattern: 'slow' }); return 1", { tools: [slow] });
  const told = { name: 'search', ok: false, error: 'the code ended before it was answered' };
  expect(await outcome).toMatchObject({ text: 'done', tools: [told] });
  expect(calls(events)).toMatchObject([{ ...told, input: { pattern: 'slow' } }]);
});

test('names that every object has are no way into the host', async () => {
  const seen: unknown[] = [];
  const odd = bindTool('search', async input => {
    seen.push(input);
    return 'found';
  });
  const code = `return await tools.search(JSON.parse('{"__proto__": {"polluted": 1}, "pattern": "TODO"}'))`;
  const { outcome } = await run(code, { tools: [odd] });
  expect(await outcome).toMatchObject({
    tools: [{ ok: false, error: expect.stringContaining('__proto__') }],
  });
  expect(seen).toEqual([]);
  expect('polluted' in {}).toBe(false);
});
