// What tasks in a row ended with: kept by the evaluator, capped, and no part of any model's window.
import type { Notes, TaskError, TaskResult } from '../language/result.ts';

export type Steps = NonNullable<Notes['steps']>;

/** Characters that a history keeps, whole results and notes together. */
const HISTORY_LIMIT = 1_048_576;
/** Characters that an entry counts for besides what is measured: its name, status and numbers. */
const ENTRY_SIZE = 500;

export interface History {
  readonly steps: Steps;
  add(step: string, result: TaskResult): void;
}

/**
 * Keeps within the limit as results come: the oldest lose their content, outputs and logs first and then go
 * altogether; the last never does. What the parts of a part ended with is not kept.
 */
export function createHistory(): History {
  const steps: Steps = [];
  const sizes: Size[] = [];
  let size = 0;
  let whole = 0; // entries before it have lost their content
  return {
    steps,
    add(step, result) {
      const own = withoutSteps(result);
      const added = sizeOf(own);
      steps.push({ step, result: own });
      sizes.push(added);
      size += added.content + added.notes;
      for (; size > HISTORY_LIMIT && whole < steps.length - 1; whole++) {
        const entry = steps[whole]!;
        const { content, notes } = sizes[whole]!;
        size -= content;
        sizes[whole] = { content: 0, notes };
        steps[whole] = { step: entry.step, result: withoutContent(entry.result, content) };
      }
      while (size > HISTORY_LIMIT && steps.length > 1) {
        // In one go, so that a long sequence does not move the rest at every step.
        const gone = Math.min(steps.length - 1, Math.ceil(steps.length / 4));
        steps.splice(0, gone);
        for (const each of sizes.splice(0, gone)) size -= each.content + each.notes;
        whole = Math.max(0, whole - gone);
      }
    },
  };
}

/** In characters: what can be left out of an entry, and what stays. */
interface Size {
  content: number;
  notes: number;
}

function sizeOf({ content, outputs, notes: { model, script, attempts, substeps } }: TaskResult): Size {
  let left = content.length;
  let stays = ENTRY_SIZE;
  for (const _ in outputs) {
    left += JSON.stringify(outputs).length;
    break;
  }
  if (script) left += script.stdout.length + script.stderr.length;
  for (const each of [model, attempts, substeps]) if (each) stays += JSON.stringify(each).length;
  return { content: left, notes: stays };
}

function withoutSteps(result: TaskResult): TaskResult {
  if (!result.notes.steps) return result;
  const { steps, ...notes } = result.notes;
  return { ...result, notes: { ...notes, substeps: steps.map(({ step }) => step) } };
}

function withoutContent(result: TaskResult, characters: number): TaskResult {
  const { notes } = result;
  const { script } = notes;
  const warnings = [...notes.warnings, `${characters} characters of content were left out`];
  const logs = script && { script: { ...script, stdout: '', stderr: '' } };
  return { ...result, content: '', outputs: {}, notes: { ...notes, ...logs, warnings } };
}

/** What was finished when `error` came, with what a failed part had itself finished, named after it; capped, too. */
export function finishedBefore(error: TaskError, steps: Steps, failed: string): Steps {
  const history = createHistory();
  for (const { step, result } of steps) history.add(step, result);
  for (const { step, result } of error.notes.steps ?? []) history.add(`${failed}/${step}`, result);
  return history.steps;
}
