// The guard: which failures are tried again, after how long, and when it gives up. No test waits.
import { describe, expect, test } from 'vitest';
import { guarded, type GuardOptions } from '../../../src/engine/models/guarded-model.ts';
import { type Model, ModelFailure, type ModelReply, ProviderWait } from '../../../src/engine/models/model.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { reply, request, sequence, usage } from './request.ts';

const failure = (kind: ModelFailure['class'], retry_after_ms?: number) =>
  new ModelFailure(kind, `a ${kind}`, retry_after_ms === undefined ? {} : { retry_after_ms });
const limit = failure('rate_limit');
const late = failure('timeout');
/** Of work that may cost what it wants; `timeoutMs`: of each try. */
const resilient = (model: Model, options: GuardOptions, timeoutMs?: number) =>
  guarded(model, options).within({ most: Number.POSITIVE_INFINITY, timeoutMs });
const times = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);

function guard(outcomes: readonly (ModelReply | Error)[], random = () => 0.5) {
  const model = sequence(outcomes);
  const clock = testClock();
  const start = clock.now();
  const guardedModel = resilient(model, { clock, random });
  const call = () =>
    guardedModel.call(request()).then(
      answer => answer.text,
      (error: Error) => (error instanceof ModelFailure ? `${error.class}: ${error.message}` : error.message),
    );
  return { call, guardedModel, model, clock, start };
}

describe('one call', () => {
  test.each<[string, (ModelReply | Error)[], string, number[]]>([
    ['a reply is passed on', [reply()], 'done', []],
    ['rate limits back off by doubling', [...times(4, limit), reply()], 'done', [1000, 2000, 4000, 8000]],
    [
      'five tries are all',
      times(5, limit),
      'crash: gave up after 5 tries: a rate_limit',
      [1000, 2000, 4000, 8000],
    ],
    ['retry-after is waited for', [failure('rate_limit', 30_000), reply()], 'done', [30_000]],
    [
      'a retry-after is no longer than it says',
      [limit, limit, limit, failure('rate_limit', 3000), reply()],
      'done',
      [1000, 2000, 4000, 3000],
    ],
    [
      'a retry-after of two minutes is waited for',
      [failure('rate_limit', 120_000), reply()],
      'done',
      [120_000],
    ],
    [
      'five time-outs open the breaker, and a minute later it goes on',
      [...times(5, late), reply()],
      'done',
      [1000, 2000, 4000, 8000, 60_000],
    ],
    [
      'a second opening waits as for a limit',
      times(6, late),
      'the model is not to be called before 2026-01-01T00:06:15.000Z: a timeout',
      [1000, 2000, 4000, 8000, 60_000],
    ],
    ['quota is final at once', [failure('quota')], 'quota: a quota', []],
    ['a crash is final at once', [failure('crash')], 'crash: a crash', []],
    [
      'what is no failure of a model is a crash',
      [new TypeError('x is not a function')],
      'crash: the call of the model broke: x is not a function',
      [],
    ],
    ['a crash after a retry is final', [limit, failure('crash')], 'crash: a crash', [1000]],
    [
      'rate limits between time-outs do not close the breaker',
      [late, late, late, late, limit],
      'crash: gave up after 5 tries: a rate_limit',
      [1000, 2000, 4000, 8000],
    ],
    [
      'a cost that is no number is a crash',
      [reply({ cost_usd: Number.NaN })],
      "crash: the cost of the model's reply is unusable: NaN",
      [],
    ],
    [
      'an infinite count is a crash',
      [reply({ usage: { ...usage, input_tokens: Number.POSITIVE_INFINITY } })],
      "crash: the model's usage is unusable: input_tokens is Infinity",
      [],
    ],
  ])('%s', async (_name, outcomes, expected, sleeps) => {
    const { call, clock, model } = guard(outcomes);
    expect(await call()).toBe(expected);
    expect(clock.sleeps).toEqual(sleeps);
    expect(model.calls).toBe(outcomes.length);
  });

  test.each([
    [0, 900],
    [1, 1100],
  ])('the jitter at %d makes a second %i ms', async (random, ms) => {
    const { call, clock } = guard([limit, reply()], () => random);
    await call();
    expect(clock.sleeps).toEqual([ms]);
  });

  test.each(['rate_limit', 'timeout'] as const)(
    'a %s with more than two minutes of retry-after parks the run',
    async kind => {
      const { guardedModel, clock, start } = guard([failure(kind, 120_001)]);
      const error = await guardedModel.call(request()).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProviderWait);
      expect(error).toMatchObject({ until: start + 120_001 });
      expect(clock.sleeps).toEqual([]);
    },
  );
});

describe('the breaker', () => {
  test('counts over calls, and a reply begins the count anew', async () => {
    const { call, clock } = guard([
      ...times(4, late),
      reply(),
      ...times(4, late),
      failure('quota'),
      late,
      reply(),
    ]);
    expect([await call(), await call()]).toEqual(['done', 'quota: a quota']);
    const backOffs = [1000, 2000, 4000, 8000];
    expect(clock.sleeps).toEqual([...backOffs, ...backOffs]);
    expect(await call()).toBe('done');
    expect(clock.sleeps.slice(2 * backOffs.length)).toEqual([60_000]);
  });

  test('closes by a reply; the model is left alone for longer each time, 21 minutes together, then for good', async () => {
    const { call, clock } = guard([...times(5, late), reply(), ...times(7, late)]);
    expect(await call()).toBe('done');
    for (const minutes of [5, 15]) {
      expect(await call()).toMatch(/not to be called before .*: a timeout$/);
      expect(await call()).toMatch(/not to be called before/);
      await clock.sleep(minutes * 60_000);
    }
    const final = 'crash: the model timed out again and again, and is not called any more';
    expect([await call(), await call()]).toEqual([`${final}: a timeout`, final]);
  });

  test('what it has learned holds in another process: the rest of the minute, and one time-out more parks the run', async () => {
    const clock = testClock({ onSleep: ms => ms === 60_000 && process.died.abort(new Error('died')) });
    const process = { died: new AbortController(), kept: {} };
    const options = { clock, random: () => 0.5 };
    const first = guarded(sequence(times(5, late)), options);
    const onOpened = async () => {
      process.kept = JSON.parse(JSON.stringify(first.opened()));
    };
    const { signal } = process.died;
    const dead = first.within({ most: 1, onOpened }).call(request({ signal }));
    await expect(dead).rejects.toThrow('died');
    await clock.sleep(20_000);
    const second = guarded(sequence([late]), { ...options, opened: process.kept });
    await expect(second.within({ most: 1 }).call(request())).rejects.toThrow(ProviderWait);
    expect(clock.sleeps.slice(4)).toEqual([60_000, 20_000, 40_000]);
  });

  test('is not opened again by a call that was under way when it opened', async () => {
    const slow = Promise.withResolvers<ModelReply>();
    const inner = sequence([...times(5, late), reply(), reply()]);
    const answers = [slow.promise];
    const model: Model = {
      provider: 'test',
      call: one => (one.task === 'slow' ? answers.pop() : undefined) ?? inner.call(one),
    };
    // The slow call fails while the breaker is open, before any call has closed it again.
    const clock = testClock({ onSleep: ms => ms === 60_000 && slow.reject(late) });
    const shared = resilient(model, { clock, random: () => 0.5 });
    const replies = await Promise.all([shared.call(request({ task: 'slow' })), shared.call(request())]);
    expect(replies.map(one => one.text)).toEqual(['done', 'done']);
    // The failure that came late is tried again without another minute.
    expect(clock.sleeps).toEqual([1000, 2000, 4000, 8000, 60_000, 1000]);
  });
});

describe('signals', () => {
  /** Answers only to its signal. */
  const silent: Model = {
    provider: 'silent',
    call: ({ signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      ),
  };

  test('each try has its time-out, which is of class timeout', async () => {
    const clock = testClock();
    await expect(resilient(silent, { clock, random: () => 0.5 }, 1).call(request())).rejects.toMatchObject({
      name: 'ProviderWait',
      cause: { class: 'timeout', message: 'no whole reply of claude-opus-5-5 for 2ic within 0.001 s' },
    });
    expect(clock.sleeps).toEqual([1000, 2000, 4000, 8000, 60_000]);
  });

  test('the caller ends a call: the reason of its signal is thrown, and nothing is tried again', async () => {
    const caller = new AbortController();
    const call = resilient(silent, { clock: testClock() }).call(request({ signal: caller.signal }));
    const reason = new ModelFailure('timeout', 'the layer is out of time');
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test('the caller ends a wait between tries', async () => {
    const caller = new AbortController();
    const reason = new Error('enough');
    const clock = testClock({ onSleep: () => caller.abort(reason) });
    const model = sequence([limit]);
    await expect(resilient(model, { clock }).call(request({ signal: caller.signal }))).rejects.toBe(reason);
    expect(model.calls).toBe(1);
  });
});
