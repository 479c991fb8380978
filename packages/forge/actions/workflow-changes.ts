// Changes of workflow runs and their jobs.
import { readCommit } from '../repositories/commits.ts';
import { now } from '../core.ts';
import { forbidden } from '../errors.ts';
import { repositoryFolder } from '../repositories/git.ts';
import { jobJson, runJson, workflowJson } from './workflow-json.ts';
import { getWorkflow, type Job, jobsOfAttempt, type Workflow, type WorkflowRun } from './workflow-rows.ts';
import { type Act, emit } from '../emit.ts';
import { actionsAppId } from '../apps/app-rows.ts';
import { emitSuite } from '../checks/checks.ts';
import { present } from '@echelon/ground';

/** Data of a run at its request. */
export interface RunRequest {
  event: string;
  /** The event's payload. */
  payload: Record<string, unknown>;
  title: string;
  branch: string | null;
  /** Full name. */
  ref: string;
  /** Commit whose workflow file runs, and the one that the run is shown with. */
  sha: string;
  headSha: string;
  inputs: Record<string, unknown>;
  /** It begins when a person approves it. */
  awaitsApproval?: boolean;
}

/** GitHub's state of a run that waits for approval: nothing of it has run. */
const awaiting = { status: 'completed', conclusion: 'action_required' };

/** Starts a run that waits for approval; 403 for any other. */
export async function approveRun(act: Act, run: WorkflowRun): Promise<void> {
  if (run.conclusion !== awaiting.conclusion)
    throw forbidden('This run is not from a fork pull request or queued by a Copilot coding agent.');
  await setRun(act, run, { status: 'queued', conclusion: null });
}

/** Records a queued run, which is carried out where the forge has a runner. */
export async function queueRun(act: Act, workflow: Workflow, run: RunRequest): Promise<WorkflowRun> {
  const { core, by, repository } = act;
  const time = now(core);
  const queued = core.db.add<WorkflowRun>('workflow_runs', {
    repository_id: repository.id,
    workflow_id: workflow.id,
    run_number: core.db.count('workflow_runs WHERE workflow_id = ?', workflow.id) + 1,
    event: run.event,
    payload: JSON.stringify(run.payload),
    title: run.title,
    ...(run.awaitsApproval ? awaiting : { status: 'queued' }),
    head_branch: run.branch,
    head_sha: run.headSha,
    ref: run.ref,
    sha: run.sha,
    inputs: JSON.stringify(run.inputs),
    actor_id: by.user.id,
    created_at: time,
    updated_at: time,
    started_at: time,
  });
  await emitRun(act, queued, 'requested');
  return queued;
}

/** Queues a completed run once more: all of it, or what failed, or one job; and what comes after those. */
export async function queueAgain(act: Act, run: WorkflowRun, rerun: WorkflowRun['rerun']): Promise<void> {
  const again = {
    attempt: run.attempt + 1,
    rerun,
    triggering_actor_id: act.by.user.id,
    status: 'queued',
    conclusion: null,
    message: null,
    cancel_requested: 0,
    started_at: now(act.core),
  } as const;
  await setRun(act, run, again, 'requested');
}

/** Moves a run on, with its event. */
export async function setRun(
  act: Act,
  run: WorkflowRun,
  state: Partial<WorkflowRun> & Pick<WorkflowRun, 'status' | 'conclusion'>,
  action: string = state.status,
): Promise<void> {
  const { core } = act;
  core.db.update('workflow_runs', run.id, { ...state, updated_at: now(core) });
  await emitRun(act, core.db.get<WorkflowRun>('workflow_runs', run.id), action);
}

async function emitRun(act: Act, run: WorkflowRun, action: string): Promise<void> {
  const { core, repository } = act;
  const head = await readCommit(repositoryFolder(core, repository), run.head_sha);
  emit(act, 'workflow_run', action, core => ({
    workflow_run: runJson(core, repository, run, head),
    workflow: workflowJson(core, repository, getWorkflow(core, run.workflow_id)),
  }));
  if (action === 'completed') emitSuite(act, { ...run, app_id: actionsAppId });
}

type JobState = Pick<Job, 'key' | 'name' | 'status' | 'conclusion' | 'message'> & {
  labels: string[];
  steps: unknown[];
  outputs: Record<string, string>;
};

/** Adds a job to the run's attempt, or moves the one of that key on, with its event. */
export function setJob(act: Act, run: WorkflowRun, job: JobState): Job {
  const { core } = act;
  const { db } = core;
  const find = () => db.find<Job>('jobs', { run_id: run.id, attempt: run.attempt, key: job.key });
  const time = now(core);
  const known = find();
  const row = {
    ...job,
    labels: JSON.stringify(job.labels.length > 0 || !known ? job.labels : JSON.parse(known.labels)),
    steps: JSON.stringify(job.steps),
    outputs: JSON.stringify(job.outputs),
    ...(job.status === 'in_progress' && { started_at: time }),
    completed_at: job.status === 'completed' ? time : null,
  };
  if (known) db.update('jobs', known.id, row);
  else
    db.insert('jobs', { created_at: time, started_at: time, ...row, run_id: run.id, attempt: run.attempt });
  const changed = present(find(), 'the job');
  emitJob(act, run, changed);
  return changed;
}

function emitJob(act: Act, run: WorkflowRun, job: Job): void {
  const { repository } = act;
  emit(act, 'workflow_job', job.status, core => ({
    workflow_job: jobJson(core, repository, run, job),
  }));
}

/** Ends a run whose jobs nobody carries out any more, and those jobs. */
export async function endRun(act: Act, run: WorkflowRun): Promise<void> {
  const { core } = act;
  for (const job of jobsOfAttempt(core, run.id, run.attempt).filter(each => each.status !== 'completed')) {
    const end = { status: 'completed', conclusion: 'cancelled', completed_at: now(core) } as const;
    core.db.update('jobs', job.id, end);
    emitJob(act, run, { ...job, ...end });
  }
  await setRun(act, run, { status: 'completed', conclusion: 'cancelled' });
}
