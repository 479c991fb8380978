// Passed from planning to running: a job whose needs are done, of one matrix combination; and its result.
import type { Json } from '@echelon/ground';

/**
 * Contexts of expressions by name, as plain values. Planning gives `github`, `env`, `vars`, `inputs`, `needs`, `strategy`,
 * `matrix` and `secrets`; `steps`, `job` and `runner` are added where the job is carried out.
 */
export type Contexts = Readonly<Record<string, Json>>;

/** A place in a workflow file; line and column count from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** A step as written: its texts are templates whose expressions are not evaluated yet, `if` is a condition. */
export interface StepSpec {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  'working-directory'?: string;
  with: Record<string, string>;
  env: Record<string, string>;
  'continue-on-error'?: string;
  'timeout-minutes'?: string;
  at: Place;
}

export interface PlannedJob {
  /** Unique in the run: `issue (a1) / engineer`. */
  key: string;
  name: string;
  contexts: Contexts;
  /** Permissions of the job's token; anything absent is denied. */
  permissions: Record<string, 'read' | 'write'>;
  /** As the job or who calls it sets it; absent: the event decides. */
  cacheMode?: string | undefined;
  /** The workflow's variables and the job's, each over the one before; evaluated. */
  env: Record<string, string>[];
  /** For `run` steps; evaluated. */
  defaults: { shell?: string; 'working-directory'?: string };
  steps: StepSpec[];
  /** Templates. */
  outputs: Record<string, string>;
  timeoutMinutes: number;
  /** Of the workflow file: what `$/` means. `repository` is `owner/name`. */
  origin: { repository: string; sha: string; path: string };
}

/** The end of a step. */
export type Conclusion = 'success' | 'failure' | 'cancelled' | 'skipped';

/** A step of a job as it stands: GitHub's `steps` of a job. Times in GitHub's text form. */
export interface StepState {
  name: string;
  number: number;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: Conclusion | null;
  started_at: string | null;
  completed_at: string | null;
}

export interface JobResult {
  conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out';
  outputs: Record<string, string>;
  steps: StepState[];
}
