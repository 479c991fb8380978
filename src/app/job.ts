// Jobs, in their own process: what they are given, what they report.
import type { carryOut } from './engineer/attempt/candidates.ts';
export { folderBeside, journalFile, MAX_BYTES } from './engineer/attempt/attempt-journal.ts';
export { groundsIn, setupKey } from './engineer/attempt/ground.ts';
export { runBaseTests } from './engineer/attempt/tests-at.ts';
export type { JobHost } from './engineer/attempt/workplace.ts';
export { runIntegration } from './engineer/integration/integration-job.ts';
export { AnyJobSpec, type BaseTestsSpec, type JobSpec } from './engineer/jobs/job-spec.ts';
export type { AnyJobReport, BaseTestsReport, JobReport } from './engineer/jobs/report-spec.ts';
export { JobProgress, JobSpent } from './engineer/jobs/report-spec.ts';

/** Works an issue. It alone loads the engine: tests at the base start beside the first layer, and quickly. */
export const workIssue: typeof carryOut = async (...job) =>
  (await import('./engineer/attempt/candidates.ts')).carryOut(...job);
