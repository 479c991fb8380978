// Evaluates a sequence: its steps in order, the named ones bound for those after them.
import type { SequentialTask } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import { addSpent, type Notes, nothingSpent, TaskError, type TaskResult } from '../language/result.ts';
import { boundResult } from './inputs.ts';
import type { Context } from './options.ts';

type Steps = NonNullable<Notes['steps']>;

/** Characters of content that a sequence's history keeps; older steps keep their notes only. */
const HISTORY_LIMIT = 1_048_576;

export async function runSequential(
  task: SequentialTask,
  environment: Environment,
  key: string,
  context: Context,
): Promise<TaskResult> {
  const steps: Steps = [];
  const finished = history(steps);
  let spent = nothingSpent;
  let visible = environment;
  let last: TaskResult | undefined;
  for (const [index, step] of task.steps.entries()) {
    context.signal.throwIfAborted();
    const name = step.name ?? `step ${index + 1}`;
    const judged = task.steps
      .slice(index + 1)
      .some(later => later.type === 'atomic' && later.subtype === 'evaluator');
    try {
      const { messages: _messages, ...result } = await context.run(
        step,
        visible,
        `${key}/step-${index + 1}`,
        context,
        judged,
      );
      spent = addSpent(spent, result.notes);
      if (result.status === 'FAILED')
        throw new TaskError(
          { code: 'TASK_FAILURE', reason: 'failed' },
          `${name} ended as failed: ${result.content.slice(0, 500)}`,
        );
      last = result;
      finished.add(name, result);
      if (step.name !== undefined) visible = visible.extend([[step.name, boundResult(result)]]);
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      throw error.with({ ...spent, steps: [...steps, ...innerSteps(error, name)] }, name);
    }
  }
  if (!last) throw new TypeError('a sequence without steps passed the check');
  return { ...last, notes: { ...last.notes, ...spent, steps } };
}

/** Keeps `steps` within the limit as they come: the oldest lose their content first, the last one never does. */
function history(steps: Steps): { add: (step: string, result: TaskResult) => void } {
  let size = 0;
  let oldest = 0;
  return {
    add(name, result) {
      steps.push({ step: name, result });
      size += result.content.length;
      for (; size > HISTORY_LIMIT && oldest < steps.length - 1; oldest++) {
        const { step, result: old } = steps[oldest]!;
        const warnings = [...old.notes.warnings, `${old.content.length} characters of content were left out`];
        steps[oldest] = {
          step,
          result: { ...old, content: '', outputs: {}, notes: { ...old.notes, warnings } },
        };
        size -= old.content.length;
      }
    },
  };
}

/** The finished steps of an inner sequence that failed, named after it. */
function innerSteps(error: TaskError, name: string): Steps {
  return (error.notes.steps ?? []).map(({ step, result }) => ({ step: `${name}/${step}`, result }));
}
