// Red before, green after: the test files of a change, laid over what it began from, without the rest of the change.
import { join } from 'node:path';
import { messageOf } from '@echelon/ground';
import { type LaidOver, layOver } from '@echelon/ground/workspace';
import { firstFailure } from '../../../engine/language/trim.ts';
import type { AttemptState } from './attempt-journal.ts';
import { failurePlaces, fileNames } from '../jobs/failure-places.ts';
import type { WithoutChange } from '../jobs/report-spec.ts';
import { isTestFile } from '../project/test-files.ts';
import { MOST_NAMES } from '../jobs/test-outcome.ts';
import { testsAt, type TestsFound, type TestsHost } from './tests-at.ts';
import type { Workplace } from './workplace.ts';

/** The folder of the checkout that they run in, in the job's (checkout.ts clears it away). */
const FOLDER = 'without';

/** However quick the tests were with the change, they may have to compile everything now (milliseconds). */
const LEAST_MS = 120_000;

type Place = Pick<Workplace, 'spec' | 'checkout' | 'before' | 'folder' | 'time' | 'signal'> & {
  state: Pick<AttemptState, 'without'>;
  host: TestsHost;
};

interface Tested {
  command: string;
  tree: string;
  /** With the change, in milliseconds. */
  took: number;
}

export interface Without {
  found: WithoutChange;
  /** Test files that are there no more. */
  removed: string[];
}

/**
 * Result of the tests of the change to `tree` without it; they were green with it. Runs them once for the same test
 * files. Throws only the attempt's signal's reason.
 */
export async function testsWithout(place: Place, { command, tree, took }: Tested): Promise<Without> {
  const { checkout, before, state, signal } = place;
  try {
    const { gitDir } = checkout;
    const over = await layOver(gitDir, { from: before, to: tree }, isTestFile, signal);
    const { removed } = over;
    if (over.laid.length === 0) return { found: unknown('no test file is added or changed'), removed };
    if (over.tree === tree) return { found: unknown('nothing but test files is changed'), removed };
    if (state.without?.tree !== over.tree)
      state.without = { tree: over.tree, found: await tried(place, { command, took, ...over }) };
    return { found: state.without.found, removed };
  } catch (error) {
    signal.throwIfAborted();
    return { found: unknown(messageOf(error)), removed: [] };
  }
}

const unknown = (why: string): WithoutChange => ({ state: 'unknown', why: why.slice(0, 500) });

/** Tests that cannot be shown to fail without the change do not count against it. */
async function tried(place: Place, of: Tested & Pick<LaidOver, 'laid'>): Promise<WithoutChange> {
  const found = await run(place, of);
  if (found.state === 'green') return { state: 'passes' };
  if (found.state === 'cannot_run') return unknown(found.why);
  const { spec } = place;
  const isGreen = spec.green?.includes(place.before);
  const known = spec.before ?? (isGreen && ({ state: 'green', failing: [] } as const));
  const before = known || (await run(place, { ...of, tree: place.before }));
  if (before.state === 'cannot_run') return unknown(before.why);
  const { exit_code, failing } = found;
  const said = whatFailed(found.tail, of.laid).slice(0, 200);
  if (before.state === 'green') return { state: 'fails', exit_code, failing, said };
  const news = failing.filter(name => !before.failing.includes(name));
  // Of what was red only so much is named: what is not named may have been red as well.
  if (news.length === 0 || before.failing.length >= MOST_NAMES)
    return unknown('the tests were red before any change');
  return { state: 'fails', exit_code, failing: news, said };
}

/** The first place in a test file of the change that the output names, else its first line that tells of a failure. */
function whatFailed(log: string, laid: readonly string[]): string {
  const [at] = failurePlaces(log, fileNames(laid), 1);
  return at ? `${at.path}:${at.line}: ${at.said}` : firstFailure(log);
}

/** In a checkout and a home of their own: nothing of the change is left in them, be it built, installed or ignored. */
async function run(
  { spec, checkout, folder, host, time, signal }: Place,
  { command, tree, took }: Tested,
): Promise<TestsFound> {
  const left = spec.limits.attempt_ms - time.elapsed();
  const limit = Math.min(left / 2, Math.max(LEAST_MS, 3 * took));
  return await testsAt(
    {
      ...{ mirror: spec.mirror, has: checkout.gitDir, commit: tree, folder: join(folder, FOLDER), command },
      ...{ isolation: spec.isolation, network: spec.network, ...(spec.setup && { setup: spec.setup }) },
      // New dependencies of the change are not installed here, which is no fault of its tests.
      declares: checkout.tree,
      limits: { attempt_ms: limit },
      began: host.clock.now(),
      more: 'no more is spent on tests without the change',
    },
    { ...host, signal },
  );
}
