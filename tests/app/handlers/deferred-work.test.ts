// Deferred work: it runs at the end of a wait, one item per key.
import { expect, test } from 'vitest';
import { afterwards, type Keeper } from '../../../src/app/handlers/deferred-work.ts';

/** A keeper at time 0, with its sleeps by their length (ms); what was done is in `done`. */
function keeper() {
  const sleeps = new Map<number, () => void>();
  const done: string[] = [];
  const keep: Keeper = {
    kept: new Map(),
    clock: { now: () => 0, sleep: ms => new Promise(resolve => void sleeps.set(ms, resolve)) },
    shutdown: new AbortController().signal,
    report(error) {
      throw error;
    },
  };
  return {
    done,
    keep(until: number, name: string, fuller?: boolean) {
      afterwards(keep, until, { key: 'a', work: async () => void done.push(name), fuller });
    },
    async pass(ms: number) {
      sleeps.get(ms)?.();
      await new Promise(setImmediate);
      return done;
    },
  };
}

test('an earlier time than the one before: done then, and once', async () => {
  const k = keeper();
  k.keep(9000, 'first');
  k.keep(5000, 'second');
  expect(await k.pass(5000)).toEqual(['second']);
  expect(await k.pass(9000)).toEqual(['second']);
});

test('a later time than the one before: the newest is done at the earlier one, and once', async () => {
  const k = keeper();
  k.keep(5000, 'first');
  k.keep(9000, 'second');
  expect(await k.pass(5000)).toEqual(['second']);
  expect(await k.pass(9000)).toEqual(['second']);
});

test.each<[string, [string, boolean][], string]>([
  [
    'two that begin: the newest',
    [
      ['begin 1', true],
      ['begin 2', true],
    ],
    'begin 2',
  ],
  [
    'one that only goes on after it: it stays',
    [
      ['begin 1', true],
      ['go on', false],
    ],
    'begin 1',
  ],
  [
    'and stays',
    [
      ['begin 1', true],
      ['go on', false],
      ['go on', false],
    ],
    'begin 1',
  ],
  [
    'one that begins, after one that goes on',
    [
      ['go on', false],
      ['begin 1', true],
    ],
    'begin 1',
  ],
])('%s', async (_name, works, expected) => {
  for (const [first, second] of [
    [5000, 5000],
    [9000, 5000],
  ] as const) {
    const k = keeper();
    for (const [at, [name, fuller]] of works.entries()) k.keep(at === 0 ? first : second, name, fuller);
    expect(await k.pass(5000)).toEqual([expected]);
  }
});
