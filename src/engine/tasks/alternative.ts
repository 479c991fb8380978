// Reads and checks the program that a model wants to put in the place of a task that failed.
import { didYouMean } from '@echelon/ground';
import { type AtomicTask, type FunctionTask, type Output, type Task, tasksIn } from '../language/ast.ts';
import { TaskError } from '../language/result.ts';
import { beyondBounds } from './bounds.ts';
import { gives } from './covers.ts';
import { programOf } from './template-programs.ts';
import { type Evaluator, nameOf, type TaskPlace } from './task-place.ts';
import { preflight } from './preflight.ts';
import { beyond, reachable } from './rights.ts';
import { errorsIn, problemAt, readWritten, toldOf } from './written-program.ts';

/**
 * The program in `reply` when it can stand in the place of `task`: it is valid, reads nothing but what `task` could
 * read, may do nothing that `task` may not, takes no more context, no other model and no higher limits, and gives the
 * outputs that `task` declares. Else what is wrong with it, a line each.
 */
export function readAlternative(
  reply: string,
  task: AtomicTask,
  place: TaskPlace,
  evaluator: Evaluator,
): { program: Task } | { problems: string; source: string } {
  const { source, program, problems } = readWritten(reply, 'alternative.xml', evaluator.library);
  const found = errorsIn(problems);
  if (program)
    for (const each of unfit(program, task, place, evaluator)) found.push(problemAt(program.at, each));
  return program && found.length === 0 ? { program } : { source, problems: toldOf(found) };
}

function unfit(program: Task, task: AtomicTask, place: TaskPlace, evaluator: Evaluator): string[] {
  const found = unbound(program, place);
  const tools: ReadonlySet<string> = new Set(task.tools);
  const scripts = tools.has('shell');
  try {
    const tasks = reachable(program, place.environment, evaluator.library);
    found.push(...beyond({ tools, scripts }, tasks));
    // Its director can ask for scripts and tasks of the library, whatever its own tools are.
    if (!scripts && tasks.some(each => each.type === 'director-evaluator'))
      found.push('a director-evaluator may stand only for a task that has the tool shell');
    if (found.length === 0) for (const each of tasks) preflight(each, evaluator.options);
    if (found.length === 0) {
      const own = new Set([...tasksIn(program)].filter(each => !each.template));
      found.push(...beyondBounds(task, { tasks, own }, place, evaluator));
    }
    const called = functionsOf(program, place, evaluator);
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

/** Parameters of the root that nothing around the task binds. */
function unbound(program: Task, { environment }: TaskPlace): string[] {
  return program.inputs
    .filter(({ name, value }) => value.kind === 'parameter' && !environment.get(name))
    .map(({ name }) => `nothing binds the input "${name}"${didYouMean(name, environment.names())}`);
}

function functionsOf(program: Task, { environment }: TaskPlace, { library }: Evaluator) {
  const own = new Map<string, FunctionTask>();
  for (const each of tasksIn(program)) if (each.type === 'function') own.set(each.name, each);
  return (name: string): FunctionTask | undefined => {
    const known = own.get(name) ?? environment.get(name)?.closure?.task;
    const template = known ? undefined : library.find(name);
    const read = template?.type === 'function' ? programOf(template, library) : undefined;
    return known ?? (read?.type === 'function' ? read : undefined);
  };
}
