// Tools of the host, called from code: what comes back, what is refused, and what nobody waits for.
import { afterAll, describe, expect, test } from 'vitest';
import { boundTools, type HostTools } from '../../../src/engine/sandbox/host-tools.ts';
import { ANSWER_CHARS, CALLS_TOGETHER, INPUT_CHARS, TOOL_CALLS } from '../../../src/engine/sandbox/limits.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const { signal } = new AbortController();

function hostTools(call: HostTools['call'], names = ['search', 'read_file']) {
  const calls: [name: string, input: string][] = [];
  const tools = boundTools({
    names,
    call: async (name, input, stop) => {
      calls.push([name, input]);
      return await call(name, input, stop);
    },
  });
  return { tools, calls };
}

const echo = () => hostTools(async (name, input) => ({ text: `${name} ${input}` }));

const run = (code: string, { tools } = echo(), timeMs = 15_000) =>
  sandbox.run({ code, limits: { timeMs }, signal, stores: {}, tools });

const never: HostTools['call'] = () => new Promise(() => {});

describe('code', () => {
  test.each([
    ['return await tools.search({ pattern: "a" })', '"search {\\"pattern\\":\\"a\\"}"'],
    ['return await tools.search()', '"search {}"'],
    ['return Object.keys(tools)', '["search","read_file"]'],
    ['return (await Promise.all([1, 2].map(n => tools.search({ n })))).length', '2'],
    ['const t = tools; tools = 1; return await t.search({})', '"search {}"'],
    ['tools.search = 1; delete tools.search; return typeof tools.search', '"function"'],
    ['Promise = JSON = Map = null; return await tools.search({})', '"search {}"'],
    ['JSON.stringify = () => "no"; return await tools.search({ a: 1 })', '"search {\\"a\\":1}"'],
    ['Map.prototype.get = () => ({ resolve() {} }); return await tools.search({})', '"search {}"'],
    ['return await tools.search({ toJSON: () => ({ b: 2 }) })', '"search {\\"b\\":2}"'],
    [
      'const i = setInterval(() => {}, 1); return [await tools.search({}), clearInterval(i)][0]',
      '"search {}"',
    ],
    ['const told = await tools.search({ a: "\\u2028\\ud83d\\ude00" }); return told.length', '18'],
  ])('%s', async (code, value) => {
    expect(await run(code)).toMatchObject({ status: 'completed', value });
  });

  test.each([
    ['return await tools.search({ a: NaN })', 'TypeError', 'a is [NaN]'],
    ['return await tools.search({ get a() { throw new RangeError("mine") } })', 'RangeError', 'mine'],
    ['const a = {}; a.a = a; return await tools.search(a)', 'TypeError', 'circular'],
    ['return await tools.search(new Proxy({}, { ownKeys() { throw 1 } }))', 'Error', '1'],
    [`return await tools.search("x".repeat(${INPUT_CHARS}))`, 'RangeError', `${INPUT_CHARS} at most`],
    ['return await tools.shell({})', 'TypeError', ''],
  ])('%s fails with what the code may catch', async (code, name, said) => {
    const { tools, calls } = echo();
    const outcome = await run(code, { tools, calls });
    expect(outcome).toMatchObject({ status: 'failed', error: { name } });
    expect(outcome).toHaveProperty('error.message', expect.stringContaining(said));
    expect(calls).toEqual([]);
    const caught = code.replace(/return (await .*)$/, 'try { $1 } catch { return "caught" }');
    expect(await run(caught)).toMatchObject({ status: 'completed', value: '"caught"' });
  });

  test('gets the text of a refusal as an Error', async () => {
    const host = hostTools(async () => ({ error: 'search: a pattern is missing' }));
    const code = 'try { await tools.search({}) } catch (e) { return [e instanceof Error, e.message] }';
    expect(await run(code, host)).toMatchObject({ value: '[true,"search: a pattern is missing"]' });
  });

  test('of a sandbox that was given none has none', async () => {
    const outcome = await sandbox.run({
      code: 'return typeof tools',
      limits: { timeMs: 15_000 },
      signal,
      stores: {},
    });
    expect(outcome).toMatchObject({ value: '"undefined"' });
  });
});

describe('bounds', () => {
  test('calls, over all attempts', async () => {
    const host = echo();
    const code = `let n = 0; try { for (;; n++) await tools.search({}) } catch (e) { return [n, e.name] }`;
    expect(await run(code, host)).toMatchObject({ value: `[${TOOL_CALLS},"RangeError"]` });
    expect(await run(code, host)).toMatchObject({ value: '[0,"RangeError"]' });
    expect(host.calls).toHaveLength(TOOL_CALLS);
  });

  test('calls that nobody awaits, in an endless loop', async () => {
    const host = echo();
    expect(await run('for (;;) tools.search({}).catch(() => {})', host, 300)).toMatchObject({
      status: 'timeout',
    });
    expect(host.calls.length).toBeLessThanOrEqual(TOOL_CALLS);
  });

  test('characters of all answers', async () => {
    const host = hostTools(async () => ({ text: 'x'.repeat(ANSWER_CHARS / 2 + 1) }));
    const code = 'await tools.search({}); try { await tools.search({}) } catch (e) { return e.message }';
    expect(await run(code, host)).toMatchObject({ value: expect.stringContaining('characters at most') });
  });

  test('an answer that is too long takes nothing from those after it', async () => {
    const answers = ['x'.repeat(ANSWER_CHARS + 1), 'y'.repeat(ANSWER_CHARS), 'z'];
    const host = hostTools(async () => ({ text: answers.shift() ?? '' }));
    const code = `const said = []; for (let n = 0; n < 4; n++)
      try { said.push((await tools.search({})).length) } catch (e) { said.push(e.name) } return said`;
    expect(await run(code, host)).toMatchObject({ value: `["Error",${ANSWER_CHARS},"Error",0]` });
  });

  test('an error of 50 MB is cut', async () => {
    const host = hostTools(async () => ({ error: 'x'.repeat(50_000_000) }));
    const code = `const said = []; for (let n = 0; n < 3; n++)
      try { await tools.search({}) } catch (e) { said.push(e.message.length < 2100, e.message.slice(-31)) } return said`;
    const { value } = (await run(code, host)) as { value: string };
    const each = [true, ' [cut off: 50000000 characters]'];
    expect(JSON.parse(value)).toEqual([...each, ...each, ...each]);
  });

  test('calls at once', async () => {
    let now = 0;
    let most = 0;
    const host = hostTools(async () => {
      most = Math.max(most, ++now);
      await new Promise(resolve => setTimeout(resolve, 2));
      now -= 1;
      return { text: '' };
    });
    const code = 'return (await Promise.all(Array.from({ length: 40 }, () => tools.search({})))).length';
    expect(await run(code, host)).toMatchObject({ value: '40' });
    expect(most).toBe(CALLS_TOGETHER);
  });
});

describe('the end', () => {
  test('comes by the time limit where a call is never answered, and ends the call', async () => {
    let ended: unknown;
    const host = hostTools((_name, _input, stop) => {
      stop.addEventListener('abort', () => (ended = stop.reason));
      return never('', '', stop);
    });
    expect(await run('return await tools.search({})', host, 200)).toMatchObject({
      status: 'timeout',
      error: { waited: true },
    });
    expect(ended).toBeInstanceOf(DOMException);
  });

  test('comes by the time limit where the code computes on beside a call', async () => {
    const outcome = await run('tools.search({}); for (;;);', hostTools(never), 200);
    expect(outcome).toMatchObject({ status: 'timeout' });
    expect(outcome).not.toHaveProperty('error.waited');
  });

  test('does not wait for what nobody awaits, and tells it', async () => {
    const outcome = await run('tools.search({}); tools.search({}); return 1', hostTools(never));
    expect(outcome).toMatchObject({
      value: '1',
      late: '2 calls of tools had no answer when the code returned: await each, or nothing comes of it',
    });
  });

  test('comes with the error where a tool breaks, whatever the code catches', async () => {
    const host = hostTools(async () => {
      throw new Error('the disk is gone');
    });
    await expect(run('for (;;) try { await tools.search({}) } catch {}', host)).rejects.toThrow(
      'the disk is gone',
    );
  });

  test('comes with the reason where the run is stopped meanwhile', async () => {
    const stop = new AbortController();
    const host = hostTools(async (_name, _input, unheard) => {
      stop.abort(new Error('stopped'));
      unheard.throwIfAborted();
      return { text: '' };
    });
    const ran = sandbox.run({
      ...{ code: 'return await tools.search({})', limits: { timeMs: 15_000 }, stores: {} },
      ...{ signal: stop.signal, tools: host.tools },
    });
    await expect(ran).rejects.toThrow('stopped');
  });
});
