// `mode: fetch`: brings the commits that a job works from, while there is a token and before anything of the repository or
// of a model runs. The job itself fetches nothing.
import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { masker } from '@echelon/ground';
import {
  jobFiles,
  layOut,
  type Mirror,
  openMirror,
  readIfThere,
  writeWhole,
} from '@echelon/ground/workspace';
import { AnyJobSpec, type BaseTestsSpec, setupKey } from '../../app/job.ts';
import { quietly, secretsOfStep, setOutputs } from './workflow-commands.ts';
import { type Config, configReader } from '../../app/config.ts';
import { commandsOf } from '../../app/app.ts';

/** Answers the exit code: 0 done, 1 it failed, 2 the step was written wrongly. */
export async function fetchMode(folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { INPUT_TOKEN: token = '', INPUT_MIRROR: path = '' } = env;
  return await quietly(masker(secretsOfStep(env)), async tell => {
    if (path === '' || token === '') {
      tell('mode: fetch needs mirror: a folder, and token: the token of the job');
      return 2;
    }
    const url = `${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}.git`;
    const mirror = await openMirror({ folder: path, url, token: async () => token, partial: true });
    await mirror.fetch();
    const spec = await fetchFor(folder, mirror, env);
    setOutputs({ setup_key: spec ? await keyFor(spec, path, env) : '' });
    return 0;
  });
}

/** Of the cache of what setup installs; empty: there is none. Without a sandbox each job installs for itself. */
async function keyFor(spec: AnyJobSpec, mirror: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { setup, network, isolation } = spec;
  if (!setup || isolation === 'none') return '';
  const image = ['RUNNER_OS', 'RUNNER_ARCH', 'ImageOS', 'ImageVersion'].map(name => env[name] ?? '').join();
  return `echelon-setup-${await setupKey(setup, { mirror, network, image })}`;
}

/** Answers the job's spec; undefined: there are no tests to run. */
async function fetchFor(
  folder: string,
  mirror: Mirror,
  env: NodeJS.ProcessEnv,
): Promise<AnyJobSpec | undefined> {
  const { INPUT_BRANCH: branch } = env;
  if (branch) await layOutJobs(mirror, branch, dirname(folder));
  const text = await readIfThere(folder, jobFiles.spec);
  if (text !== undefined) {
    const spec = AnyJobSpec.parse(JSON.parse(text));
    await bringFor(mirror, spec);
    return spec;
  }
  // A job that was handed nothing runs the tests at the base, and finds out itself which.
  const head = env['GITHUB_SHA'] ?? '';
  await mirror.bring(head);
  const { GITHUB_REPOSITORY: repository = '', GITHUB_REF_NAME: branchOfHead = '' } = env;
  return await writeBaseSpec(folder, {
    mirror,
    head,
    op: basename(folder),
    repository,
    branch: branchOfHead,
  });
}

/** If an App has put the job's folder onto a branch, fetches it and those it continues from. */
async function layOutJobs(mirror: Mirror, branch: string, folder: string): Promise<void> {
  const commit = await mirror.resolve(branch);
  if (commit === undefined) throw new Error(`the branch ${branch}, which holds the job, is gone`);
  await mirror.bring(commit);
  await mkdir(folder, { recursive: true });
  await layOut(mirror.path, commit, folder);
}

/** Every commit that the job checks out, merges or compares, and those that branches came of which it merges. */
async function bringFor(mirror: Mirror, spec: AnyJobSpec): Promise<void> {
  const { base, setup } = spec;
  const merge = 'kind' in spec ? undefined : spec.merge;
  if (merge) await mirror.mergeAll(merge.commits, merge, merge.marked);
  const others = 'kind' in spec ? [] : comparedBy(spec);
  const branches = 'branches' in spec ? spec.branches.map(({ commit }) => commit) : [];
  const named = [base, setup?.base ?? base, ...branches, ...others];
  const commits = new Set<string>();
  for (const commit of new Set(named)) {
    // A branch that was deleted is told as such by who compares it.
    if ((await mirror.resolve(commit)) === undefined) continue;
    const parted = await mirror.mergeBase(base, commit);
    for (const each of [commit, parted ?? commit]) commits.add(each);
  }
  for (const commit of commits) await mirror.bring(commit);
}

function comparedBy({ around, wanted }: Exclude<AnyJobSpec, { kind: string }>): string[] {
  const { fit } = wanted ?? {};
  return [
    ...(around ? [around.ground, ...around.needs.flatMap(({ from, commit }) => [from, commit])] : []),
    ...(fit ? [fit.head, ...fit.others.flatMap(({ commit, parted }) => [commit, parted])] : []),
  ];
}

// The job `base`, which a label starts beside the layers: which tests to run, and how, is read from the default branch.

interface Fetched {
  mirror: Mirror;
  /** Head of the default branch, whose name is `branch`. */
  head: string;
  branch: string;
  op: string;
  /** `owner/name`. */
  repository: string;
}

/** Writes the spec into the job's folder. Undefined: there is nothing to run. */
async function writeBaseSpec(folder: string, of: Fetched): Promise<BaseTestsSpec | undefined> {
  await mkdir(folder, { recursive: true });
  const spec = await specOf(of);
  if (!spec) return undefined;
  // The second is left for the run, which takes the report only where this is the job that it needs.
  for (const name of [jobFiles.spec, jobFiles.base]) await writeWhole(folder, name, JSON.stringify(spec));
  return spec;
}

/** Undefined: the configuration cannot be used, which `advance` says; no test command is known; or the base is another branch. */
async function specOf({ mirror, head, branch, op, repository }: Fetched): Promise<BaseTestsSpec | undefined> {
  const read = await configReader({})(mirror, head);
  if ('problems' in read) return undefined;
  const { config } = read;
  // Only the head of the default branch is here.
  if (config.base !== undefined && config.base !== branch) return undefined;
  const { test, setup } = await commandsOf({ test: undefined }, { mirror, config, base: { commit: head } });
  if (test.trim() === '') return undefined;
  return baseTests(config, { op, repository, base: head, mirror: mirror.path, command: test.trim() }, setup);
}

type Where = Pick<BaseTestsSpec, 'op' | 'repository' | 'base' | 'mirror' | 'command'>;

/** Of a job that is no run's. `setup`: installs what the tests need; empty: nothing does. */
export const baseTests = (
  { network, isolation, timeouts }: Config,
  where: Where,
  setup: string,
): BaseTestsSpec => ({
  ...{ version: 1, kind: 'base-tests', directive: 0, ...where, network },
  isolation: isolation === 'none' ? 'none' : 'bubblewrap',
  ...(setup && { setup: { command: setup, base: where.base } }),
  limits: { attempt_ms: timeouts.attempt, stuck_ms: timeouts.stuck },
});
