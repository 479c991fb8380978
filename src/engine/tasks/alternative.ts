// Reads and checks the program that a model wants to put in the place of a task that failed.
import { didYouMean } from '@echelon/ground';
import {
  type AtomicTask,
  type FunctionTask,
  type Output,
  type Task,
  tasksIn,
  type Inherit,
} from '../language/ast.ts';
import { TaskError } from '../language/result.ts';
import { gives } from './covers.ts';
import { programOf } from './template-programs.ts';
import { nameOf, type TaskPlace } from './task-place.ts';
import { preflight, beyond, reachable } from './rights.ts';
import { errorsIn, problemAt, readWritten, toldOf } from './written-program.ts';
import { noLimits } from '../language/blank.ts';
import type { SessionRequest } from '../reasoning/request.ts';
import { limitsOf } from './limits.ts';

/**
 * The program in `reply` when it can stand in the place of `task`: it is valid, reads nothing but what `task` could
 * read, may do nothing that `task` may not, takes no more context, no other model and no higher limits, and gives the
 * outputs that `task` declares. Else what is wrong with it, a line each.
 */
export function readAlternative(
  reply: string,
  task: AtomicTask,
  place: TaskPlace,
): { program: Task } | { problems: string; source: string } {
  const { source, program, problems } = readWritten(reply, 'alternative.xml', place.evaluator.library);
  const found = errorsIn(problems);
  if (program) for (const each of unfit(program, task, place)) found.push(problemAt(program.at, each));
  return program && found.length === 0 ? { program } : { source, problems: toldOf(found) };
}

function unfit(program: Task, task: AtomicTask, place: TaskPlace): string[] {
  // Parameters of the root that nothing around the task binds.
  const found = program.inputs
    .filter(({ name, value }) => value.kind === 'parameter' && !place.environment.get(name))
    .map(({ name }) => `nothing binds the input "${name}"${didYouMean(name, place.environment.names())}`);
  const tools: ReadonlySet<string> = new Set(task.tools);
  const scripts = tools.has('shell');
  try {
    const tasks = reachable(program, place.environment, place.evaluator.library);
    found.push(...beyond({ tools, scripts }, tasks));
    // Its director can ask for scripts and tasks of the library, whatever its own tools are.
    if (!scripts && tasks.some(each => each.type === 'director-evaluator'))
      found.push('a director-evaluator may stand only for a task that has the tool shell');
    if (found.length === 0) for (const each of tasks) preflight(each, place.evaluator.options);
    if (found.length === 0) {
      const own = new Set([...tasksIn(program)].filter(each => !each.template));
      found.push(...beyondBounds(task, { tasks, own }, place));
    }
    const called = functionsOf(program, place);
    for (const output of task.outputs) if (!gives(program, output, called)) found.push(missing(output, task));
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    found.push(error.message);
  }
  return found;
}

function missing({ name, type, nullable, schema }: Output, task: AtomicTask): string {
  const kind = `${type}${nullable ? ' or null' : ''}${schema === undefined ? '' : ' with the same schema'}`;
  return `the program does not always give the output "${name}" (${kind}), which ${nameOf(task)} declares`;
}

function functionsOf(program: Task, { environment, evaluator: { library } }: TaskPlace) {
  const own = new Map<string, FunctionTask>();
  for (const each of tasksIn(program)) if (each.type === 'function') own.set(each.name, each);
  return (name: string): FunctionTask | undefined => {
    const known = own.get(name) ?? environment.get(name)?.closure?.task;
    const template = known ? undefined : library.find(name);
    const read = template?.type === 'function' ? programOf(template, library) : undefined;
    return known ?? (read?.type === 'function' ? read : undefined);
  };
}

type Limits = SessionRequest['limits'];

const amount: Readonly<Record<Inherit, number>> = { none: 0, subset: 1, full: 2 };

/**
 * The ways in which `tasks` of an alternative pass the bounds of the task that failed at `place`, as problems. The context that a
 * task asks for is at most what the failed one inherited; the model is its own, or none is named; each limit is at
 * most its own, or what holds where it has none. `own`: those that the alternative itself wrote, no templates.
 */
function beyondBounds(
  failed: AtomicTask,
  { tasks, own }: { tasks: readonly Task[]; own: ReadonlySet<Task> },
  place: TaskPlace,
): string[] {
  const configured = (name: string): string | undefined => {
    try {
      return place.evaluator.options.models(place.given.model, name);
    } catch {
      // Wrongly configured: no task can run with it.
      return undefined;
    }
  };
  const its = modelOf(failed, place);
  const inherits = failed.context.inherit ?? place.inherit;
  const limits = most(limitsFor(failed, place), limitsFor({ ...failed, limits: noLimits }, place));
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
    const asked = limitsFor(each, place);
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

const limitsFor = (task: AtomicTask, place: TaskPlace): Limits =>
  limitsOf(task, nameOf(task), modelOf(task, place), place);

const modelOf = (task: AtomicTask, { given, evaluator: { options } }: TaskPlace): string =>
  options.models(task.model ?? given.model, nameOf(task));

const most = (a: Limits, b: Limits): Limits => ({
  turns: Math.max(a.turns, b.turns),
  output_tokens: Math.max(a.output_tokens, b.output_tokens),
  time_ms: Math.max(a.time_ms, b.time_ms),
});
