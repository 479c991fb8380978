// Carries out one queued run of the forge, from its workflow file to its conclusion.
import { messageOf, type JsonObject } from '@echelon/ground';
import { type Act, actOf } from '../emit.ts';
import { fileAt } from './workflow-files.ts';
import { setRun } from './workflow-changes.ts';
import type { Core } from '../core.ts';
import { repositoryFolder, resolveCommit } from '../repositories/git.ts';
import { getRepository, type Repository, sharedWith } from '../repositories/repository-rows.ts';
import { getUser } from '../apps/users.ts';
import { actionValueRows, getWorkflow, type WorkflowRun } from './workflow-rows.ts';
import { checkAllowed } from './allowed-actions.ts';
import { render } from './expressions.ts';
import { type FindFile, type LoadedWorkflow, loadWorkflow } from './loaded-workflow.ts';
import { defaultPermissions, writeAll } from './permissions.ts';
import { type Frame, mostJobs } from './run-frame.ts';
import { keptJobs, type RunnerRoom, runPort } from './run-port.ts';
import { WorkflowError } from './written.ts';
import { runWorkflow } from './workflow-run.ts';

function githubContext(
  core: Core,
  repository: Repository,
  run: WorkflowRun,
  workflowName: string | undefined,
): JsonObject {
  const full = `${repository.owner}/${repository.name}`;
  const actor = getUser(core, run.actor_id);
  const { path } = getWorkflow(core, run.workflow_id);
  const event: JsonObject & { pull_request?: { head?: { ref?: string }; base?: { ref?: string } } } =
    JSON.parse(run.payload);
  // A review is of a pull request, but only events of its own name have these two, as on GitHub.
  const pull = run.event.startsWith('pull_request') ? event.pull_request : undefined;
  return {
    event,
    event_name: run.event,
    actor: actor.login,
    actor_id: String(actor.id),
    triggering_actor: getUser(core, run.triggering_actor_id ?? run.actor_id).login,
    repository: full,
    repository_id: String(repository.id),
    repository_owner: repository.owner,
    repository_owner_id: String(repository.owner_id),
    repository_visibility: repository.private ? 'private' : 'public',
    repositoryUrl: `git://${new URL(core.site).host}/${full}.git`,
    ref: run.ref,
    ref_name: run.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    ref_type: run.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    ref_protected: false,
    head_ref: pull?.head?.ref ?? '',
    base_ref: pull?.base?.ref ?? '',
    sha: run.sha,
    run_id: String(run.id),
    run_number: String(run.run_number),
    run_attempt: String(run.attempt),
    retention_days: '90',
    workflow: workflowName ?? path,
    workflow_ref: `${full}/${path}@${run.ref}`,
    workflow_sha: run.sha,
    server_url: core.site,
    api_url: core.api,
    graphql_url: `${core.site}/api/graphql`,
    secret_source: 'Actions',
  };
}

/** Never throws: a run that cannot be carried out says why. `cancel` asks it to end by its conditions. */
export async function beginRun(room: RunnerRoom, run: WorkflowRun, cancel: AbortSignal): Promise<void> {
  const { core, inTurn } = room;
  const act = actOf(core, run.repository_id, run.triggering_actor_id ?? run.actor_id);
  const latest = () => core.db.get<WorkflowRun>('workflow_runs', run.id);
  const end = (conclusion: string, message: string | null = null) =>
    inTurn(async () => {
      const now = latest();
      // One that only waited when the forge closed is taken up again when it opens.
      if (room.closing.aborted && now.status === 'queued') return;
      await setRun(act, now, { status: 'completed', conclusion, message });
    });
  const onBegin = () =>
    inTurn(async () => {
      const now = latest();
      if (now.status === 'queued') await setRun(act, now, { status: 'in_progress', conclusion: null });
    });
  try {
    const workflow = await inTurn(() => load(core, run));
    const outcome = await runWorkflow(await inTurn(() => frameOf(room, act, run, workflow, cancel, onBegin)));
    await end(outcome.result);
  } catch (error) {
    await end(error instanceof WorkflowError ? 'startup_failure' : 'failure', messageOf(error));
  }
}

async function load(core: Core, run: WorkflowRun): Promise<LoadedWorkflow> {
  const repository = getRepository(core, run.repository_id);
  const { path } = getWorkflow(core, run.workflow_id);
  const text = (await fileAt(repositoryFolder(core, repository), run.sha, path)) ?? '';
  const origin = { repository: `${repository.owner}/${repository.name}`, sha: run.sha, path };
  // Failed jobs run again with the very files of the first attempt.
  const known = run.rerun !== 'all' ? JSON.parse(run.reference_list) : [];
  const granted = grantedIn(repository);
  const find = finderFor(core, repository);
  const { workflow, references } = await loadWorkflow(origin, text, { find, granted, known });
  checkAllowed(repository, workflow);
  core.db.update('workflow_runs', run.id, { reference_list: JSON.stringify(references) });
  return workflow;
}

/** Permissions of a workflow without `permissions`. */
const grantedIn = ({ actions_write }: Repository) => (actions_write === 1 ? writeAll : defaultPermissions);

/** Finds files in the repositories of the forge. */
const finderFor =
  (core: Core, own: Repository): FindFile =>
  async (name, ref, path) => {
    const shared = sharedWith(core, own, name);
    if (!shared) return undefined;
    const folder = repositoryFolder(core, shared);
    const sha = await resolveCommit(folder, ref);
    const text = sha === undefined ? undefined : await fileAt(folder, sha, path);
    return sha === undefined || text === undefined ? undefined : { sha, text };
  };

function frameOf(
  room: RunnerRoom,
  act: Act,
  run: WorkflowRun,
  workflow: LoadedWorkflow,
  signal: AbortSignal,
  onBegin: () => Promise<void>,
): Frame {
  const { core } = room;
  const { runName, name } = workflow.file;
  const github = githubContext(core, getRepository(core, run.repository_id), run, name);
  const valuesOf = (kind: 'variable' | 'secret') =>
    Object.fromEntries(
      actionValueRows(core, run.repository_id, kind).map(({ name, value }) => [name, value]),
    );
  const [vars, secrets] = [valuesOf('variable'), valuesOf('secret')];
  const inputs = JSON.parse(run.inputs);
  const title = runName && render(runName, { contexts: { github, vars, inputs } });
  if (title) core.db.update('workflow_runs', run.id, { title });
  return {
    port: runPort(room, act, run, onBegin),
    workflow,
    keyPrefix: '',
    namePrefix: '',
    github,
    vars,
    inputs,
    secrets: () => secrets,
    granted: grantedIn(getRepository(core, run.repository_id)),
    signal,
    held: [],
    kept: keptJobs(core, run),
    left: { jobs: mostJobs },
  };
}
