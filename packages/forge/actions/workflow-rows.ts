// Workflows, their runs and the jobs of these.
import { type Core, now } from '../core.ts';

export interface Workflow {
  id: number;
  repository_id: number;
  path: string;
  name: string;
  state: 'active' | 'deleted' | 'disabled_manually';
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
  /** The user who re-ran it; null for the first attempt, whose actor is the run's. */
  triggering_actor_id: number | null;
  /** Of this attempt. */
  started_at: string | null;
  /** Jobs that run again: all, or the failed ones with all that depend on them. */
  rerun: 'all' | 'failed';
  /** JSON array of the workflows that were called by a ref, with the commit it was. */
  reference_list: string;
  /** Set by who wants it to end; whoever carries it out sees to that. */
  cancel_requested: number;
  /** Error that kept the run from starting, or ended it other than through a job. */
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
  /** Error that kept the job from running, or failed it other than through a step. */
  message: string | null;
}

export const getWorkflow = (core: Core, id: number): Workflow => core.db.get<Workflow>('workflows', id);

export const findRun = (core: Core, repositoryId: number, id: number): WorkflowRun | undefined =>
  core.db.find<WorkflowRun>('workflow_runs', { repository_id: repositoryId, id });

/** A job of a run of the repository. */
export const findJob = (core: Core, repositoryId: number, id: number): Job | undefined =>
  core.db.one<Job>(
    'SELECT j.* FROM jobs j JOIN workflow_runs r ON r.id = j.run_id WHERE r.repository_id = ? AND j.id = ?',
    repositoryId,
    id,
  );

export const jobsOfAttempt = (core: Core, runId: number, attempt: number): Job[] =>
  core.db.rows<Job>('jobs', { run_id: runId, attempt });

/** See Operator. */
export const runProblems = (core: Core, runId: number): { job: string | null; message: string }[] =>
  core.db.all<{ job: string | null; message: string }>(
    `SELECT NULL AS job, message FROM workflow_runs WHERE id = ?1 AND message IS NOT NULL
     UNION ALL
     SELECT j.name, j.message FROM jobs j JOIN workflow_runs r ON r.id = j.run_id AND r.attempt = j.attempt
     WHERE r.id = ?1 AND j.message IS NOT NULL`,
    runId,
  );

/** A secret or a variable of a repository. */
export interface ActionValue {
  kind: 'secret' | 'variable';
  name: string;
  value: string;
  created_at: string;
  updated_at: string;
}

/** In the order of their names. */
export const actionValueRows = (core: Core, repositoryId: number, kind: ActionValue['kind']): ActionValue[] =>
  core.db.rows<ActionValue>('action_values', { repository_id: repositoryId, kind }, 'name');

export function setActionValue(
  core: Core,
  repositoryId: number,
  kind: ActionValue['kind'],
  name: string,
  value: string,
): void {
  core.db.run(
    `INSERT INTO action_values (repository_id, kind, name, value, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
     ON CONFLICT (repository_id, kind, name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    repositoryId,
    kind,
    name,
    value,
    now(core),
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
  /** 1 if runs started by it wait for a person's approval. */
  awaits_approval: number;
  /** Error that kept it from being processed; it is not retried. */
  problem: string | null;
}

export const nextTrigger = (core: Core): Trigger | undefined =>
  core.db.one<Trigger>('SELECT * FROM triggers WHERE problem IS NULL ORDER BY id LIMIT 1');

export const runsWith = (core: Core, status: WorkflowRun['status']): WorkflowRun[] =>
  core.db.rows<WorkflowRun>('workflow_runs', { status });
