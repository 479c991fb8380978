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
}

export const getWorkflow = (core: Core, id: number): Workflow =>
  core.db.the<Workflow>('SELECT * FROM workflows WHERE id = ?', id);

export const findRun = (core: Core, repositoryId: number, id: number): WorkflowRun | undefined =>
  core.db.one<WorkflowRun>(
    'SELECT * FROM workflow_runs WHERE repository_id = ? AND id = ?',
    repositoryId,
    id,
  );
