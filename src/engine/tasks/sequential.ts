// Evaluates a sequence: its steps in order, the named ones bound for those after them.
import type { SequentialTask, Task } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import {
  addSpent,
  nothingSpent,
  TaskError,
  type TaskResult,
  throwIfFailed,
  withoutTemplate,
} from '../language/result.ts';
import { placeWithin } from './context.ts';
import { withSteps, createHistory, finishedBefore, type Steps } from './history.ts';
import { failedResult, isAskedOf } from './failure.ts';
import { boundFunction, boundResult } from './inputs.ts';
import type { TaskPlace } from './task-place.ts';

/** The last step's result; what all steps ended with is in its notes, and in those of the error of a failed one. */
export async function runSequential(task: SequentialTask, place: TaskPlace): Promise<TaskResult> {
  const history = createHistory();
  const within = await placeWithin(task, place, 'subset');
  const lastStep = task.steps.findLastIndex(step => step.type !== 'function');
  const showsNotes = task.context.accumulate && task.context.format === 'notes_only';
  let spent = nothingSpent;
  let visible = place.environment;
  let last: TaskResult | undefined;
  for (let index = 0; index < task.steps.length; index++) {
    const step = task.steps[index]!;
    if (step.type === 'function') {
      visible = visible.extend([[step.name, boundFunction(step, visible)]]);
      continue;
    }
    place.signal.throwIfAborted();
    const name = step.name ?? `step ${index + 1}`;
    const inner: TaskPlace = {
      ...within,
      environment: visible,
      key: `${place.key}/step-${index + 1}`,
      earlier: earlierFor(task, within, history.seen),
      earlierIsOutside: !task.context.accumulate,
      previous: last ?? place.previous,
      followers: { tasks: task.steps, from: index + 1, environment: visible, around: place.followers },
      heard: place.heard && index === lastStep,
      notesOnly: index === lastStep ? place.notesOnly : showsNotes,
    };
    try {
      last = await place.evaluator.run(step, inner);
      throwIfFailed(last, name, last.notes);
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      if (place.signal.aborted || !isAskedOf(task.steps, index))
        throw error.with({ dataUsage: spent, steps: finishedBefore(error, history.steps, name) }, name);
      last = failedResult(error);
    }
    spent = addSpent(spent, last.notes.dataUsage);
    history.add(name, last);
    visible = bindStep(step, last, visible);
  }
  if (!last) throw new TypeError('a sequence without steps passed the check');
  const { notes } = last;
  return { ...last, notes: { ...withoutTemplate(notes), dataUsage: spent, steps: history.steps } };
}

function bindStep(step: Task, result: TaskResult, environment: Environment): Environment {
  const slot = step.type === 'atomic' ? step.outputSlot : undefined;
  if (step.name === undefined && slot === undefined) return environment;
  const bound = boundResult(result);
  const names = [step.name, slot].filter(name => name !== undefined);
  return environment.extend(names.map(name => [name, bound]));
}

/** Earlier outputs for the next step: those before the sequence, then, if it accumulates, its own. */
function earlierFor({ context }: SequentialTask, { earlier }: TaskPlace, steps: Steps): string | undefined {
  return context.accumulate && steps.length > 0 ? withSteps(earlier, steps, context.format) : earlier;
}
