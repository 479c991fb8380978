// Makes of the steps of a job what is carried out: their actions got and read, with what these do before and after.
import { join, dirname } from 'node:path';
import { messageOf } from '@echelon/ground';
import { type ActionReference, type BuiltInName, readReference, stepFault } from './action-reference.ts';
import type { JobState } from './job-state.ts';
import { type NodeAction, readAction, runNodeAction } from './node-action.ts';
import type { StepSpec } from '../actions/planned-job.ts';
import { scriptWork } from './script.ts';
import { type Step, type StepRun, StepFailed } from './step.ts';
import { closeAppToken, makeAppToken } from './built-in/create-github-app-token.ts';
import { restoreCache, saveCache } from './built-in/cache.ts';
import { checkout, removeCredentials } from './built-in/checkout.ts';
import { downloadArtifact } from './built-in/download-artifact.ts';
import { uploadArtifact } from './built-in/upload-artifact.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { git, resolveCommit } from '../repositories/git.ts';
import { inputsOf } from './built-in/inputs.ts';

/** Fails for a version of which this Node is none; `lts/*`, `node` and the like take what is there. */
async function setupNode(step: StepRun): Promise<void> {
  const inputs = inputsOf(step, {
    'node-version': '',
    'check-latest': 'false',
    'package-manager-cache': 'false',
  });
  const wanted = /^v?(\d+)(\.(x|\d+)){0,2}$/.exec(inputs['node-version'])?.[1];
  const [major] = process.versions.node.split('.');
  if (wanted !== undefined && wanted !== major)
    throw new StepFailed(`Node ${inputs['node-version']} is asked for; this runner has ${process.version}.`);
  step.state.path.unshift(dirname(process.execPath));
  step.setOutput('node-version', process.version);
  step.write(`Node ${process.version} is there.`);
}

/**
 * Gets the tree of an action's repository into a folder of the job and gives the folder of the action in it. Throws, in a
 * sentence, when the forge has no such repository or commit.
 */
async function fetchAction(
  state: JobState,
  reference: Extract<ActionReference, { kind: 'self' | 'repository' }>,
): Promise<string> {
  const { origin } = state.job;
  const { repository, ref } =
    reference.kind === 'self' ? { repository: origin.repository, ref: origin.sha } : reference;
  const bare = state.host.actionRepository(repository);
  if (bare === undefined)
    throw new Error(`The forge has no repository ${repository} that this job may take an action from.`);
  const sha = await resolveCommit(bare, ref);
  if (sha === undefined) throw new Error(`The repository ${repository} has no ${ref}.`);
  const folder = join(state.folders.actions, ...repository.split('/'), sha);
  // Another step of the job is of it too.
  if (existsSync(folder)) return join(folder, reference.path);
  await mkdir(folder, { recursive: true });
  const variables = { GIT_INDEX_FILE: join(state.folders.actions, randomUUID()) };
  await git(bare, [`--work-tree=${folder}`, 'read-tree', '-u', '--reset', sha], { variables });
  return join(folder, reference.path);
}

const builtIns: Record<BuiltInName, { work: Step['work']; post?: Step['work'] }> = {
  checkout: { work: checkout, post: removeCredentials },
  'upload-artifact': { work: uploadArtifact },
  'download-artifact': { work: downloadArtifact },
  'setup-node': { work: setupNode },
  'cache/restore': { work: restoreCache },
  'cache/save': { work: saveCache },
  'create-github-app-token': { work: makeAppToken, post: closeAppToken },
};

interface Steps {
  before: Step[];
  main: Step[];
  /** In the order in which they are to run. Local actions add theirs while the job runs. */
  after: Step[];
}

/** Gets and reads every action that is not in the job's own checkout. Throws, with the place of the step, what stands in the way. */
export async function planSteps(state: JobState): Promise<Steps> {
  const steps: Steps = { before: [], main: [], after: [] };
  for (const [index, spec] of state.job.steps.entries()) {
    try {
      const fault = stepFault(spec, state.job.defaults);
      if (fault !== undefined) throw new Error(fault);
      steps.main.push(await planStep(state, spec, index, steps));
    } catch (error) {
      throw new Error(`${spec.at.file}:${spec.at.line}: ${messageOf(error)}`, { cause: error });
    }
  }
  return steps;
}

async function planStep(state: JobState, spec: StepSpec, index: number, steps: Steps): Promise<Step> {
  const step = (work: Step['work']): Step => ({
    name: spec.name ?? `Run ${spec.uses ?? spec.run?.trimStart().split('\n')[0] ?? ''}`,
    ...(spec.id !== undefined && { id: spec.id }),
    condition: spec.if,
    env: spec.env,
    with: spec.with,
    ...(spec['continue-on-error'] !== undefined && { continueOnError: spec['continue-on-error'] }),
    ...(spec['timeout-minutes'] !== undefined && { timeoutMinutes: spec['timeout-minutes'] }),
    github: { action: spec.id ?? `__${spec.uses === undefined ? 'run' : 'action'}_${index + 1}` },
    saved: {},
    at: spec.at,
    work,
  });
  if (spec.uses === undefined) return step(scriptWork(spec, state.job.defaults));
  const reference = readReference(spec.uses);
  if (typeof reference === 'string') throw new Error(reference);
  return planAction(
    state,
    reference,
    spec.uses,
    step(async () => {}),
    steps,
  );
}

async function planAction(
  state: JobState,
  reference: ActionReference,
  uses: string,
  main: Step,
  steps: Steps,
): Promise<Step> {
  const described = (work: Step['work']) => async (run: StepRun) => {
    describe(run, uses);
    await work(run);
  };
  if (reference.kind === 'built-in') {
    const { work, post } = builtIns[reference.name];
    if (post) steps.after.unshift(afterStep(main, 'always()', post));
    return { ...main, work: described(work) };
  }
  if (reference.kind === 'local') {
    const read = () => readAction(join(state.folders.workspace, reference.path), uses);
    return { ...main, work: described(run => runLocal(run, read, main, steps)) };
  }
  const action = await readAction(await fetchAction(state, reference), uses);
  const { repository, ref } =
    reference.kind === 'self' ? { ...state.job.origin, ref: state.job.origin.sha } : reference;
  main.github = { ...main.github, action_repository: repository, action_ref: ref };
  const { pre } = action;
  if (pre !== undefined)
    steps.before.push({
      ...nameless(main),
      name: `Pre ${main.name}`,
      condition: action.preIf,
      work: run => runNodeAction(run, action, pre),
    });
  addPost(action, main, steps);
  return { ...main, work: described(run => runNodeAction(run, action, action.main)) };
}

async function runLocal(
  run: StepRun,
  read: () => Promise<NodeAction>,
  main: Step,
  steps: Steps,
): Promise<void> {
  const action = await read();
  if (action.pre !== undefined) run.warn('`pre` execution is not supported for local actions.');
  addPost(action, main, steps);
  await runNodeAction(run, action, action.main);
}

/** The last action cleans up first. */
function addPost(action: NodeAction, main: Step, steps: Steps): void {
  const { post } = action;
  if (post !== undefined)
    steps.after.unshift(afterStep(main, action.postIf, run => runNodeAction(run, action, post)));
}

/** Without the id, under which the outputs of the main part stand. */
function nameless({ id: _, continueOnError: __, timeoutMinutes: ___, ...step }: Step): Step {
  return step;
}

const afterStep = (main: Step, condition: string, work: Step['work']): Step => ({
  ...nameless(main),
  name: `Post ${main.name}`,
  condition,
  work,
});

function describe(run: StepRun, uses: string): void {
  run.write(`##[group]Run ${uses}`);
  const inputs = Object.entries(run.inputs).filter(([, value]) => value !== '');
  if (inputs.length > 0) run.write('with:');
  for (const [name, value] of inputs) run.write(`  ${name}: ${value}`);
  run.write('##[endgroup]');
}
