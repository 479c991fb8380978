// Abilities of code in the sandbox, and its output.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../src/engine/sandbox/limits.ts';
import { openSandbox, type SandboxRequest } from '../../../src/engine/sandbox/sandbox.ts';
import type { StoreContents } from '../../../src/engine/sandbox/stores.ts';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const { signal } = new AbortController();
const run = (code: string, rest: Partial<SandboxRequest> = {}) =>
  sandbox.run({ code, limits: { timeMs: 15_000 }, signal, stores: {}, ...rest });

describe('results', () => {
  it.each([
    ['return 1 + 1', '2', 'json'],
    ['return { a: [1, "x", null, true] }', '{"a":[1,"x",null,true]}', 'json'],
    ['return await (async () => [1])()', '[1]', 'json'],
    ['const x = await new Promise(r => setTimeout(r, 5, "later")); return x', '"later"', 'json'],
    ['1 + 1', 'undefined', 'undefined'],
    ['', 'undefined', 'undefined'],
    ['return', 'undefined', 'undefined'],
    ['return function named() {}', '[function named]', 'function'],
    ['return () => 1', '[function]', 'function'],
    ["return Symbol('s')", '[Symbol(s)]', 'symbol'],
    ['return 12n', '[bigint 12]', 'bigint'],
    ['return { f() {}, n: 1n, u: undefined }', '{"f":"[function f]","n":"[bigint 1]"}', 'json'],
    ['const a = []; a.push(a, { a }); return a', '["[cyclic]",{"a":"[cyclic]"}]', 'json'],
    ['const o = {}; return [o, o, { o }]', '[{},{},{"o":{}}]', 'json'],
    ['return new Date(0)', '"1970-01-01T00:00:00.000Z"', 'json'],
    ['return [new Map([[1, 2]]), new Set([3])]', '[{"[Map]":[[1,2]]},[3]]', 'json'],
    ['const m = new Map(); m.set("m", m); return m', '{"[Map]":[["m","[cyclic]"]]}', 'json'],
    ['return NaN', '"[NaN]"', 'json'],
    ['return [NaN, 1 / 0, -1 / 0, -0]', '["[NaN]","[Infinity]","[-Infinity]",0]', 'json'],
    ['return { when: new Date(NaN), none: null }', '{"when":"[Invalid Date]","none":null}', 'json'],
    ["return [new TypeError('no')]", '["[TypeError: no]"]', 'json'],
    ['return 1 // the end', '1', 'json'],
    ["'use strict'; return this === undefined", 'true', 'json'],
  ])('%s', async (code, value, valueKind) => {
    expect(await run(code)).toMatchObject({ status: 'completed', value, valueKind });
  });

  it('cuts a result that is too long, and says so', async () => {
    const { resultChars } = defaultLimits;
    const fits = await run(`return 'x'.repeat(${resultChars - 2})`);
    expect(fits).toMatchObject({ status: 'completed', valueKind: 'json' });
    const cut = await run(`return 'x'.repeat(${resultChars - 1})`);
    const value = `"${'x'.repeat(resultChars - 1)}`;
    expect(cut).toMatchObject({ status: 'completed', valueKind: 'cut', value });
  });

  it('refuses code that is longer than a model writes', async () => {
    const outcome = await run(`return 1 //${'x'.repeat(1024 * 1024)}`);
    expect(outcome).toMatchObject({ status: 'failed', error: { name: 'RangeError' } });
  });
});

describe('errors name the place in the code', () => {
  it.each([
    ['null.x', 'TypeError', 1, 1],
    ['let a = 1;\n\n  a.b.c', 'TypeError', 3, 3],
    ['let a = ;', 'SyntaxError', 1, 9],
    ['let a = 1;\nlet b = ;', 'SyntaxError', 2, 9],
    ['if (true) {\n', 'SyntaxError', 2, undefined],
    ['await null;\nundefinedName', 'ReferenceError', 2, 1],
    ["\n\nvault.get('x')", 'ReferenceError', 3, undefined],
    ["\nthrow new RangeError('own')", 'RangeError', 2, undefined],
    [
      'setTimeout(() => {\n  null.x\n}, 1);\nawait new Promise(r => setTimeout(r, 50))',
      'TypeError',
      2,
      undefined,
    ],
  ])('%j', async (code, name, line, column) => {
    const outcome = await run(code, { limits: { timeMs: 250 } });
    expect(outcome).toMatchObject({ error: { name, line, ...(column !== undefined && { column }) } });
  });

  it('with the frames of the code, and of nothing else', async () => {
    const outcome = await run("function inner() {\n  vault.get('x')\n}\ninner()");
    expect(outcome).toMatchObject({
      error: { stack: 'at inner (line 2, column 9)\nat (line 4, column 1)' },
    });
  });

  it.each([
    ["throw 'text'", { name: 'Error', message: 'threw text' }],
    ['throw { a: 1 }', { name: 'Error', message: 'threw {"a":1}' }],
    ["throw Object.assign(new Error('net'), { code: 'ECONNRESET' })", { message: 'net', code: 'ECONNRESET' }],
    [
      'await new Promise(() => {})',
      { name: 'Error', message: expect.stringContaining('nothing is left to settle') },
    ],
  ])('%s', async (code, error) => {
    expect(await run(code)).toMatchObject({ status: 'failed', error });
  });
});

describe('console', () => {
  it('keeps the lines with their levels, values as JSON', async () => {
    const code =
      "console.log('a', 1, { b: [2] }); console.info(undefined); console.warn(new Error('w')); console.error()";
    expect((await run(code)).console).toEqual([
      { level: 'log', text: 'a 1 {"b":[2]}' },
      { level: 'info', text: 'undefined' },
      { level: 'warn', text: 'Error: w' },
      { level: 'error', text: '' },
    ]);
  });

  it.each([
    ["console.debug('a', 1)", 'debug', 'a 1'],
    ['console.dir({ a: [1] }, { depth: 0 })', 'log', '{"a":[1]}'],
    [
      'console.table([{ a: 1, b: "x" }, { b: NaN, c: [2] }])',
      'log',
      ' | a | b | c\n0 | 1 | x | \n1 |  | NaN | [2]',
    ],
    ['console.table({ x: { n: 1 }, y: 2 })', 'log', ' | n\nx | 1\ny | 2'],
    ["console.table('text')", 'log', 'text'],
    ["console.assert(1 > 2, 'more', 3)", 'error', 'Assertion failed more 3'],
  ])('%s is a line', async (code, level, text) => {
    expect((await run(code)).console).toEqual([{ level, text }]);
  });

  it('says nothing of an assertion that holds', async () => {
    expect(await run('console.assert(true, "no")')).toMatchObject({ status: 'completed', console: [] });
  });

  it('is bounded in characters and counts what it left out', async () => {
    const most = defaultLimits.consoleChars;
    const code = `console.log('x'.repeat(${most - 3})); console.log('67890'); console.log('x')`;
    const outcome = await run(code);
    expect(outcome.console.map(line => line.text)).toEqual(['x'.repeat(most - 3), '678']);
    expect(outcome.omittedOutput).toEqual({ lines: 2, chars: 3 });
  });

  it('is bounded in lines', async () => {
    const outcome = await run('for (let i = 0; i < 1500; i++) console.log(i)');
    expect(outcome.console).toHaveLength(1000);
    expect(outcome.omittedOutput.lines).toBe(500);
  });

  it('is kept when the code fails or runs out of time', async () => {
    const failed = await run("console.log('before'); null.x");
    const late = await run("console.log('before'); for (;;);", { limits: { timeMs: 100 } });
    expect([failed.console, late.console]).toEqual([
      [{ level: 'log', text: 'before' }],
      [{ level: 'log', text: 'before' }],
    ]);
  });
});

describe('timers', () => {
  it('run in the order of their times, with their arguments', async () => {
    const code = `const seen = [];
      setTimeout(x => seen.push(x), 20, 'late'); setTimeout(x => seen.push(x), 1, 'soon');
      queueMicrotask(() => seen.push('micro')); seen.push('now');
      await new Promise(r => setTimeout(r, 30)); return seen`;
    expect(await run(code)).toMatchObject({ value: '["now","micro","soon","late"]' });
  });

  it('take the time they say', async () => {
    const outcome = await run(
      'const t = Date.now(); await new Promise(r => setTimeout(r, 60)); return Date.now() - t >= 59',
    );
    expect(outcome).toMatchObject({ value: 'true' });
  });

  it('can be cleared, and an interval repeats until it is', async () => {
    const code = `let n = 0; clearTimeout(setTimeout(() => n = 100, 1));
      await new Promise(r => { const i = setInterval(() => { if (++n === 3) { clearInterval(i); r() } }, 1) }); return n`;
    expect(await run(code)).toMatchObject({ value: '3' });
  });

  it('end with the execution', async () => {
    const outcome = await run("setTimeout(() => console.log('never'), 10000); return 1");
    expect(outcome).toMatchObject({ status: 'completed', console: [] });
    expect(outcome.ms).toBeLessThan(5000);
  });
});

describe('what comes too late', () => {
  it.each([
    ["Promise.reject(new TypeError('gone')); return 1", 'TypeError: gone'],
    ['(async () => { null.x })(); return 1', 'a promise that nobody awaited was rejected: TypeError'],
    ['(async () => { await 0; vault.set("a b", "x") })(); return 1', 'RangeError: vault.set'],
    ['new Promise((_, no) => no("why")); return 1', 'rejected: why'],
    ['setTimeout(() => vault.set("a", "b"), 1e6); return 1', '1 timer had not fired'],
    ['setInterval(() => {}, 5); setTimeout(() => {}, 5); return 1', '2 timers had not fired'],
    [
      '(async () => { await new Promise(r => setTimeout(r, 1e6)); vault.set("a", "b") })(); return 1',
      'writes too',
    ],
  ])('%s is told', async (code, late) => {
    const outcome = await run(code, { stores: { vault: {} } });
    expect(outcome).toMatchObject({ status: 'completed', value: '1', late: expect.stringContaining(late) });
  });

  it.each([
    'try { await Promise.reject(1) } catch {} return 1',
    'const p = Promise.reject(1); await 0; p.catch(() => {}); return 1',
    'await Promise.allSettled([Promise.reject(1), (async () => { throw 2 })()]); return 1',
    'clearTimeout(setTimeout(() => {}, 1e6)); return 1',
    'queueMicrotask(() => {}); return 1',
  ])('%s leaves nothing', async code => {
    const outcome = await run(code);
    expect(outcome).toMatchObject({ status: 'completed', value: '1' });
    expect(outcome).not.toHaveProperty('late');
  });

  it('is bounded, however much of it there is', async () => {
    const outcome = await run("for (let i = 0; i < 1e4; i++) Promise.reject('x'.repeat(1e4)); return 1");
    expect(outcome.status === 'completed' && outcome.late?.length).toBeLessThan(5000);
  });

  it('a microtask that writes behind the return does', async () => {
    const outcome = await run('Promise.resolve().then(() => vault.set("a", "b")); return 1');
    expect(outcome).toMatchObject({ writes: [{ id: 'a' }] });
  });
});

describe('stores', () => {
  const stores: StoreContents = {
    vault: {
      report: { type: 'text', description: 'a report', content: 'the text' },
      table: { type: 'data', description: '', content: [1, { a: 2 }] },
      last_execution_result: { type: 'data', description: '', content: { b: 1 } },
    },
    memory: { m1: { heading: 'h', content: 'c', important: true } },
    tasks: { t1: { heading: 'first', content: 'do it', status: 'pending' } },
    goals: {},
  };

  it.each([
    ["return vault.get('report')", '"the text"'],
    ["return vault.get('table')[1].a", '2'],
    ["return vault.get('last_execution_result')", '{"b":1}'],
    ["return tasks.get('t1')", '{"heading":"first","content":"do it","status":"pending"}'],
    ['return memory.list()', '[{"id":"m1","heading":"h","important":true}]'],
    ['return goals.list()', '[]'],
    ["vault.set('new', { x: 1 }); return vault.get('new').x", '1'],
    [
      "vault.set('report', 'other'); const { id, type, description } = vault.list()[2]; return [id, type, description]",
      '["report","text","a report"]',
    ],
    [
      "tasks.set('t1', { status: 'finished' }); return tasks.get('t1').heading + tasks.get('t1').status",
      '"firstfinished"',
    ],
    ["vault.delete('report'); return vault.list().map(e => e.id)", '["table","last_execution_result"]'],
    ["const a = vault.get('table'); a.push(9); return vault.get('table').length", '2'],
  ])('%s', async (code, value) => {
    expect(await run(code, { stores })).toMatchObject({ status: 'completed', value });
  });

  it('give their writes out, each entry once', async () => {
    const code = `vault.set('n', 1); vault.set('n', 'two', { description: 'd' }); vault.delete('report');
      tasks.set('t1', { status: 'ongoing' }); tasks.set('t1', { notes: 'x' });
      goals.set('g', { heading: 'h', content: 'c' }); goals.delete('g');
      memory.delete('m1'); memory.set('m1', { heading: 'fresh', content: 'c' })`;
    expect(await run(code, { stores })).toMatchObject({
      writes: [
        {
          store: 'vault',
          action: 'set',
          id: 'n',
          fields: { content: 'two', type: 'text', description: 'd' },
        },
        { store: 'vault', action: 'delete', id: 'report' },
        { store: 'tasks', action: 'set', id: 't1', fields: { status: 'ongoing', notes: 'x' } },
        { store: 'memory', action: 'delete', id: 'm1' },
        { store: 'memory', action: 'set', id: 'm1', fields: { heading: 'fresh', content: 'c' } },
      ],
    });
  });

  it.each([
    ["vault.set('a', 1); throw new Error('no')", 'failed'],
    ["vault.set('a', 1); for (;;);", 'timeout'],
  ])('drop the writes of an execution that does not complete: %s', async (code, status) => {
    const outcome = await run(code, { stores, limits: { timeMs: 100 } });
    expect(outcome.status).toBe(status);
    expect(outcome).not.toHaveProperty('writes');
  });

  it('say what was missing, with the nearest ids, and record the read', async () => {
    const outcome = await run("try { tasks.get('t2') } catch {} vault.get('reprot')", { stores });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { name: 'ReferenceError', message: 'vault entry "reprot" not found; nearest: "report"' },
      missingReads: [
        { store: 'tasks', id: 't2' },
        { store: 'vault', id: 'reprot' },
      ],
    });
  });

  it.each([
    ["vault.delete('x')", 'ReferenceError'],
    ["vault.set('last_execution_result', 1)", 'TypeError'],
    ["vault.delete('last_execution_result')", 'TypeError'],
    ["vault.set('a')", 'TypeError'],
    ["tasks.set('a', 1)", 'TypeError'],
    ['vault.get(1)', 'TypeError'],
    ["vault.set('', 1)", 'RangeError'],
    ["vault.set('a', 'x'.repeat(262145))", 'RangeError'],
    ["for (let i = 0; i < 20; i++) vault.set('a' + i, 'x'.repeat(250000))", 'RangeError'],
  ])('refuse %s', async (code, name) => {
    expect(await run(code, { stores })).toMatchObject({ status: 'failed', error: { name } });
  });

  it.each([
    ["vault.set('a', NaN)", 'content is [NaN], which'],
    ["vault.set('a', { rates: [1, 1 / 0] })", '1 is [Infinity], which'],
    ["vault.set('a', { when: new Date(NaN) })", 'when is [Invalid Date], which'],
    ["vault.set('a', new Map([['b', 1]]))", 'content is [Map], which'],
    ["vault.set('a', { names: new Set(['b']) })", 'names is [Set], which'],
    ["vault.set('a', { count: 2n })", 'count is [bigint 2], which'],
    ["vault.set('a', { again() {} })", 'again is [function again], which'],
    ["memory.set('m1', { important: Symbol('yes') })", 'important is [Symbol(yes)], which'],
  ])('keep nothing as what it is not: %s', async (code, said) => {
    const outcome = await run(code, { stores });
    expect(outcome).toMatchObject({ status: 'failed', error: { name: 'TypeError' } });
    expect(outcome).toHaveProperty('error.message', expect.stringContaining(said));
    expect(outcome).not.toHaveProperty('writes.0');
  });

  it('survive an error that the code handles', async () => {
    const outcome = await run("try { vault.get('x') } catch (e) { vault.set('seen', e.name) }", { stores });
    expect(outcome).toMatchObject({ writes: [{ id: 'seen', fields: { content: 'ReferenceError' } }] });
  });
});

describe('executions', () => {
  it('share no state', async () => {
    await run('globalThis.left = 1; Array.prototype.left = 1; vault.left = 1');
    expect(await run('return [typeof left, [].left]')).toMatchObject({ value: '["undefined",null]' });
  });

  it('run side by side', async () => {
    const codes = [1, 2, 3, 4].map(n => `await new Promise(r => setTimeout(r, 20)); return ${n}`);
    const outcomes = await Promise.all(codes.map(code => run(code)));
    expect(outcomes).toMatchObject([{ value: '1' }, { value: '2' }, { value: '3' }, { value: '4' }]);
  });

  it.each(['for (;;);', 'await new Promise(r => setTimeout(r, 1e6))'])(
    'stop when aborted: %s',
    async code => {
      const controller = new AbortController();
      const running = run(`console.log('runs'); ${code}`, { signal: controller.signal });
      const reason = new Error('enough');
      setImmediate(() => controller.abort(reason));
      await expect(running).rejects.toBe(reason);
    },
  );

  it('do not begin under an aborted signal', async () => {
    const stopped = AbortSignal.abort(new Error('before'));
    await expect(run('return 1', { signal: stopped })).rejects.toThrow('before');
  });

  it('are refused by a closed sandbox, and stopped by its closing', async () => {
    const own = openSandbox();
    const limits = { timeMs: 15_000 };
    const running = own.run({ code: 'for (;;);', limits, signal, stores: {} });
    const stopped = expect(running).rejects.toThrow('the sandbox was closed');
    await own.close();
    await stopped;
    await expect(own.run({ code: 'return 1', limits, signal, stores: {} })).rejects.toThrow(
      'the sandbox was closed',
    );
  });

  it('keep no process alive while none runs', () => {
    const file = join(import.meta.dirname, '../../../src/engine/sandbox/sandbox.ts');
    const script = `const { openSandbox } = await import(${JSON.stringify(file)}); const s = openSandbox();
      const { signal } = new AbortController();
      console.log((await s.run({ code: 'return 1', limits: { timeMs: 15000 }, signal, stores: {} })).value); await s.ready();`;
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(text).toBe('1\n');
  });
});

it.each([
  ['computed', 'for (;;);', undefined],
  ['waited', 'await new Promise(done => setTimeout(done, 60_000))', true],
])('a time-out says whether the code %s', async (_, code, waited) => {
  const outcome = await run(code, { limits: { timeMs: 100 } });
  expect(outcome).toMatchObject({ status: 'timeout', error: { name: 'TimeoutError' } });
  expect('error' in outcome && outcome.error.waited).toBe(waited);
});
