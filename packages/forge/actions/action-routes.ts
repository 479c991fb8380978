// GitHub Actions: workflows, dispatching one, runs and their jobs.
import type { Need } from '../auth.ts';
import { takeStock } from './workflow-files.ts';
import { approveRun, endRun, queueAgain } from './workflow-changes.ts';
import { now } from '../core.ts';
import { readCommit } from '../repositories/commits.ts';
import { ApiError, found, notFound } from '../errors.ts';
import { pageOfAll, pageOfRows } from '../page.ts';
import { jobJson, runJson, workflowJson } from './workflow-json.ts';
import { created, noContent, ok, type RepositoryCall, read, type WriteCall, write } from '../route.ts';
import {
  findJob,
  findRun,
  type Job,
  jobsOfAttempt,
  type Workflow,
  type WorkflowRun,
} from './workflow-rows.ts';
import { dispatch } from './dispatch.ts';

const actionsRead = ['actions:read'];
const writer: Need = { role: 'write', scopes: ['actions:write'] };

/** The workflow of the path: by id or by file name. */
async function workflowOf(call: RepositoryCall): Promise<Workflow> {
  const named = call.params['workflow_id'] ?? '';
  const all = await takeStock(call.core, call.repository);
  return found(
    all.find(({ id, path }) => [String(id), path, path.replace('.github/workflows/', '')].includes(named)),
  );
}

async function dispatchWorkflow(call: WriteCall) {
  const { run, wantsDetails } = await dispatch(call, await workflowOf(call));
  if (!wantsDetails) return noContent();
  const { url, html_url } = await showRun(call, run);
  return ok({ workflow_run_id: run.id, run_url: url, html_url });
}

/** A run of the repository, the one of the path where none is named; 404 for another repository's. */
export function runOf(call: RepositoryCall, id = Number(call.params['run_id'])): WorkflowRun {
  return found(findRun(call.core, call.repository.id, id));
}

/** The job of the path, with its run; 404 for another repository's. */
export function jobOf(call: RepositoryCall): { job: Job; run: WorkflowRun } {
  const job = found(findJob(call.core, call.repository.id, Number(call.params['job_id'])));
  return { job, run: runOf(call, job.run_id) };
}

const showRun = async (call: RepositoryCall, run: WorkflowRun) =>
  runJson(call.core, call.repository, run, await readCommit(call.folder, run.head_sha));

function listRuns(call: RepositoryCall, workflow?: Workflow) {
  const { repository, query } = call;
  const asked = {
    repository_id: repository.id,
    workflow_id: workflow?.id ?? null,
    head_branch: query.get('branch'),
    event: query.get('event'),
    head_sha: query.get('head_sha'),
    // GitHub takes a conclusion here as well.
    'coalesce(conclusion, status)': query.get('status'),
  };
  const given = Object.entries(asked).filter(([, value]) => value);
  const from = `workflow_runs WHERE ${given.map(([column]) => `${column} = ?`).join(' AND ')}`;
  const rows = { from, values: given.map(([, value]) => value), order: 'id DESC', name: 'workflow_runs' };
  return pageOfRows<WorkflowRun>(call, rows, run => showRun(call, run));
}

/** A page of the jobs of an attempt, or of all: `filter=all`. */
function listJobs(call: RepositoryCall, attempt?: number) {
  const run = runOf(call);
  if (attempt !== undefined && !(attempt >= 1 && attempt <= run.attempt)) throw notFound();
  const attempts =
    attempt === undefined && call.query.get('filter') === 'all'
      ? Array.from({ length: run.attempt }, (_each, index) => index + 1)
      : [attempt ?? run.attempt];
  const all = attempts.flatMap(each => jobsOfAttempt(call.core, run.id, each));
  return pageOfAll(call, all, job => jobJson(call.core, call.repository, run, job), 'jobs');
}

async function cancel(call: WriteCall) {
  const { core } = call;
  const run = runOf(call);
  if (run.status === 'completed') throw new ApiError(409, 'Cannot cancel a workflow run that is completed.');
  // A runner asks for each job whether its run was cancelled.
  if (core.runsWorkflows) core.db.update('workflow_runs', run.id, { cancel_requested: true });
  else await endRun(call, run);
  return { status: 202, body: {} };
}

async function again(call: WriteCall, run: WorkflowRun, what: 'all' | 'failed') {
  const { core } = call;
  if (run.status !== 'completed') throw new ApiError(403, 'This workflow is already running');
  const failed = jobsOfAttempt(core, run.id, run.attempt).some(job => job.conclusion !== 'success');
  if (what === 'failed' && !failed)
    throw new ApiError(403, 'This workflow run cannot be retried: no job of it failed');
  await queueAgain(call, run, what);
  return created({});
}

async function setState(call: WriteCall, state: Workflow['state']) {
  const workflow = await workflowOf(call);
  call.core.db.update('workflows', workflow.id, { state, updated_at: now(call.core) });
  return noContent();
}

export const actionRoutes = [
  read('/actions/workflows', actionsRead, async call => {
    const { core, repository } = call;
    const all = await takeStock(core, repository);
    return pageOfAll(call, all, workflow => workflowJson(core, repository, workflow), 'workflows');
  }),
  read('/actions/workflows/{workflow_id}', actionsRead, async call =>
    ok(workflowJson(call.core, call.repository, await workflowOf(call))),
  ),
  write('PUT', '/actions/workflows/{workflow_id}/disable', writer, call =>
    setState(call, 'disabled_manually'),
  ),
  write('PUT', '/actions/workflows/{workflow_id}/enable', writer, call => setState(call, 'active')),
  write('POST', '/actions/workflows/{workflow_id}/dispatches', writer, dispatchWorkflow),
  read('/actions/workflows/{workflow_id}/runs', actionsRead, async call =>
    listRuns(call, await workflowOf(call)),
  ),
  read('/actions/runs', actionsRead, call => listRuns(call)),
  read('/actions/runs/{run_id}', actionsRead, async call => ok(await showRun(call, runOf(call)))),
  write('POST', '/actions/runs/{run_id}/approve', writer, async call => {
    await approveRun(call, runOf(call));
    return created({});
  }),
  write('POST', '/actions/runs/{run_id}/cancel', writer, cancel),
  write('POST', '/actions/runs/{run_id}/rerun', writer, call => again(call, runOf(call), 'all')),
  write('POST', '/actions/runs/{run_id}/rerun-failed-jobs', writer, call =>
    again(call, runOf(call), 'failed'),
  ),
  read('/actions/runs/{run_id}/jobs', actionsRead, call => listJobs(call)),
  read('/actions/runs/{run_id}/attempts/{attempt_number}/jobs', actionsRead, call =>
    listJobs(call, Number(call.params['attempt_number'])),
  ),
  read('/actions/runs/{run_id}/attempts/{attempt_number}', actionsRead, async call => {
    const run = runOf(call);
    // Of the attempts before only their jobs are kept.
    if (Number(call.params['attempt_number']) !== run.attempt) throw notFound();
    return ok(await showRun(call, run));
  }),
  read('/actions/jobs/{job_id}', actionsRead, call => {
    const { job, run } = jobOf(call);
    return ok(jobJson(call.core, call.repository, run, job));
  }),
];
