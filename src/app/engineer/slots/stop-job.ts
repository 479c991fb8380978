// A job that is ended before it reports: what it had paid for counts all the same.
import { messageOf } from '@echelon/ground';
import type { EngineerContext } from './context.ts';

/** Ends the job `op`, as the step `key`. Answers why it could not be ended. */
export async function stopJob(
  { step, jobs, emit, outstanding }: Pick<EngineerContext, 'step' | 'jobs' | 'emit' | 'outstanding'>,
  { key, op, issue }: { key: string; op: string; issue: number },
): Promise<string | undefined> {
  const stopped = await step(key, () => jobs.stop(op).catch(messageOf));
  // One that the run waits for no more has been counted.
  const counts = outstanding.delete(op);
  if (typeof stopped === 'string') return stopped;
  if (!counts) return undefined;
  const { cost_usd: usd, model_calls } = stopped;
  emit({ change: 'spent', usd, issue, model_calls });
  return undefined;
}
