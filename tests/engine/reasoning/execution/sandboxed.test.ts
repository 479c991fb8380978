// Executions in the real sandbox.
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../packages/ground/lib/clock.ts';
import {
  createExecutor,
  type ExecutionRequest,
} from '../../../../src/engine/reasoning/execution/executor.ts';
import { openSandbox } from '../../../../src/engine/sandbox/sandbox.ts';
import { vaultOf } from './scripted.ts';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

// Waits are skipped: what is long here is the sandbox.
const clock = { now: systemClock.now, sleep: async () => {} };
const executor = createExecutor({ sandbox, clock });
const { signal } = new AbortController();
const execute = (code: string, given: Partial<ExecutionRequest> = {}) =>
  executor.execute(code, { id: 'x', stores: vaultOf('a'), signal, startedBy: 'model', ...given });

describe('classes', () => {
  it.each([
    ['return 1 +', 'SYNTAX_ERROR', 1],
    ['return nowhere', 'UNDEFINED_REFERENCE', 1],
    ['return vault.get("b")', 'ENTITY_NOT_FOUND', 1],
    ['return tasks.get("b")', 'ENTITY_NOT_FOUND', 1],
    ['null.a', 'TYPE_ERROR', 1],
    ['for (;;);', 'TIMEOUT', 1],
    ['await new Promise(done => setTimeout(done, 60_000))', 'TIMEOUT', 2],
    ['throw Object.assign(new Error("gone"), { code: "ECONNRESET" })', 'NETWORK_ERROR', 3],
    ['return new ArrayBuffer(1e9)', 'MEMORY_ERROR', 1],
    ['vault.set("b", "x".repeat(300000))', 'STORAGE_ERROR', 1],
    ['goals.set("g", { status: "maybe", heading: "h", content: "c" })', 'STORAGE_ERROR', 1],
    ['throw 1', 'UNKNOWN_ERROR', 1],
    ['class NetworkError extends Error {} throw new NetworkError("gone")', 'NETWORK_ERROR', 3],
    ['throw { code: "ECONNRESET" }', 'NETWORK_ERROR', 3],
    ['class Wrong extends TypeError {} throw new Wrong("no")', 'TYPE_ERROR', 1],
    ['throw Object.assign(new TypeError("no"), { name: "Wrong" })', 'TYPE_ERROR', 1],
    ['tasks.set("b", { status: "finished" })', 'ENTITY_NOT_FOUND', 1],
    ['tasks.delete("b")', 'ENTITY_NOT_FOUND', 1],
    ['vault.set("a b", "x")', 'STORAGE_ERROR', 1],
    ['vault.set("b", "x", { description: "d".repeat(501) })', 'STORAGE_ERROR', 1],
  ])('%s is %s after %i attempts', async (code, errorClass, attempts) => {
    const { record } = await execute(code, { timeLimitMs: 300 });
    expect(record.error?.class).toBe(errorClass);
    expect(record.attempts).toBe(attempts);
  });
});

it('carries what was stored and returned from one execution to the next', async () => {
  const first = await execute(
    'vault.set("n", { list: [1, 2] }); console.log("stored"); return vault.get("a")',
  );
  expect(first.told).toBe('Returned: "a"\nOutput:\nlog: stored');
  const { stores, lastResult } = first;
  const code = 'return [vault.get("n").list.length, vault.get("last_execution_result")]';
  expect((await execute(code, { stores, lastResult })).record.value).toBe('[2,"a"]');
});

it('undoes what a failed execution wrote', async () => {
  const stores = vaultOf('a');
  const done = await execute('vault.set("n", 1); vault.delete("a"); throw new Error("no")', { stores });
  expect(done.stores).toBe(stores);
});

it('names the line of the code and the valid ids', async () => {
  const { told } = await execute('const a = 1;\nreturn vault.get("aa");');
  expect(told).toContain('ENTITY_NOT_FOUND: ReferenceError: vault entry "aa" not found;');
  expect(told).toContain('(line 2, column 14)');
  expect(told).toContain('Line 2: return vault.get("aa");');
  expect(told).toContain('Valid ids: "a"');
});

it('names the ids of the store that was asked', async () => {
  const { told } = await execute('tasks.set("b", { status: "finished" })');
  expect(told).toContain('(line 1, column');
  expect(told).toContain('Valid ids: there are none yet.');
});

it.each([
  [
    'return',
    'return [vault.get("last_execution_result"), typeof vault.get("last_execution_result")]',
    '[null,"undefined"]',
  ],
  ['return function foo() {}', 'return vault.get("last_execution_result")', '"[function foo]"'],
  ['return null', 'return vault.get("last_execution_result") === null', 'true'],
])('after %s', async (first, second, value) => {
  const { stores, lastResult } = await execute(first);
  expect((await execute(second, { stores, lastResult })).record.value).toBe(value);
});

it('runs many timers in their order', async () => {
  const { record } = await execute(
    `
    const order = [];
    await new Promise(done => {
      for (let n = 0; n < 20000; n++) {
        const id = setTimeout(() => { order.push(n); if (order.length === 10000) done(); }, 1 + (n % 3) * 20);
        if (n % 2) clearTimeout(id);
      }
    });
    return [order.length, order.every((n, at) => at === 0 || n % 3 > order[at - 1] % 3 || n > order[at - 1])];
  `,
    { timeLimitMs: 10_000 },
  );
  expect(record.value).toBe('[10000,true]');
});

it('shows an object around a BigInt', async () =>
  expect((await execute('return [Object(1n)]')).record.value).toBe('["[bigint 1]"]'));
