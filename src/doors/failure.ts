// A failed program: for people, and as JSON.
import { messageOf } from '@echelon/ground';
import { TaskError } from '../engine/language/result.ts';

/** Code, what the code carries, and notes: what was finished and what was spent. Of any other error its message alone. */
export function errorJson(error: unknown): object {
  if (!(error instanceof TaskError)) return { message: messageOf(error) };
  return { ...error.detail, message: error.message, notes: error.notes };
}

/** What failed, what had been finished before, and what it cost. */
export function failureText({ code, detail, message, notes }: TaskError): string {
  const kind = detail.code === 'TASK_FAILURE' ? `${code} ${detail.reason}` : code;
  const { steps = [], dataUsage } = notes;
  return [
    `${kind}: ${message}`,
    ...(steps.length > 0 ? [`finished before: ${steps.map(({ step }) => step).join(', ')}`] : []),
    ...(dataUsage.turns > 0 ? [`${dataUsage.turns} model calls, $${dataUsage.cost_usd.toFixed(4)}`] : []),
  ].join('\n');
}
