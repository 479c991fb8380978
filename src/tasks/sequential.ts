// Evaluates a sequence: its steps in order, the named ones bound for those after them.
import type { SequentialTask, Task } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import { addSpent, nothingSpent, TaskError, type TaskResult, withoutTemplate } from '../language/result.ts';
import { placeWithin } from './context.ts';
import { createHistory, finishedBefore, type Steps } from './history.ts';
import { boundResult } from './inputs.ts';
import { joined } from './memory/relevant.ts';
import type { Evaluator, Place } from './place.ts';

/** The last step's result; what all steps ended with is in its notes, and in those of the error of a failed one. */
export async function runSequential(
  task: SequentialTask,
  place: Place,
  evaluator: Evaluator,
): Promise<TaskResult> {
  const history = createHistory();
  const within = await placeWithin(task, place, evaluator, 'subset');
  const lastJudge = task.steps.findLastIndex(step => step.type === 'atomic' && step.subtype === 'evaluator');
  let spent = nothingSpent;
  let visible = place.environment.extend([]);
  let last: TaskResult | undefined;
  for (let index = 0; index < task.steps.length; index++) {
    const step = task.steps[index]!;
    if (step.type === 'function') {
      const closure = { task: step, environment: visible };
      visible = visible.bind(step.name, { text: '', fields: {}, value: null, closure });
      continue;
    }
    place.signal.throwIfAborted();
    const name = step.name ?? `step ${index + 1}`;
    const inner: Place = {
      environment: visible,
      key: `${place.key}/step-${index + 1}`,
      signal: place.signal,
      ledger: place.ledger,
      context: within.context,
      inherit: within.inherit,
      earlier: earlierFor(task, within, history.steps),
      previous: last ?? place.previous,
      judged: index < lastJudge,
      calls: place.calls,
      recoveries: place.recoveries,
      sessions: place.sessions,
    };
    try {
      last = await evaluator.run(step, inner);
      spent = addSpent(spent, last.notes);
      if (last.status === 'FAILED')
        throw new TaskError(
          { code: 'TASK_FAILURE', reason: 'failed' },
          `${name} ended as failed: ${last.content.slice(0, 500)}`,
        );
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      throw error.with({ ...spent, steps: finishedBefore(error, history.steps, name) }, name);
    }
    history.add(name, last);
    visible = bindStep(step, last, visible);
  }
  if (!last) throw new TypeError('a sequence without steps passed the check');
  const { notes } = last;
  return { ...last, notes: { ...withoutTemplate(notes), ...spent, steps: history.steps } };
}

function bindStep(step: Task, result: TaskResult, environment: Environment): Environment {
  const slot = step.type === 'atomic' ? step.outputSlot : undefined;
  if (step.name === undefined && slot === undefined) return environment;
  const bound = boundResult(result);
  const named = step.name === undefined ? environment : environment.bind(step.name, bound);
  return slot === undefined ? named : named.bind(slot, bound);
}

/** What the next step sees of earlier outputs: those before the sequence, then, where it accumulates, its own. */
function earlierFor({ context }: SequentialTask, { earlier }: Place, steps: Steps): string | undefined {
  if (!context.accumulate || steps.length === 0) return earlier;
  const own = steps.map(({ step, result }) => `## ${step}\n${outputOf(result, context.format)}`);
  return joined(earlier ?? '', ...own);
}

/** The whole output, typed outputs included; or the notes alone, which is also what is left of an old step. */
function outputOf(
  { content, outputs, notes }: TaskResult,
  format: SequentialTask['context']['format'],
): string {
  const named = Object.keys(outputs).length === 0 ? '' : `Outputs: ${JSON.stringify(outputs)}`;
  const output = [content, named].filter(part => part !== '').join('\n');
  const warnings = notes.warnings.length > 0 ? { warnings: notes.warnings } : {};
  if (format === 'full_output' && output !== '') return output;
  return JSON.stringify({ ...notes.model, ...warnings });
}
