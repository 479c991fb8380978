// Jobs that an App has the repository's workflow do: what is dispatched, and how often.
import { beforeEach, expect, test } from 'vitest';
import { type Dispatched, dispatchedJobs } from '../../../../src/app/engineer/jobs/dispatched-jobs.ts';
import type { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { jobSpec } from '../spec.ts';

let now: number;
let dispatched: Map<string, Dispatched>;
/** Calls made to GitHub. */
let done: string[];
let refused: boolean;
beforeEach(() => {
  [now, dispatched, done, refused] = [1_000_000, new Map(), [], false];
});

/** One look at the run of issue 1, of which GitHub shows nothing. */
const look = () =>
  dispatchedJobs({
    runs: {
      active: async () => [],
      artifact: async () => undefined,
      expiry: async () => undefined,
      cancel: async () => {},
      dispatch: async ({ jobs, ...rest }) => {
        if (refused) throw new Error('not now');
        const ops = JSON.parse(jobs ?? '').map(({ op }: { op: string }) => op);
        done.push(`dispatch ${JSON.stringify(rest)} of ${ops}`);
      },
    },
    folders: {
      path: op => op,
      unpack: async () => {},
      read: async () => undefined,
      prepare: async ({ op }) => void done.push(`prepare ${op}`),
    },
    handOver: async branch => void done.push(`push ${branch}`),
    tidy: async prefix => void done.push(`remove ${prefix}`),
    clock: { now: () => now, sleep: async () => {} },
    ...{ run: 0, directive: 1 },
    dispatched,
  });

const spec = (op: string): JobSpec => ({ ...jobSpec(600_000, 'f'.repeat(40), ''), op });

const waiting = (ops: string[]) => new Map(ops.map(op => [op, spec(op)]));

test('what starts in one look is one dispatch, when what the jobs begin with is pushed', async () => {
  const jobs = look();
  for (const op of ['aa', 'bb']) await jobs.start(spec(op));
  await jobs.handOut?.(waiting(['aa', 'bb']));
  await jobs.handOut?.(waiting(['aa', 'bb']));
  expect(done).toEqual([
    'prepare aa',
    'prepare bb',
    'push echelon/jobs/1-aa',
    'dispatch {"directive":"1","branch":"echelon/jobs/1-aa"} of aa,bb',
  ]);
});

test('until GitHub has had time to show it, it lives; then it is dispatched again, and after three times it is lost', async () => {
  const states: string[] = [];
  for (let times = 0; times < 4; times++) {
    const jobs = look();
    await jobs.start(spec('aa'));
    await jobs.handOut?.(waiting(['aa']));
    states.push((await look().read(spec('aa'))).state);
    now += 120_000;
  }
  expect(done.filter(each => each.startsWith('dispatch'))).toHaveLength(3);
  expect(states).toEqual(['living', 'living', 'living', 'finished']);
  expect(await look().read(spec('aa'))).toMatchObject({
    state: 'finished',
    report: { kind: 'failed', class: 'lost', feedback: expect.stringContaining('3 times') },
  });
});

test('what nobody waits for any more goes, and what is waited for stays', async () => {
  await look().handOut?.(waiting(['aa']));
  expect(done).toEqual([]);
  await look().handOut?.(waiting([]));
  expect(done).toEqual(['remove echelon/jobs/1-']);
});

test('a dispatch that GitHub refuses leaves the job to be started by the next look', async () => {
  const jobs = look();
  await jobs.start(spec('aa'));
  refused = true;
  await expect(jobs.handOut?.(waiting(['aa']))).rejects.toThrow();
  expect((await look().read(spec('aa'))).state).toBe('gone');
});
