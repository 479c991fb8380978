// The job that tests the delivered branches together: merged on the newest base, in a fresh checkout. Where that is red,
// it looks for the smallest set of branches that is red as well. No model is asked.
import { join } from 'node:path';
import { borrowObjects, clear, type Mirror, openMirror } from '@echelon/ground/workspace';
import type { Before, IntegrationSpec } from '../jobs/job-spec.ts';
import type { IntegrationReport } from '../jobs/report-spec.ts';
import type { GroundHost } from '../attempt/ground.ts';
import { cannotRun, testsAt, type TestsFound } from '../attempt/tests-at.ts';

/** The repository, in the job's folder, that has the merges. */
const MERGED = 'merged.git';

type Branch = IntegrationSpec['branches'][number];

/** Tests them in `folder`. Whatever keeps the tests from running is the report; throws only the signal's reason. */
export async function runIntegration(
  spec: IntegrationSpec,
  folder: string,
  host: GroundHost,
): Promise<IntegrationReport> {
  const began = host.clock.now();
  try {
    // The run's mirror is read only: what is merged here is of use to nobody else.
    await borrowObjects(spec.mirror, join(folder, MERGED));
    const mirror = await openMirror({ folder: join(folder, MERGED), url: spec.mirror });
    const found = await testedTogether({ spec, folder, host, mirror, began });
    return { kind: 'integration', cause: [], ...found, ms: host.clock.now() - began };
  } finally {
    await clear(folder, [MERGED]);
  }
}

interface Place {
  spec: IntegrationSpec;
  folder: string;
  host: GroundHost;
  mirror: Mirror;
  began: number;
}

async function testedTogether(place: Place): Promise<TestsFound & { cause?: number[] }> {
  const { spec } = place;
  const all = await tests(place, spec.branches);
  if (all.state !== 'red') return all;
  const before = spec.before ?? (await tests(place, []));
  if (before.state === 'cannot_run')
    return cannotRun(`they are red, and at the newest commit of the base they cannot run at all`);
  const failing = news(all, before);
  if (!isNews(all, before)) return { ...all, failing };
  const cause = await smallestSet(place.mirror, spec.branches, async some => {
    // Until half of the time is used up; a branch without which nothing was tried counts as needed.
    const mayTry = place.host.clock.now() - place.began < place.spec.limits.attempt_ms / 2;
    return mayTry && isNews(await tests(place, some), before);
  });
  return { ...all, failing, cause: cause.map(({ issue }) => issue) };
}

const news = ({ failing }: TestsFound, before: TestsFound | Before) =>
  failing.filter(name => !before.failing.includes(name));

/** Red by something that was not red before; of tests that are not named, where they were green. */
const isNews = (found: TestsFound, before: TestsFound | Before): boolean =>
  found.state === 'red' && (before.state === 'green' || news(found, before).length > 0);

/** Result of the tests on these branches merged; branches that conflict without the others cannot be tested. */
async function tests({ spec, folder, host, mirror, began }: Place, some: readonly Branch[]) {
  const fields = { message: 'Together', date: new Date(began).toISOString() };
  const made = await mirror.merge([spec.base, ...some.map(({ commit }) => commit)], fields);
  if ('conflicts' in made) return cannotRun(`they conflict in ${made.conflicts.join(', ')}`);
  if (spec.green.includes(await mirror.treeOf(made.commit)))
    return { state: 'green', failing: [], why: '', exit_code: 0, tail: '', ms: 0 } satisfies TestsFound;
  return await testsAt({ ...spec, has: mirror.path, commit: made.commit, folder, began }, host);
}

/**
 * The smallest set of `all` that comes to the same as all of them, which is known: each is left out once, the last
 * first, and stays out where that makes no difference. So none of the set can be left out, and at most one set is tried
 * for each branch. A branch whose commits another one has is left out with that one only.
 */
export async function smallestSet<Branch extends { commit: string }>(
  mirror: Mirror,
  all: readonly Branch[],
  comesTo: (some: readonly Branch[]) => Promise<boolean>,
): Promise<Branch[]> {
  const holders = new Map<Branch, Branch[]>();
  for (const lower of all) {
    const above: Branch[] = [];
    for (const upper of all)
      if (upper !== lower && (await mirror.contains(upper.commit, lower.commit))) above.push(upper);
    holders.set(lower, above);
  }
  const isHeld = (each: Branch, by: readonly Branch[]) =>
    by.some(other => holders.get(each)?.includes(other));
  let kept = [...all];
  for (const each of all.toReversed()) {
    const rest = kept.filter(other => other !== each);
    if (rest.length > 0 && !isHeld(each, rest) && (await comesTo(rest))) kept = rest;
  }
  return kept.filter(each => !isHeld(each, kept));
}
