// Workflows as the default branch has them, and what happens to their runs.
import { readCommit } from '../commits.ts';
import { type Core, now } from '../core.ts';
import { git, repositoryFolder } from '../git.ts';
import { jobJson, runJson, workflowJson } from '../render/workflow.ts';
import { getRepository, type Repository } from '../store/repositories.ts';
import { findRun, getWorkflow, type Job, type Workflow, type WorkflowRun } from '../store/workflows.ts';
import { type By, emit } from './emit.ts';
import { branchHead } from './pulls.ts';
import { present } from '../../lib/present.ts';

const folder = '.github/workflows';

/** Text of a file at a commit; undefined where there is none. */
export async function fileAt(
  repositoryPath: string,
  commit: string,
  path: string,
): Promise<string | undefined> {
  // Git fails for a path that the commit does not have; the commit is there.
  return git(repositoryPath, ['show', `${commit}:${path}`]).catch(() => undefined);
}

/** Takes stock of the workflow files on the default branch; one that is gone there is `deleted`. */
export async function takeStock(core: Core, repository: Repository): Promise<Workflow[]> {
  const path = repositoryFolder(core, repository);
  const head = branchHead(core, repository, repository.default_branch);
  const listed = head ? await git(path, ['ls-tree', '--name-only', '-z', head, `${folder}/`]) : '';
  const files = listed.split('\0').filter(file => /\.ya?ml$/.test(file));
  const time = now(core);
  for (const file of files) {
    const text = (await fileAt(path, head ?? '', file)) ?? '';
    const name = /^name:\s*(?:(["'])(.*)\1|([^#\n]+?))\s*(?:#.*)?$/m.exec(text);
    core.db.run(
      `INSERT INTO workflows (repository_id, path, name, state, created_at, updated_at) VALUES (?, ?, ?, 'active', ?, ?)
       ON CONFLICT (repository_id, path) DO UPDATE SET name = excluded.name, state = 'active'`,
      repository.id,
      file,
      name?.[2] ?? name?.[3] ?? file,
      time,
      time,
    );
  }
  const all = core.db.all<Workflow>(
    'SELECT * FROM workflows WHERE repository_id = ? ORDER BY id',
    repository.id,
  );
  for (const gone of all.filter(each => !files.includes(each.path)))
    core.db.update('workflows', gone.id, { state: 'deleted' });
  return all.filter(each => files.includes(each.path));
}

/** Records a queued run. Nothing carries it out yet. */
export async function queueRun(
  core: Core,
  by: By,
  repository: Repository,
  workflow: Workflow,
  run: { event: string; branch: string | null; sha: string; inputs: Record<string, unknown> },
): Promise<WorkflowRun> {
  const time = now(core);
  const id = core.db.insert('workflow_runs', {
    repository_id: repository.id,
    workflow_id: workflow.id,
    run_number: core.db.count('workflow_runs WHERE workflow_id = ?', workflow.id) + 1,
    event: run.event,
    status: 'queued',
    head_branch: run.branch,
    head_sha: run.sha,
    inputs: JSON.stringify(run.inputs),
    actor_id: by.user.id,
    created_at: time,
    updated_at: time,
  });
  const queued = present(findRun(core, repository.id, id), 'the run');
  await emitRun(core, by, queued, 'requested');
  return queued;
}

/** Moves a run on, with its event. */
export async function setRun(
  core: Core,
  by: By,
  run: WorkflowRun,
  state: Pick<WorkflowRun, 'status' | 'conclusion'>,
): Promise<void> {
  core.db.update('workflow_runs', run.id, { ...state, updated_at: now(core) });
  await emitRun(core, by, present(findRun(core, run.repository_id, run.id), 'the run'), state.status);
}

async function emitRun(core: Core, by: By, run: WorkflowRun, action: string): Promise<void> {
  const repository = getRepository(core, run.repository_id);
  const head = await readCommit(repositoryFolder(core, repository), run.head_sha);
  emit(core, by, repository, 'workflow_run', action, () => ({
    workflow_run: runJson(core, repository, run, head),
    workflow: workflowJson(core, repository, getWorkflow(core, run.workflow_id)),
  }));
}

/** Adds a job to a run, or moves the one of that name on, with its event. */
export function setJob(
  core: Core,
  by: By,
  run: WorkflowRun,
  job: Pick<Job, 'name' | 'status' | 'conclusion'> & { labels: string[]; steps: unknown[] },
): Job {
  const { db } = core;
  const find = () => db.one<Job>('SELECT * FROM jobs WHERE run_id = ? AND name = ?', run.id, job.name);
  const time = now(core);
  const row = {
    ...job,
    labels: JSON.stringify(job.labels),
    steps: JSON.stringify(job.steps),
    completed_at: job.status === 'completed' ? time : null,
  };
  const known = find();
  if (known) db.update('jobs', known.id, row);
  else db.insert('jobs', { ...row, run_id: run.id, created_at: time, started_at: time });
  const repository = getRepository(core, run.repository_id);
  const changed = present(find(), 'the job');
  emit(core, by, repository, 'workflow_job', job.status, () => ({
    workflow_job: jobJson(core, repository, run, changed),
  }));
  return changed;
}
