// One writer at a time for an issue: what runs, what is told to stop, and what a closed queue leaves undone.
import { expect, test } from 'vitest';
import { issueQueue, Stopped, type Stops } from '../../../src/app/run/queue.ts';

const quiet = () => issueQueue(error => expect.unreachable(String(error)));
/** Resolves when the work is told to stop, and then throws as work does. */
const untilStopped = ({ abort }: Pick<Stops, 'abort'>) =>
  new Promise<void>((_, fail) => abort.addEventListener('abort', () => fail(abort.reason)));

test('a closed queue takes no work', async () => {
  const queue = quiet();
  await queue.close();
  let ran = false;
  await queue.add(1, async () => void (ran = true));
  expect(ran).toBe(false);
});

test('what is queued when the queue closes is not begun, and who waits for it waits no longer', async () => {
  const queue = quiet();
  const under = queue.add(1, untilStopped);
  let ran = false;
  const behind = queue.add(1, async () => void (ran = true));
  await Promise.all([queue.close(), under, behind]);
  expect(ran).toBe(false);
});

test('an interruption ends what is under way; what is behind it runs', async () => {
  const queue = quiet();
  const stopped: unknown[] = [];
  const under = queue.add(1, stops => untilStopped(stops).catch(error => void stopped.push(error)));
  let ran = false;
  const behind = queue.add(1, async () => void (ran = true));
  await Promise.resolve();
  queue.interrupt(1, 'a person ended the run');
  await Promise.all([under, behind]);
  expect(stopped).toEqual([expect.any(Stopped)]);
  expect(ran).toBe(true);
});
