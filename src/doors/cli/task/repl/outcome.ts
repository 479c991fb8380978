// Output of an entry: for people, and as JSON.
import { type Json, messageOf } from '@echelon/ground';
import { formatProblem, type Problem, TaskError, type TaskResult } from '../../../../engine/texts.ts';
import { asText } from '../../../../engine/engine.ts';
import { errorJson, failureText } from '../../../progress.ts';
import { resultText } from '../../output.ts';

/** `warnings`: of the check, told before anything ran. */
export type Outcome = { warnings: readonly string[] } & (
  | { kind: 'defined'; name: string }
  | { kind: 'result'; names: readonly string[]; result: TaskResult }
  | { kind: 'value'; name: string | undefined; value: Json }
  /** A command's answer; `data` says the same to programs. */
  | { kind: 'told'; text: string; data: unknown }
  | { kind: 'problems'; problems: readonly (Problem | string)[] }
  | { kind: 'failed'; error: unknown }
  | { kind: 'cancelled' }
  | { kind: 'left' }
);

/** Also a task that ended as FAILED: its result is bound to nothing. */
export const hasFailed = (outcome: Outcome): boolean =>
  ['problems', 'failed', 'cancelled'].includes(outcome.kind) ||
  (outcome.kind === 'result' && outcome.result.status === 'FAILED');

/** The answer, and messages beside it, as `task run` writes them to stdout and stderr. */
export function outcomeText(outcome: Outcome): { answer?: string; told?: string } {
  switch (outcome.kind) {
    case 'defined':
      return { told: `${outcome.name} is defined` };
    case 'result':
      return resultTold(outcome.result);
    case 'value':
      return { answer: asText(outcome.value) };
    case 'told':
      return { answer: outcome.text };
    case 'problems':
      return {
        told: outcome.problems
          .map(each => (typeof each === 'string' ? each : formatProblem(each)))
          .join('\n'),
      };
    case 'failed':
      return {
        told: outcome.error instanceof TaskError ? failureText(outcome.error) : messageOf(outcome.error),
      };
    case 'cancelled':
      return { told: 'cancelled' };
    case 'left':
      return {};
  }
}

function resultTold(result: TaskResult): { answer: string; told?: string } {
  const warnings = result.notes.warnings.map(warning => `warning: ${warning}`);
  const ended = result.status === 'COMPLETE' ? [] : [`the program ended as ${result.status}`];
  const told = [...warnings, ...ended].join('\n');
  return { answer: resultText(result), ...(told !== '' && { told }) };
}

/** Properties of its line with `--json`, besides the entry's number. */
export function outcomeJson(outcome: Outcome): object {
  const { warnings, kind } = outcome;
  const ok = !hasFailed(outcome);
  const more = warnings.length > 0 ? { warnings } : {};
  switch (outcome.kind) {
    case 'problems': {
      const problems = outcome.problems.map(each => (typeof each === 'string' ? { message: each } : each));
      return { ok, kind, problems, ...more };
    }
    case 'failed':
      return { ok, kind, error: errorJson(outcome.error), ...more };
    case 'told':
      return { ok, kind, told: outcome.data, ...more };
    default: {
      const { warnings: _, ...rest } = outcome;
      return { ok, ...rest, ...more };
    }
  }
}
