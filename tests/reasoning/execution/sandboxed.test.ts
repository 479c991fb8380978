// Executions in the real sandbox.
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { createExecutor, type ExecutionRequest } from '../../../src/reasoning/execution/executor.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { vaultOf } from './scripted.ts';

const sandbox = openSandbox({ warm: 2 });
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
    ['return nowhere', 'UNDEFINED_REFERENCE', 2],
    ['return vault.get("b")', 'ENTITY_NOT_FOUND', 2],
    ['return tasks.get("b")', 'ENTITY_NOT_FOUND', 2],
    ['null.a', 'TYPE_ERROR', 1],
    ['for (;;);', 'TIMEOUT', 2],
    ['throw Object.assign(new Error("gone"), { code: "ECONNRESET" })', 'NETWORK_ERROR', 3],
    ['return new ArrayBuffer(1e9)', 'MEMORY_ERROR', 1],
    ['vault.set("b", "x".repeat(300000))', 'STORAGE_ERROR', 1],
    ['goals.set("g", { status: "maybe", heading: "h", content: "c" })', 'STORAGE_ERROR', 1],
    ['throw 1', 'UNKNOWN_ERROR', 1],
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
