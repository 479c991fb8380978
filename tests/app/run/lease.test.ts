// Who may go on with a run on a branch: leases of several processes, on a clock that the test moves.
import { expect, test } from 'vitest';
import { jobsHold, type RecordAccess, type RunStore } from '../../../src/app/run/run-store.ts';
import type { Entry } from '../../../src/journal/journal.ts';
import { openPlace, small } from './record-place.ts';

function movedClock() {
  let time = Date.UTC(2026, 0, 1);
  return { now: () => time, sleep: async () => {}, pass: (seconds: number) => void (time += seconds * 1000) };
}

/** A run that one process has begun and brought to rest; `others` are stores of further processes. */
async function openRun() {
  const clock = movedClock();
  const place = await openPlace('on a branch', clock);
  const store = await place.start();
  await store.append([small(1)], 'board');
  await store.append([intent('begin'), done('begin')], 'board');
  const as = (holder: string, more: Partial<RecordAccess> = {}) =>
    place.store({ ...place.access, holder, ...more });
  return {
    ...place,
    clock,
    mine: await place.store(),
    as,
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

const intent = (key: string): Entry => ({ t: 'intent', key });
const done = (key: string): Entry => ({ t: 'step', key, result: true, at: 1 });
/** Seconds until it is worth another look; 0: this process may go on now. */
const waits = async (store: RunStore, { now }: { now(): number }) => {
  const error = await store.hold('look', 0).then(
    () => undefined,
    (thrown: { until: number }) => thrown,
  );
  return error ? Math.round((error.until - now()) / 1000) : 0;
};

test('what was intended and is not done keeps the run for 150 s; then another process takes over, and the first is refused', async () => {
  await using r = await openRun();
  await r.mine.append([intent('say')], 'board');
  expect(await waits(await r.as('other'), r.clock)).toBe(150);
  r.clock.pass(149);
  expect(await waits(await r.as('other'), r.clock)).toBe(1);
  r.clock.pass(1);
  const other = await r.as('other');
  await other.hold('say');
  await expect(r.mine.append([done('say')], 'board')).rejects.toThrow('another process writes');
  expect(await waits(await r.as('one'), r.clock)).toBe(150);
});

test('the results give the run free, with the commit that records them', async () => {
  await using r = await openRun();
  await r.mine.append([intent('say')], 'board');
  expect(await r.calls(() => r.mine.append([done('say')], 'board'))).toEqual({ read: 0, write: 1 });
  expect(await waits(await r.as('other'), r.clock)).toBe(0);
});

test('a run that was just begun is left to who began it', async () => {
  const clock = movedClock();
  await using p = await openPlace('on a branch', clock);
  await (await p.start()).append([small(1)], 'board');
  expect(await waits(await p.store({ ...p.access, holder: 'other' }), clock)).toBe(150);
});

test('the same process goes on at once after a restart', async () => {
  await using r = await openRun();
  await r.mine.append([intent('say')], 'board');
  const again = await r.as('one');
  await again.hold('say');
  await again.append([done('say')], 'board');
  expect(again.entries).toContainEqual(done('say'));
});

test.for([-3600, 3600])('a clock that is %i s off takes nothing over', async seconds => {
  await using r = await openRun();
  await r.mine.append([intent('say')], 'board');
  const clock = { ...r.clock, now: () => r.clock.now() + seconds * 1000 };
  expect(await waits(await r.as('other', { clock }), clock)).toBe(150);
});

test('what lasts longer has a lease of its own length, which its result ends', async () => {
  await using r = await openRun();
  expect(await r.calls(() => r.mine.hold('turn', 360_000))).toEqual({ read: 0, write: 1 });
  r.clock.pass(380);
  expect(await waits(await r.as('other'), r.clock)).toBe(10);
  await r.mine.append([done('turn')], 'board');
  expect(await waits(await r.as('other'), r.clock)).toBe(0);
});

test('what is saved meanwhile neither ends nor renews it', async () => {
  await using r = await openRun();
  await r.mine.hold('turn', 360_000);
  r.clock.pass(100);
  await r.mine.append([{ t: 'checkpoint', key: 'turn', state: 1, at: 1 }], 'board');
  expect(await waits(await r.as('other'), r.clock)).toBe(290);
});

test('an effect that would begin in the last 30 s of its lease renews it first', async () => {
  await using r = await openRun();
  await r.mine.append([intent('one'), intent('two')], 'board');
  r.clock.pass(80);
  expect(await r.calls(() => r.mine.hold('one'))).toEqual({ read: 0, write: 0 });
  r.clock.pass(15);
  expect(await r.calls(() => r.mine.hold('two'))).toEqual({ read: 0, write: 1 });
  expect(await waits(await r.as('other'), r.clock)).toBe(150);
});

test('jobs keep the run with one commit in their time, until none is under way', async () => {
  await using r = await openRun();
  // Each look at the run reads its record anew.
  const writes = async (ms: number) => {
    const mine = await r.as('one');
    return (await r.calls(() => mine.hold(jobsHold, ms))).write;
  };
  expect(await writes(660_000)).toBe(1);
  r.clock.pass(60);
  expect(await writes(660_000)).toBe(0);
  r.clock.pass(520);
  expect(await writes(660_000)).toBe(1);
  const mine = await r.as('one');
  await mine.append([done('report')], 'board');
  expect(await waits(await r.as('other'), r.clock)).toBe(690);
  await mine.hold(jobsHold, 0);
  await mine.append([done('last report')], 'board');
  expect(await waits(await r.as('other'), r.clock)).toBe(0);
});
