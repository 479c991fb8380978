// One run of the project's tests at a commit: a fresh checkout, the test command, what it came to; and the job that does so
// at the base. No model is asked.
import { join } from 'node:path';
import { messageOf } from '@echelon/ground';
import { chooseIsolation, git, IsolationMissing, readRegular } from '@echelon/ground/workspace';
import { trimLog } from '../../../engine/texts.ts';
import { unloadedIn } from '../jobs/failure-places.ts';
import { type GroundHost, openGrounded, SetupFailed } from './ground.ts';
import { commandsIn } from './job-commands.ts';
import { ATTEMPT_LIMIT, type BaseTestsSpec } from '../jobs/job-spec.ts';
import type { BaseTestsReport } from '../jobs/report-spec.ts';
import { hostsOf } from '../project/network-hosts.ts';
import { FACTS_MS, readFacts } from '../project/toolchain.ts';
import { runsAnew } from '../jobs/result-caches.ts';
import { fromRoot, testOutcome } from '../jobs/test-outcome.ts';

/** Tokens of the tests' output that people and the evaluator are shown. */
const TAIL = 500;

/** Result of the tests. */
export type TestsFound = Omit<BaseTestsReport, 'kind'> &
  Partial<ReturnType<typeof unloadedIn>> & { timed_out?: boolean };

interface TestsPlace extends Pick<BaseTestsSpec, 'isolation' | 'network' | 'setup' | 'command' | 'asked'> {
  limits: Pick<BaseTestsSpec['limits'], 'attempt_ms'>;
  /** The run's mirror. */
  mirror: string;
  commit: string;
  /** The bare repository that has the commit, or the tree in its place, where the mirror has not. */
  has?: string;
  /** The job's, which has no checkout now. */
  folder: string;
  /** Start of the job, from which its watcher counts (milliseconds since the epoch). */
  began: number;
  /** The setting that allows more time, as the end of a sentence. */
  more?: string;
  /** A work tree whose manifests name what the project depends on; default: that of the commit. */
  declares?: string;
  /** Test files: those that do not compile or load are `unloaded`, and their names are no failing tests. */
  files?: readonly string[];
  /** Limit of the command alone (milliseconds); default: what is left of the job's. */
  most?: number;
}

/** Runs them. Whatever keeps them from running is what they came to; throws only the signal's reason. */
export async function testsAt(place: TestsPlace, host: GroundHost): Promise<TestsFound> {
  try {
    const { ended, declared, tree, facts } = await runTests(place, host);
    // A path from the root looks like the name of a package: what is missing is told before.
    const found = { failing: [], why: '', ...testOutcome(ended, declared) };
    const failing = found.failing.map(name => fromRoot(name, tree));
    const log = fromRoot(`${ended.stdout}\n${ended.stderr}`, tree);
    const { exit_code, timed_out, duration_ms: ms } = ended;
    const told = { ...found, failing, exit_code, tail: trimLog(log, TAIL).trim(), ms, ...facts };
    if (!place.files) return told;
    return { ...told, timed_out, ...unloadedIn(log, place.files, failing) };
  } catch (error) {
    host.signal.throwIfAborted();
    if (error instanceof SetupFailed)
      return { ...cannotRun(error.message), tail: error.tail, setup: error.command };
    const found = cannotRun(messageOf(error));
    return error instanceof IsolationMissing ? { ...found, sandbox: 'missing' } : found;
  }
}

/** `why`: a sentence without its full stop. */
export const cannotRun = (why: string): TestsFound => ({
  state: 'cannot_run',
  failing: [],
  why,
  exit_code: null,
  tail: '',
  ms: 0,
});

async function runTests(
  { folder, began, command, network, limits, most = Infinity, more = ATTEMPT_LIMIT, ...place }: TestsPlace,
  host: GroundHost,
) {
  const isolation = await chooseIsolation(place.isolation, { secretsPresent: true });
  const left = () => limits.attempt_ms - (host.clock.now() - began);
  const { mirror, commit, setup, has = mirror } = place;
  const hosts = await hostsOf({
    network: place.asked === undefined ? network : 'none',
    ...(setup ? { mirror, base: setup.base } : { mirror: has, base: commit }),
  });
  const checkout = await openGrounded({ ...place, isolation, network, folder, ms: left() }, host);
  try {
    const declared = declaredIn(place.declares ?? checkout.tree);
    const time = { ms: Math.max(1000, Math.min(place.asked ?? most, left())), more };
    const run = commandsIn({ checkout, isolation, hosts, host });
    const ended = await run(command, time, host.signal, { env: runsAnew });
    const root = (await git(['ls-tree', '--name-only', commit], { gitDir: has })).split('\n');
    // At the base alone, and where time is left.
    const isAsked = place.has === undefined && place.asked === undefined && left() > FACTS_MS;
    const facts = isAsked && { facts: await readFacts(root, run, host.signal) };
    return { ended, declared, tree: checkout.tree, facts };
  } finally {
    await checkout.remove();
  }
}

/** Files in which projects name their dependencies; bytes that are read of one. */
const manifests = ['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile', 'tox.ini'];
const requirements = ['requirements.txt', 'requirements-dev.txt', 'requirements/dev.txt'];
const MAX_MANIFEST = 256 * 1024;

/** True if the project in `tree`, as it is now, names a package as its dependency. */
function declaredIn(tree: string): (name: string) => boolean {
  const texts = [...manifests, ...requirements].map(name => {
    const bytes = readRegular(join(tree, name), MAX_MANIFEST);
    return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : '';
  });
  const words = new Set(texts.join('\n').split(/[\s"',;=<>~![\](){}]+/));
  return name => words.has(name);
}

/** Runs the tests in `folder`. Whatever keeps them from running is the report; throws only the signal's reason. */
export async function runBaseTests(
  spec: BaseTestsSpec,
  folder: string,
  host: GroundHost,
): Promise<BaseTestsReport> {
  const began = host.clock.now();
  return { kind: 'base-tests', ...(await testsAt({ ...spec, commit: spec.base, folder, began }, host)) };
}
