// The story as workflows play it: every job a process of the forge's runner, which a test may kill, cancel or cut short.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type LocalActions, openLocalActions } from '../../src/doors/cli/local-actions.ts';
import type { RunnerOptions } from '../../packages/forge/actions/runner.ts';
import type { ForgeOptions } from '../../packages/forge/forge.ts';
import { machineHere } from '../action-here.ts';
import { branchesOf, factsOf, person, place } from './facts.ts';
import { look, type Plot } from './story.ts';

/** Login that workflows write as. */
export const bot = 'github-actions[bot]';

/** Jobs are so far ahead of the forge, which lists an artifact at once: one that is not there then will never be. */
const AHEAD_MS = 60_000;
const aheadOfForge = `--import=data:text/javascript,${encodeURIComponent(`const { now } = Date; Date.now = () => now() + ${AHEAD_MS};`)}`;

export interface ActionsStory {
  folder: string;
  /** The repository that the forge's is cloned from, and the product's own. */
  source: string;
  product: string;
  path: string;
  plot: Plot;
  onCall?: ForgeOptions['onCall'];
  runner?: (usual: RunnerOptions) => RunnerOptions;
  /** The product's steps are processes of their own: where one is cancelled or killed. */
  processes?: boolean | undefined;
}

export async function openStory({ folder, source, product, path, plot, onCall, ...how }: ActionsStory) {
  mkdirSync(folder, { recursive: true });
  symlinkSync(product, join(folder, 'product'));
  // The jobs of all stories share Node's compile cache.
  const reach = { NODE_COMPILE_CACHE: join(product, '../compiled'), NODE_OPTIONS: aheadOfForge };
  const here = { carryOut: machineHere(path, reach, AHEAD_MS) };
  const { processes, runner = usual => usual } = how;
  return await openLocalActions({
    folder,
    person,
    repository: { ...place, from: source },
    model: { provider: 'scripted', script: plot.script, file: 'script.json' },
    test: undefined,
    host: { path, reach, allows: { isolationNone: false, network: false } },
    ...(onCall && { onCall }),
    runner: usual => runner(processes ? usual : { ...usual, ...here }),
    log: () => {},
  });
}

/** Start of all stories, and their end without crashes. Each has a folder of its own in `folder`. */
export interface Stage extends Pick<ActionsStory, 'folder' | 'source' | 'product' | 'path' | 'plot'> {
  facts: string[];
  /** Routes by which the product wrote. */
  writes: ReadonlySet<string>;
}

/** Plays a story of its own; closed at the end whatever becomes of it. */
export async function inStory<T>(
  { folder, source, product, path, plot }: Omit<Stage, 'facts' | 'writes'>,
  name: string,
  disturbed: Pick<ActionsStory, 'onCall' | 'runner' | 'processes'>,
  play: (local: LocalActions) => Promise<T>,
): Promise<T> {
  const own = join(folder, name.replaceAll(' ', '-'));
  const local = await openStory({ folder: own, source, product, path, plot, ...disturbed });
  try {
    return await play(local);
  } finally {
    await local.close();
    rmSync(own, { recursive: true, force: true });
  }
}

/** Plays the undisturbed story. */
export const stageOf = (set: Omit<Stage, 'facts' | 'writes'>): Promise<Stage> =>
  inStory(set, 'undisturbed', {}, async local => {
    const looks = await playOn(local, set.plot);
    if (looks > 0) throw new Error(`the undisturbed story stood still ${looks} times`);
    const writes = local.forge.calls.filter(({ actor, kind }) => actor === bot && kind === 'write');
    return { ...set, facts: await endOf(local), writes: new Set(writes.map(({ route }) => route)) };
  });

const repository = `/repos/${place.owner}/${place.name}`;

/** A person's request to GitHub; throws if it is refused. */
export async function ask({ forge }: LocalActions, method: string, path: string, body?: object) {
  const answer = await forge.call(person, method, `${repository}${path}`, body);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The directive is the first issue of its repository. */
const directive = 1;

/** A person starts the workflow for the directive, as `deliver` does. */
export const dispatch = (local: LocalActions) =>
  ask(local, 'POST', '/actions/workflows/echelon.yml/dispatches', {
    ref: 'main',
    inputs: { directive: String(directive) },
  });

/** Number of looks at a stuck run before it counts as lost. */
const PATIENCE = 30;

/**
 * Plays to the end of the run; `still` is what a person does when nothing runs and nothing waits for them: without one
 * the workflow is started for the directive. Answers how often that was. Throws when the run does not come to its end.
 */
export async function playOn(
  local: LocalActions,
  plot: Plot,
  still: () => Promise<unknown> = () => dispatch(local),
): Promise<number> {
  for (let times = 0; ; ) {
    await local.idle();
    const { next, board } = await look(local.forge, plot);
    if (next === 'end') return times;
    if (next !== 'wait') await next();
    else if (times++ < PATIENCE) await still();
    else throw new Error(`the run does not come to its end; its board is\n${board}`);
  }
}

/** One more look at the directive, which must find nothing to do when the run has ended. */
export async function lookAgain(local: LocalActions): Promise<void> {
  await dispatch(local);
  await local.idle();
}

/** Facts at the end. */
export async function endOf(local: LocalActions): Promise<string[]> {
  // The id of a run, and with it the digest of a listing, comes from the repository's key, which each story makes anew.
  return (await factsOf(local.forge)).map(fact =>
    fact.replace(/(?<=echelon\/|[Rr]un `)[0-9a-f]{8}\b/g, 'RUN').replace(/\b[0-9a-f]{12}\b/g, 'DIGEST'),
  );
}

const Named = z.array(z.object({ name: z.string() }));

/** Leftovers that must not exist when nothing runs, one sentence each. */
export async function leftOver(local: LocalActions): Promise<string[]> {
  const work = join(local.forge.folder, 'actions', 'work');
  const { artifacts } = z
    .object({ artifacts: Named })
    .parse(await ask(local, 'GET', '/actions/artifacts?per_page=100'));
  const strange = artifacts.filter(({ name }) => !/^echelon-(handed-\d+|[\w-]+)$/.test(name));
  const names = artifacts.map(({ name }) => name).filter(name => !name.startsWith('echelon-handed-'));
  return [
    ...(existsSync(work) ? readdirSync(work) : []).map(name => `folder ${name} of a job`),
    ...processesOf(local.forge.folder).map(({ pid }) => `process ${pid}`),
    ...strange.map(({ name }) => `artifact ${name}`),
    ...names.filter((name, at) => names.indexOf(name) !== at).map(name => `two artifacts ${name}`),
    ...branchesOf(local.forge)
      .filter(({ name }) => name !== 'main' && !/^echelon\/[0-9a-f]+\//.test(name))
      .map(({ name }) => `branch ${name}`),
  ];
}

/** Processes of a forge's jobs, with the mode that they run in. */
function processesOf(forge: string): { pid: number; mode: string | undefined }[] {
  const inside = `RUNNER_TEMP=${realpathSync(forge)}/`;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(name => {
      try {
        const env = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
        if (!env.some(each => each.startsWith(inside))) return [];
        const mode = env.find(each => each.startsWith('INPUT_MODE='))?.slice('INPUT_MODE='.length);
        return [{ pid: Number(name), mode }];
      } catch {
        // Ended meanwhile, or another user's.
        return [];
      }
    });
}

/** Kills the processes of `advance` and `deliver`, as a runner that is lost. Only one of them works at a time. */
export function killAtWork(forge: string): void {
  for (const { pid, mode } of processesOf(forge))
    if (mode === 'run' || mode === 'deliver')
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended meanwhile.
      }
}
