// Red before, green after: the test files of a change, laid over what it began from, without the rest of the change.
import { join } from 'node:path';
import { messageOf } from '@echelon/ground';
import { type LaidOver, layOver } from '@echelon/ground/workspace';
import { firstFailure } from '../../../engine/texts.ts';
import type { AttemptState } from './attempt-journal.ts';
import type { WithoutChange } from '../jobs/report-spec.ts';
import type { GroundHost } from './ground.ts';
import { isTestFile } from '../project/test-files.ts';
import { MAX_NAME, MOST_NAMES } from '../jobs/test-outcome.ts';
import { testsAt, type TestsFound } from './tests-at.ts';
import type { Workplace } from './workplace.ts';

/** The folder of the checkout that they run in, in the job's (checkout.ts clears it away). */
const FOLDER = 'without';

/** Limit of a run: a multiple of the longest that they took so far; a new checkout may be slower (milliseconds). */
const LEAST_MS = 30_000;
const MULTIPLE = 3;

type Place = Pick<Workplace, 'spec' | 'checkout' | 'before' | 'folder' | 'time' | 'signal'> & {
  state: Pick<AttemptState, 'without'>;
  host: GroundHost;
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
async function tried(place: Place, of: Tested & LaidOver): Promise<WithoutChange> {
  const found = await run(place, of);
  if (found.state === 'green') return { state: 'passes' };
  if (found.state === 'cannot_run' && !found.timed_out) return unknown(found.why);
  const { spec } = place;
  const isGreen = spec.green?.includes(place.before);
  const known = spec.before ?? (isGreen && ({ state: 'green', failing: [] } as const));
  // Tests that would be as slow without any change do not hang for want of this one.
  const isEnough = known && (!found.timed_out || 'ms' in known);
  const before = isEnough ? known : await run(place, { ...of, tree: place.before });
  if (before.state === 'cannot_run') return unknown(before.why);
  const { exit_code, ms, tail } = found;
  if (found.timed_out) {
    // The attempt's remaining time may have been shorter.
    if (ms < MULTIPLE * Math.max(of.took, spec.before?.ms ?? 0)) return unknown(found.why);
    return { state: 'hangs', ms, took: of.took, said: tail.slice(tail.lastIndexOf('\n') + 1).slice(0, 200) };
  }
  const { failing, unloaded } = await withoutUnloaded(place, of, found);
  const said = firstFailure(tail).slice(0, 200);
  const more = unloaded.length > 0 && { unloaded };
  if (before.state === 'green') return { state: 'fails', exit_code, failing, said, ...more };
  // Of what was red only so much is named: what is not named may have been red as well.
  const all = before.failing.length >= MOST_NAMES ? [] : failing;
  const news = all.filter(name => !before.failing.includes(name));
  if (news.length === 0 && !more) return unknown('the tests were red before any change');
  return { state: 'fails', exit_code, failing: news, said, ...more };
}

/** Failures besides the test files that do not compile. If those keep others from running, the others run once more. */
async function withoutUnloaded(place: Place, of: Tested & LaidOver, first: TestsFound) {
  const { checkout, before, signal } = place;
  const unloaded = new Map(first.unloaded);
  const laid = of.laid.filter(path => !unloaded.has(path));
  let failing = first.failing;
  if (first.stopped && laid.length > 0) {
    const isLeft = (path: string) => isTestFile(path) && !unloaded.has(path);
    const { tree } = await layOver(checkout.gitDir, { from: before, to: of.tree }, isLeft, signal);
    const rest = await run(place, { ...of, tree, laid });
    for (const [path, said] of rest.unloaded ?? []) unloaded.set(path, said);
    failing = [...new Set([...failing, ...rest.failing])].slice(0, MOST_NAMES);
  }
  const told = [...unloaded.values()].slice(0, MOST_NAMES);
  return { failing, unloaded: told.map(said => said.slice(0, MAX_NAME)) };
}

/** In a checkout and a home of their own: nothing of the change is left in them, be it built, installed or ignored. */
async function run(
  { spec, checkout, folder, host, time, signal }: Place,
  { command, tree, took, laid }: Tested & Pick<LaidOver, 'laid'>,
): Promise<TestsFound> {
  const left = spec.limits.attempt_ms - time.elapsed();
  return await testsAt(
    {
      ...{ mirror: spec.mirror, has: checkout.gitDir, commit: tree, folder: join(folder, FOLDER), command },
      ...{ isolation: spec.isolation, network: spec.network, ...(spec.setup && { setup: spec.setup }) },
      // New dependencies of the change are not installed here, which is no fault of its tests.
      declares: checkout.tree,
      files: laid,
      limits: { attempt_ms: left / 2 },
      most: Math.max(LEAST_MS, MULTIPLE * took, MULTIPLE * (spec.before?.ms ?? 0)),
      began: host.clock.now(),
      more: 'no more is spent on tests without the change',
    },
    { ...host, signal },
  );
}
