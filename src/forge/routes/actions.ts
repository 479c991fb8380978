// GitHub Actions: workflows, dispatching one, runs and their jobs.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { fileAt, queueRun, setJob, setRun, takeStock } from '../changes/workflows.ts';
import { readCommit } from '../commits.ts';
import type { Value } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import { page, pageOf } from '../page.ts';
import { jobJson, runJson, workflowJson } from '../render/workflow.ts';
import {
  type Answer,
  noContent,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { findRun, type Job, type Workflow, type WorkflowRun } from '../store/workflows.ts';
import { commitOf } from './commits.ts';

const actionsRead = ['actions:read'];
const writer: Need = { role: 'write', scopes: ['actions:write'] };

/** GitHub's limits of a dispatch: inputs, and characters of all of them. */
const mostInputs = 25;
const longestInputs = 65_535;

const dispatch = z.object({
  ref: z.string(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  return_run_details: z.boolean().default(false),
});

/** The workflow of the path: by id or by file name. */
async function workflowOf(call: RepositoryCall): Promise<Workflow> {
  const named = call.params['workflow_id'] ?? '';
  const found = (await takeStock(call.core, call.repository)).find(
    ({ id, path }) => String(id) === named || path === `.github/workflows/${named}` || path === named,
  );
  if (!found) throw notFound();
  return found;
}

async function dispatchWorkflow(call: WriteCall): Promise<Answer> {
  const { core, repository } = call;
  const workflow = await workflowOf(call);
  const { ref, inputs, return_run_details } = parse(call, 'WorkflowDispatch', dispatch);
  const branch = ref.replace(/^refs\/(heads|tags)\//, '');
  const sha = await commitOf(call, branch);
  if (sha === undefined) throw new ApiError(422, `No ref found for: ${ref}`);
  const text = await fileAt(call.folder, sha, workflow.path);
  if (text === undefined || !/\bworkflow_dispatch\b/.test(text))
    throw new ApiError(422, "Workflow does not have 'workflow_dispatch' trigger");
  if (Object.keys(inputs).length > mostInputs)
    throw new ApiError(422, `you may only define up to ${mostInputs} inputs`);
  if (JSON.stringify(inputs).length > longestInputs) throw new ApiError(422, 'inputs are too large.');
  const run = await queueRun(core, call.by, repository, workflow, {
    event: 'workflow_dispatch',
    branch,
    sha,
    inputs,
  });
  if (!return_run_details) return noContent();
  const { url, html_url } = await showRun(call, run);
  return ok({ workflow_run_id: run.id, run_url: url, html_url });
}

function runOf(call: RepositoryCall): WorkflowRun {
  const run = findRun(call.core, call.repository.id, Number(call.params['run_id']));
  if (!run) throw notFound();
  return run;
}

const showRun = async (call: RepositoryCall, run: WorkflowRun) =>
  runJson(call.core, call.repository, run, await readCommit(call.folder, run.head_sha));

async function listRuns(call: RepositoryCall, workflow?: Workflow): Promise<Answer> {
  const { core, repository, query } = call;
  const conditions = ['repository_id = ?'];
  const values: Value[] = [repository.id];
  const add = (condition: string, value: Value) => {
    conditions.push(condition);
    values.push(value);
  };
  if (workflow) add('workflow_id = ?', workflow.id);
  for (const [name, column] of [
    ['branch', 'head_branch'],
    ['event', 'event'],
    ['head_sha', 'head_sha'],
  ] as const) {
    const value = query.get(name);
    if (value) add(`${column} = ?`, value);
  }
  const status = query.get('status');
  // GitHub takes a conclusion here as well.
  if (status) add('coalesce(conclusion, status) = ?', status);
  const from = `workflow_runs WHERE ${conditions.join(' AND ')}`;
  let runs: WorkflowRun[] = [];
  const total = core.db.count(from, ...values);
  const answer = page(call, total, (limit, offset) => {
    runs = core.db.all<WorkflowRun>(
      `SELECT * FROM ${from} ORDER BY id DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return [];
  });
  const workflow_runs = await Promise.all(runs.map(run => showRun(call, run)));
  return { ...answer, body: { total_count: total, workflow_runs } };
}

const jobsOf = (call: RepositoryCall, run: WorkflowRun): Job[] =>
  call.core.db.all<Job>('SELECT * FROM jobs WHERE run_id = ? ORDER BY id', run.id);

async function cancel(call: WriteCall): Promise<Answer> {
  const { core, by } = call;
  const run = runOf(call);
  if (run.status === 'completed') throw new ApiError(409, 'Cannot cancel a workflow run that is completed.');
  for (const job of jobsOf(call, run).filter(each => each.status !== 'completed'))
    setJob(core, by, run, {
      name: job.name,
      labels: JSON.parse(job.labels),
      steps: JSON.parse(job.steps),
      status: 'completed',
      conclusion: 'cancelled',
    });
  await setRun(core, by, run, { status: 'completed', conclusion: 'cancelled' });
  return { status: 202, body: {} };
}

export const actionRoutes: Route[] = [
  read('/actions/workflows', actionsRead, async call => {
    const all = await takeStock(call.core, call.repository);
    return pageOf(
      call,
      all.map(workflow => workflowJson(call.core, call.repository, workflow)),
      workflows => ({ total_count: all.length, workflows }),
    );
  }),
  read('/actions/workflows/{workflow_id}', actionsRead, async call =>
    ok(workflowJson(call.core, call.repository, await workflowOf(call))),
  ),
  write('POST', '/actions/workflows/{workflow_id}/dispatches', writer, dispatchWorkflow),
  read('/actions/workflows/{workflow_id}/runs', actionsRead, async call =>
    listRuns(call, await workflowOf(call)),
  ),
  read('/actions/runs', actionsRead, call => listRuns(call)),
  read('/actions/runs/{run_id}', actionsRead, async call => ok(await showRun(call, runOf(call)))),
  write('POST', '/actions/runs/{run_id}/cancel', writer, cancel),
  read('/actions/runs/{run_id}/jobs', actionsRead, call => {
    const run = runOf(call);
    const all = jobsOf(call, run);
    return pageOf(
      call,
      all.map(job => jobJson(call.core, call.repository, run, job)),
      jobs => ({ total_count: all.length, jobs }),
    );
  }),
  read('/actions/jobs/{job_id}', actionsRead, call => {
    const job = call.core.db.one<Job>('SELECT * FROM jobs WHERE id = ?', Number(call.params['job_id']));
    const run = job && findRun(call.core, call.repository.id, job.run_id);
    if (!job || !run) throw notFound();
    return ok(jobJson(call.core, call.repository, run, job));
  }),
];
