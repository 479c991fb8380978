// Workflows, their runs and the jobs of these.
import type { Core } from '../core.ts';

export interface Workflow {
  id: number;
  repository_id: number;
  path: string;
  name: string;
  state: 'active' | 'deleted';
  created_at: string;
  updated_at: string;
}

export interface WorkflowRun {
  id: number;
  repository_id: number;
  workflow_id: number;
  run_number: number;
  event: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  head_branch: string | null;
  head_sha: string;
  /** JSON object. */
  inputs: string;
  actor_id: number;
  created_at: string;
  updated_at: string;
  /** 1 for the first; a re-run is another one. */
  attempt: number;
  title: string;
  /** Full name: refs/heads/main */
  ref: string;
  /** Commit that it runs at: of a pull request the merge of head and base, where `head_sha` is the head. */
  sha: string;
  /** JSON of the event. */
  payload: string;
  /** Who started this attempt, where it is not who started the run. */
  triggering_actor_id: number | null;
  /** Of this attempt. */
  started_at: string | null;
  /** What this attempt runs of the one before. */
  rerun: 'all' | 'failed';
  /** JSON array of the workflows that were called by a ref, with the commit it was. */
  reference_list: string;
  /** Set by who wants it to end; whoever carries it out sees to that. */
  cancel_requested: number;
  /** Why it could not start, or ended otherwise than by its jobs. */
  message: string | null;
}

export interface Job {
  id: number;
  run_id: number;
  name: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  /** JSON arrays. */
  labels: string;
  steps: string;
  created_at: string;
  started_at: string;
  completed_at: string | null;
  attempt: number;
  /** Unique in an attempt. */
  key: string;
  /** JSON object. */
  outputs: string;
  /** Why it did not run, or failed otherwise than by a step. */
  message: string | null;
}

export const getWorkflow = (core: Core, id: number): Workflow =>
  core.db.the<Workflow>('SELECT * FROM workflows WHERE id = ?', id);

export const findRun = (core: Core, repositoryId: number, id: number): WorkflowRun | undefined =>
  core.db.one<WorkflowRun>(
    'SELECT * FROM workflow_runs WHERE repository_id = ? AND id = ?',
    repositoryId,
    id,
  );

export const jobsOfAttempt = (core: Core, runId: number, attempt: number): Job[] =>
  core.db.all<Job>('SELECT * FROM jobs WHERE run_id = ? AND attempt = ? ORDER BY id', runId, attempt);

/** See Operator. */
export const runProblems = (core: Core, runId: number): { job: string | null; message: string }[] =>
  core.db.all<{ job: string | null; message: string }>(
    `SELECT NULL AS job, message FROM workflow_runs WHERE id = ?1 AND message IS NOT NULL
     UNION ALL
     SELECT j.name, j.message FROM jobs j JOIN workflow_runs r ON r.id = j.run_id AND r.attempt = j.attempt
     WHERE r.id = ?1 AND j.message IS NOT NULL`,
    runId,
  );

/** Secrets or variables of a repository, for its workflows. */
export const actionValues = (
  core: Core,
  repositoryId: number,
  kind: 'secret' | 'variable',
): Record<string, string> =>
  Object.fromEntries(
    core.db
      .all<{ name: string; value: string }>(
        'SELECT name, value FROM action_values WHERE repository_id = ? AND kind = ?',
        repositoryId,
        kind,
      )
      .map(({ name, value }) => [name, value]),
  );

export function setActionValue(
  core: Core,
  repositoryId: number,
  kind: 'secret' | 'variable',
  name: string,
  value: string,
): void {
  core.db.run(
    `INSERT INTO action_values (repository_id, kind, name, value) VALUES (?, ?, ?, ?)
     ON CONFLICT (repository_id, kind, name) DO UPDATE SET value = excluded.value`,
    repositoryId,
    kind,
    name,
    value,
  );
}

/** An event that workflows may listen to, until it was looked at. */
export interface Trigger {
  id: number;
  repository_id: number;
  event: string;
  /** JSON. */
  payload: string;
  actor_id: number;
  /** Why it could not be looked at; it is not tried again. */
  problem: string | null;
}

export const nextTrigger = (core: Core): Trigger | undefined =>
  core.db.one<Trigger>('SELECT * FROM triggers WHERE problem IS NULL ORDER BY id LIMIT 1');

export const runsWith = (core: Core, status: WorkflowRun['status']): WorkflowRun[] =>
  core.db.all<WorkflowRun>('SELECT * FROM workflow_runs WHERE status = ? ORDER BY id', status);
