// The report of a job that could not write one.
import type { JobReport } from './report-spec.ts';
import type { JobSpec } from './job-spec.ts';

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
