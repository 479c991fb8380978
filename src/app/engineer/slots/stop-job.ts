// A job that is ended before it reports: what it had paid for counts all the same.
import { messageOf } from '@echelon/ground';
import type { IssueView } from '../../comments/view.ts';
import type { EngineerContext } from './context.ts';

/** Ends the job `op`, as the step `key`. Answers why it could not be ended. */
export async function stopJob(
  { step, jobs, view, outstanding }: Pick<EngineerContext, 'step' | 'jobs' | 'view' | 'outstanding'>,
  { key, op, issue }: { key: string; op: string; issue: IssueView | undefined },
): Promise<string | undefined> {
  const stopped = await step(key, () => jobs.stop(op).catch(messageOf));
  // One that the run waits for no more has been counted.
  const counts = outstanding.delete(op);
  if (typeof stopped === 'string') return stopped;
  if (!counts) return undefined;
  view.cost_usd += stopped.cost_usd;
  if (issue) {
    issue.cost_usd += stopped.cost_usd;
    issue.model_calls += stopped.model_calls;
  }
  return undefined;
}
