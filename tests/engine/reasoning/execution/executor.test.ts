// Executions over a script of outcomes: attempts, waits, states, events, and what the model is told.
import { describe, expect, it } from 'vitest';
import { configuredExecutor, createExecutor } from '../../../../src/engine/reasoning/execution/executor.ts';
import type { ExecutionEvent } from '../../../../src/engine/reasoning/events.ts';
import { emptyStores } from '../../../../src/engine/reasoning/stores.ts';
import type { SandboxOutcome } from '../../../../src/engine/sandbox/sandbox.ts';
import {
  loops,
  play,
  recordingClock,
  returns,
  scriptedSandbox,
  throws,
  timesOut,
  vaultOf,
} from './scripted.ts';

const undefinedX = () => throws('ReferenceError', 'x is not defined', { line: 1 });
const notFound = () =>
  throws('ReferenceError', 'vault entry "b" not found', { missingReads: [{ store: 'vault', id: 'b' }] });
const offline = () => throws('Error', 'offline', { code: 'ECONNRESET' });

describe('attempts', () => {
  const cases: [
    string,
    () => SandboxOutcome,
    string,
    attempts: number,
    waits: number[],
    cleanings: number,
  ][] = [
    ['a syntax error', () => throws('SyntaxError', 'no'), 'default', 1, [], 0],
    ['an undefined name', undefinedX, 'default', 1, [], 0],
    ['an undefined name', undefinedX, 'aggressive', 1, [], 0],
    ['an undefined name', undefinedX, 'debug', 1, [], 0],
    ['an entity not found', notFound, 'default', 1, [], 1],
    ['an entity not found', notFound, 'debug', 1, [], 0],
    ['a type error', () => throws('TypeError', 'no'), 'default', 1, [], 0],
    ['a time-out', timesOut, 'default', 2, [2000], 1],
    ['a time-out', timesOut, 'safe', 1, [], 0],
    ['an endless loop', loops, 'aggressive', 1, [], 1],
    ['a network error', offline, 'default', 3, [500, 750], 0],
    ['a network error', offline, 'aggressive', 3, [500, 750], 0],
    ['a memory error', () => throws('InternalError', 'out of memory'), 'default', 1, [], 0],
    ['an unknown error', () => throws('Error', 'no'), 'aggressive', 1, [], 0],
  ];
  it.each(cases)('%s under %3$s', async (_, outcome, policy, attempts, waits, cleanings) => {
    const done = await play(Array.from({ length: 9 }, outcome), { policy });
    expect(done.record.attempts).toBe(attempts);
    expect(done.requests).toHaveLength(attempts);
    expect(done.waits).toEqual(waits);
    expect(done.cleanings).toBe(cleanings);
  });

  it('end with the first that completes', async () => {
    const done = await play([offline(), offline(), returns('{"a":1}')]);
    expect(done.record).toMatchObject({ attempts: 3, state: 'completed', value: '{"a":1}' });
    expect(done.told).toBe('Returned: {"a":1}');
  });

  it("a person's execution is not repeated", async () => {
    const done = await play([offline()], { startedBy: 'person' });
    expect(done.record).toMatchObject({ attempts: 1, startedBy: 'person', policy: 'default' });
    expect(done.told).not.toContain('Mend the code');
    expect(done.events.map(({ type }) => type)).not.toContain('execution_needs_reasoning');
  });
});

describe('time limits', () => {
  it.each([
    ['default', undefined, 15_000],
    ['aggressive', undefined, 30_000],
    ['debug', undefined, 60_000],
    ['safe', undefined, 10_000],
    ['debug', 500, 500],
    ['default', 99_000, 15_000],
  ])('%s with %s given: %i ms', async (policy, timeLimitMs, expected) => {
    const done = await play([returns('1')], { policy, ...(timeLimitMs !== undefined && { timeLimitMs }) });
    expect(done.requests[0]?.limits?.timeMs).toBe(expected);
  });
});

describe('the safe strategy', () => {
  it('does not run what it refuses', async () => {
    const done = await play([], { code: 'for (;;) {}', policy: 'safe' });
    expect(done.record).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: { class: 'UNKNOWN_ERROR', name: 'UnsafeCodeError', line: 1 },
      log: [{ state: 'failed' }],
    });
    expect(done.requests).toEqual([]);
  });

  it('finds what does not parse', async () => {
    const done = await play([], { code: 'let a = ;', policy: 'safe' });
    expect(done.record.error).toMatchObject({ class: 'SYNTAX_ERROR', line: 1 });
  });
});

describe('states and events', () => {
  it('of an execution that is repeated and cleaned', async () => {
    const missed = { ...timesOut(), missingReads: [{ store: 'vault' as const, id: 'b' }] };
    const done = await play([missed, returns('2', { ms: 7.6 })]);
    expect(done.events).toEqual([
      { type: 'execution_state', id: 'x1', from: 'pending', to: 'preparing', meta: { attempt: 1 } },
      { type: 'execution_state', id: 'x1', from: 'preparing', to: 'executing', meta: { attempt: 1 } },
      {
        type: 'execution_state',
        id: 'x1',
        from: 'executing',
        to: 'timeout',
        meta: { attempt: 1, ms: 4, class: 'TIMEOUT' },
      },
      {
        type: 'context_cleaned',
        id: 'x1',
        errorType: 'TIMEOUT',
        what: ['executionLog', 'tracker', 'hint'],
      },
      {
        type: 'execution_state',
        id: 'x1',
        from: 'timeout',
        to: 'retrying',
        meta: { attempt: 1, delayMs: 2000 },
      },
      {
        type: 'execution_retry',
        id: 'x1',
        attempt: 2,
        of: 2,
        error: 'the code ran longer than its 10 ms',
      },
      { type: 'execution_state', id: 'x1', from: 'retrying', to: 'preparing', meta: { attempt: 2 } },
      { type: 'execution_state', id: 'x1', from: 'preparing', to: 'executing', meta: { attempt: 2 } },
      { type: 'execution_state', id: 'x1', from: 'executing', to: 'completed', meta: { attempt: 2, ms: 8 } },
    ]);
    expect(done.record.ms).toBe(8);
  });

  it('keeps the history with the time of each wait', async () => {
    const { record } = await play([timesOut(), timesOut()]);
    expect(record.state).toBe('timeout');
    expect(record.history.map(({ state, at }) => [state, at])).toEqual([
      ['pending', 1000],
      ['preparing', 1000],
      ['executing', 1000],
      ['timeout', 1000],
      ['retrying', 1000],
      ['preparing', 3000],
      ['executing', 3000],
      ['timeout', 3000],
    ]);
  });

  it('says that the model has to mend it, with the valid ids', async () => {
    const done = await play([notFound()], { stores: vaultOf('a', 'c') });
    expect(done.events.at(-1)).toEqual({
      type: 'execution_needs_reasoning',
      error: 'vault entry "b" not found',
      class: 'ENTITY_NOT_FOUND',
      validIds: ['a', 'c'],
    });
  });
});

describe('policies', () => {
  const parts = () => ({ ...scriptedSandbox([]), ...recordingClock() });

  it('are those of the task, else that of all', async () => {
    const tasks = { sum: 'debug' };
    expect(createExecutor({ ...parts(), tasks }).policyOf('sum').name).toBe('debug');
    expect(createExecutor({ ...parts(), tasks }).policyOf('other').name).toBe('default');
    expect((await play([returns('1')], { tasks, task: 'sum' })).record.policy).toBe('debug');
  });

  it('that are not known are errors with the nearest name', () => {
    expect(() => createExecutor({ ...parts(), policy: 'debgu' })).toThrow('did you mean "debug"');
    expect(() => createExecutor({ ...parts(), tasks: { t: 'sage' } })).toThrow('did you mean "safe"');
    expect(() => createExecutor({ ...parts(), retry: 'imediate' })).toThrow('did you mean "immediate"');
  });

  it.each([
    [{ policy: 'gone' }, 'execution', 'default'],
    [{ tasks: { t: 'gone' } }, 'execution', 'default'],
    [{ retry: 'gone' }, 'retry', 'exponential'],
  ])('that were stored and no longer exist fall back with a warning: %j', (given, kind, to) => {
    const events: unknown[] = [];
    const settings = {
      policy: 'default',
      retry: 'exponential',
      ...given,
    };
    const executor = configuredExecutor(settings, { ...parts(), onEvent: event => void events.push(event) });
    expect(executor.policyOf('t').name).toBe('default');
    expect(events).toEqual([
      { type: 'policy_changed', kind, from: 'gone', to },
      { type: 'note', text: `the ${kind} policy "gone" no longer exists; "${to}" is used in its place` },
    ]);
  });

  it('log every attempt where they say so', async () => {
    const done = await play([throws('TypeError', 'no', { line: 2 })], { policy: 'debug' });
    expect(done.record.log).toEqual([
      { state: 'failed', ms: 4, error: { class: 'TYPE_ERROR', name: 'TypeError', message: 'no', line: 2 } },
    ]);
    expect((await play([throws('TypeError', 'no')])).record).not.toHaveProperty('log');
  });
});

describe('cancelling', () => {
  const following = (states: string[]) => (event: ExecutionEvent) => {
    if (event.type === 'execution_state') states.push(event.to);
  };

  it('while it waits for the next attempt', async () => {
    const stop = new AbortController();
    const { sandbox, requests } = scriptedSandbox([timesOut()]);
    const { clock, waits } = recordingClock();
    const states: string[] = [];
    const follow = following(states);
    const executor = createExecutor({
      sandbox,
      clock,
      onEvent(event) {
        follow(event);
        if (event.type === 'execution_state' && event.to === 'retrying') stop.abort(new Error('enough'));
      },
    });
    const request = { id: 'x', stores: emptyStores, signal: stop.signal, startedBy: 'model' as const };
    await expect(executor.execute('1', request)).rejects.toThrow('enough');
    expect(states.slice(-2)).toEqual(['retrying', 'cancelled']);
    expect(requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });
});

describe('stores', () => {
  const write = (id: string, content: string): SandboxOutcome => ({
    ...returns('1'),
    status: 'completed',
    value: '1',
    valueKind: 'json',
    writes: [{ store: 'vault', action: 'set', id, fields: { content, type: 'text' } }],
  });

  it('are what they were when writes cannot be applied', async () => {
    const stores = vaultOf('a');
    const bad: SandboxOutcome = {
      ...write('n', 'new'),
      status: 'completed',
      value: '1',
      valueKind: 'json',
      writes: [
        { store: 'vault', action: 'set', id: 'n', fields: { content: 'new', type: 'text' } },
        { store: 'goals', action: 'set', id: 'g', fields: { status: 'maybe' } },
      ],
    };
    const done = await play([bad], { stores, lastResult: '7' });
    expect(done.record).toMatchObject({
      state: 'failed',
      error: { class: 'STORAGE_ERROR', name: 'StorageError' },
    });
    expect(done.stores).toBe(stores);
    expect(done.lastResult).toBe('7');
  });

  it('go into every attempt as they were before the first, with the last result', async () => {
    const done = await play([timesOut(), returns('1')], { stores: vaultOf('a'), lastResult: '{"n":1}' });
    expect(done.requests[1]?.stores).toEqual(done.requests[0]?.stores);
    expect(done.requests[0]?.stores.vault).toMatchObject({
      a: { content: 'a' },
      last_execution_result: { content: { n: 1 } },
    });
  });

  it.each([
    ['{"a":1}', 'json', '{"a":1}'],
    ['undefined', 'undefined', 'undefined'],
    ['[function f]', 'function', '"[function f]"'],
    ['{"a":', 'cut', '"{\\"a\\":"'],
  ] as const)('the value %s of kind %s is %s to the next execution', async (value, valueKind, expected) => {
    const outcome: SandboxOutcome = { ...returns(value), status: 'completed', value, valueKind, writes: [] };
    expect((await play([outcome])).lastResult).toBe(expected);
  });
});

describe('what the model is told', () => {
  it('only the last attempt, with what the cleaned ones added', async () => {
    const first = { ...timesOut(), console: [{ level: 'log' as const, text: 'from the first' }] };
    const second = throws('TypeError', 'no', {
      line: 2,
      console: [{ level: 'warn', text: 'from the second' }],
    });
    const done = await play([first, second], { code: 'a()\n  b()', reasoning: 'I will try b.' });
    expect(done.told.split('\n')).toEqual([
      'TYPE_ERROR: TypeError: no (line 2)',
      'Tried 2 times. What it wrote was undone.',
      'Output:',
      'warn: from the second',
      expect.stringMatching(/^Hint: the time limit/),
      'Line 2: b()',
      'Your reasoning before it: I will try b.',
      'Mend the code and execute it again (attempt 1 of 2 at mending it).',
    ]);
  });

  it('valid ids of the store that was asked, once', async () => {
    const done = await play([notFound()], { stores: vaultOf('a', 'c"\n') });
    expect(done.told.match(/Valid ids: .*/g)).toEqual(['Valid ids: "a", "c\\"\\n"']);
  });

  it('the trace where the policy is verbose', async () => {
    const outcome: SandboxOutcome = {
      ...timesOut(),
      status: 'failed',
      error: {
        name: 'TypeError',
        message: 'no',
        line: 3,
        stack: 'at f (line 3, column 1)\nat (line 9, column 2)',
      },
    };
    expect((await play([outcome], { policy: 'debug' })).told).toContain('at (line 9, column 2)');
    expect((await play([outcome])).told).not.toContain('at (line 9, column 2)');
  });

  it('long values and outputs by their beginnings', async () => {
    const value = JSON.stringify('v'.repeat(20_000));
    const text = 'o'.repeat(10_000);
    const done = await play([returns(value, { console: [{ level: 'log', text }] })]);
    expect(done.told.length).toBeLessThan(12_500);
    expect(done.told).toContain('(its first 8000 characters; the vault has more as last_execution_result)');
    expect(done.told).toContain('(6005 more characters were left out)');
    expect(done.lastResult).toBe(value);
    expect(done.record.value).toHaveLength(2000);
    expect(done.record.console).toEqual([{ level: 'log', text: 'o'.repeat(200) }]);
  });

  it('a record that is JSON, bounded', async () => {
    const code = '/'.repeat(9000);
    const console = Array.from({ length: 100 }, () => ({ level: 'log' as const, text: 'line' }));
    const { record } = await play([throws('Error', 'm'.repeat(4000), { console })], { code });
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    expect([
      record.code.length,
      record.codeSize,
      record.console.length,
      record.error?.message.length,
    ]).toEqual([2000, 9000, 50, 1000]);
  });
});
