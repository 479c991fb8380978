// What an alternative may not take more of than the task that failed: context, model, limits.
import type { AtomicTask, Inherit, Task } from '../language/ast.ts';
import { noLimits } from '../language/blank.ts';
import type { SessionRequest } from '../reasoning/request.ts';
import { limitsOf } from './handler.ts';
import { type Evaluator, nameOf, type TaskPlace } from './task-place.ts';

type Limits = SessionRequest['limits'];

const amount: Readonly<Record<Inherit, number>> = { none: 0, subset: 1, full: 2 };

/**
 * How `tasks` of an alternative pass the bounds of the task that failed at `place`, as problems. The context that a
 * task asks for is at most what the failed one inherited; the model is its own, or none is named; each limit is at
 * most its own, or what holds where it has none. `own`: those that the alternative itself wrote, no templates.
 */
export function beyondBounds(
  failed: AtomicTask,
  { tasks, own }: { tasks: readonly Task[]; own: ReadonlySet<Task> },
  place: TaskPlace,
  evaluator: Evaluator,
): string[] {
  const configured = (name: string): string | undefined => {
    try {
      return evaluator.options.models(place.given.model, name);
    } catch {
      // Wrongly configured: no task can run with it.
      return undefined;
    }
  };
  const its = modelOf(failed, place, evaluator);
  const inherits = failed.context.inherit ?? place.inherit;
  const limits = most(
    limitsFor(failed, place, evaluator),
    limitsFor({ ...failed, limits: noLimits }, place, evaluator),
  );
  return tasks.flatMap(each => {
    const name = nameOf(each);
    const found: string[] = [];
    const { inherit } = each.context;
    if (inherit !== undefined && amount[inherit] > amount[inherits])
      found.push(`${name} may not inherit the context as "${inherit}": ${nameOf(failed)} has "${inherits}"`);
    for (const model of each.candidates?.models ?? [])
      if (model !== failed.model)
        found.push(
          `the candidates of ${name} may have no <model>: ${model.slice(0, 200)} is not allowed here`,
        );
    if (each.type !== 'atomic') return found;
    const instead =
      failed.model === undefined ? 'leave <model> out' : `leave <model> out, or name ${failed.model}`;
    if (each.model !== undefined && each.model !== failed.model)
      found.push(`the model of ${name}: ${each.model.slice(0, 200)} is not allowed here; ${instead}`);
    // A name may have a model of its own: one that a model chose must not choose it.
    else if (each.model === undefined && own.has(each) && each.name !== undefined) {
      const given = configured(name);
      if (given !== its && given !== configured(each.subtype))
        found.push(`the name ${name} has a model of its own, which is not allowed here: take another name`);
    }
    const asked = limitsFor(each, place, evaluator);
    for (const [limit, element, unit] of stated)
      if (asked[limit] > limits[limit])
        found.push(
          `<${element}> of ${name} is ${asked[limit] / unit}; at most ${limits[limit] / unit} is allowed here`,
        );
    return found;
  });
}

/** Elements of `<limits>`, with what one of their units is in the session's. */
const stated = [
  ['turns', 'turns', 1],
  ['output_tokens', 'output_tokens', 1],
  ['time_ms', 'time_s', 1000],
] as const;

const limitsFor = (task: AtomicTask, place: TaskPlace, evaluator: Evaluator): Limits =>
  limitsOf(task, nameOf(task), modelOf(task, place, evaluator), place, evaluator);

const modelOf = (task: AtomicTask, { given }: TaskPlace, { options }: Evaluator): string =>
  options.models(task.model ?? given.model, nameOf(task));

const most = (a: Limits, b: Limits): Limits => ({
  turns: Math.max(a.turns, b.turns),
  output_tokens: Math.max(a.output_tokens, b.output_tokens),
  time_ms: Math.max(a.time_ms, b.time_ms),
});
