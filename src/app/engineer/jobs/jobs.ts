// Interface to jobs, on this machine or on runners: start, read, end; and the report of one that could not
// write its own.
import type { AnyJobSpec, BaseTestsSpec, JobSpec } from './job-spec.ts';
import type { AnyJobReport, JobReport, JobSpent } from './report-spec.ts';

/** State of a job, as its folder shows it. */
export type JobState = { state: 'absent' | 'living' | 'gone' } | { state: 'finished'; report: AnyJobReport };

/** The place where jobs run. Starting one whose report is there, or that still lives, starts nothing. */
export interface Jobs {
  start(spec: AnyJobSpec): Promise<void>;
  read(spec: AnyJobSpec): Promise<JobState>;
  /** Ends the job and everything it started, at once. Answers what it had paid for, as far as that is known here by then. */
  stop(op: string): Promise<JobSpent>;
  /** Has a job that runs hear this before its model's next turn; absent: jobs here hear nothing before they end. */
  tell?(op: string, guidance: string): Promise<void>;
  /**
   * Runs one at once and leaves nothing of it; throws only the signal's reason. Absent: jobs here begin when the program
   * waits.
   */
  now?(spec: BaseTestsSpec, signal: AbortSignal): Promise<AnyJobReport>;
  /** Ends all jobs of a directive that this place knows of, at once. */
  stopOf(directive: number): Promise<void>;
  /** The folder in which the job has left its bundle, on this machine. */
  folder(op: string): string | Promise<string>;
  /** Time at which the folder is removed by itself (milliseconds since the epoch); absent: it stays. */
  keptUntil?(op: string): Promise<number | undefined>;
  /** Hands out together what was asked to start. `outstanding`: what the run still waits for, by operation key. */
  handOut?(outstanding: ReadonlyMap<string, AnyJobSpec>): Promise<void>;
}

type Failed = Extract<JobReport, { kind: 'failed' }>;

/** `known`: what is known of it all the same. */
export const failedReport = (
  why: Pick<Failed, 'class' | 'feedback'>,
  known: Partial<Pick<Failed, 'log_tail' | 'cost_usd' | 'model_calls'>> & {
    isolation?: JobSpec['isolation'];
  } = {},
): JobReport => ({
  kind: 'failed',
  ...why,
  log_tail: '',
  partial: false,
  rounds: 0,
  cost_usd: 0,
  model_calls: 0,
  tests: null,
  sessions: [],
  isolation: 'none',
  ms: 0,
  ...known,
});
