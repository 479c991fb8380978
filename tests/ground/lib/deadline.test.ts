// A time limit ends work in progress; suspended time does not count.
import { expect, test } from 'vitest';
import { deadline, race } from '../../../packages/ground/lib/deadline.ts';
import { stillClock } from './clocks.ts';

const never = new Promise<never>(() => {});
const turn = () => new Promise(resolve => setImmediate(resolve));

test('time is up: what is under way is left, and it says so', async () => {
  const clock = stillClock();
  const time = deadline(100, clock, new AbortController().signal);
  const raced = time.race(never);
  clock.advance(99);
  await turn();
  expect([time.expired(), time.elapsed()]).toEqual([false, 99]);
  clock.advance(1);
  await expect(raced).rejects.toThrow('the limit of 100 ms is used up');
  expect([time.expired(), time.signal.aborted]).toEqual([true, true]);
});

test('the signal around it aborts: its reason, and the time was not up', async () => {
  const clock = stillClock();
  const outer = new AbortController();
  const time = deadline(100, clock, outer.signal);
  const raced = time.race(never);
  outer.abort(new Error('stopped'));
  await expect(raced).rejects.toThrow('stopped');
  clock.advance(100);
  await turn();
  expect(time.expired()).toBe(false);
  expect(() => deadline(100, clock, outer.signal)).toThrow('stopped');
});

test('a suspended wait does not count', async () => {
  const clock = stillClock();
  const time = deadline(100, clock, new AbortController().signal);
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = time.suspended(promise);
  clock.advance(5000);
  await turn();
  resolve('yes');
  expect(await answer).toBe('yes');
  expect([time.expired(), time.elapsed()]).toEqual([false, 0]);
  time.end();
});

test.each<[name: string, aborted: boolean, work: () => Promise<string>, end: string]>([
  ['work that ends', false, async () => 'done', 'done'],
  ['work that fails', false, () => Promise.reject(new Error('broken')), 'broken'],
  ['work that ended before, once aborted', true, async () => 'done', 'stopped'],
  ['work that fails, once aborted', true, () => Promise.reject(new Error('broken')), 'stopped'],
  ['work that never ends, once aborted', true, () => never, 'stopped'],
])('%s', async (_name, aborted, work, end) => {
  const signal = aborted ? AbortSignal.abort(new Error('stopped')) : new AbortController().signal;
  expect(await race(work(), signal).catch((error: Error) => error.message)).toBe(end);
});
