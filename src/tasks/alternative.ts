// Reads and checks the program that a model wants to put in the place of a task that failed.
import { type AtomicTask, type FunctionTask, type Output, type Task, tasksIn } from '../language/ast.ts';
import { didYouMean } from '../lib/nearest.ts';
import { formatProblem } from '../language/problem.ts';
import { parseProgram } from '../language/program.ts';
import { TaskError } from '../language/result.ts';
import { beyondBounds } from './bounds.ts';
import { tooComplex } from './complexity.ts';
import { gives } from './covers.ts';
import { programOf } from './library.ts';
import { type Evaluator, nameOf, type Place } from './place.ts';
import { preflight } from './preflight.ts';
import { programIn } from './program-in-reply.ts';
import { beyond, reachable } from './rights.ts';

/** Problems that are worth telling a model at once. */
const MOST_TOLD = 20;

/**
 * The program in `reply` when it can stand in the place of `task`: it is valid, reads nothing but what `task` could
 * read, may do nothing that `task` may not, takes no more context, no other model and no higher limits, and gives the
 * outputs that `task` declares. Else what is wrong with it.
 */
export function readAlternative(
  reply: string,
  task: AtomicTask,
  place: Place,
  evaluator: Evaluator,
): { program: Task } | { problems: string[]; source: string } {
  const source = programIn(reply);
  if (source === undefined) return { source: reply, problems: ['the answer holds no <task> element'] };
  const { program, problems } = parseProgram(source, 'alternative.xml', evaluator.library);
  const errors = problems.filter(({ severity }) => severity === 'error').map(formatProblem);
  const found = program ? unfit(program, task, place, evaluator) : errors;
  return program && found.length === 0 ? { program } : { source, problems: found.slice(0, MOST_TOLD) };
}

function unfit(program: Task, task: AtomicTask, place: Place, evaluator: Evaluator): string[] {
  if (program.type === 'function') return ['the program is a function, which does not run by itself'];
  const found = [...tooComplex(program), ...unbound(program, place)];
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
function unbound(program: Task, { environment }: Place): string[] {
  return program.inputs
    .filter(({ name, value }) => value.kind === 'parameter' && !environment.get(name))
    .map(({ name }) => `nothing binds the input "${name}"${didYouMean(name, environment.names())}`);
}

function functionsOf(program: Task, { environment }: Place, { library }: Evaluator) {
  const own = new Map<string, FunctionTask>();
  for (const each of tasksIn(program)) if (each.type === 'function') own.set(each.name, each);
  return (name: string): FunctionTask | undefined => {
    const known = own.get(name) ?? environment.get(name)?.closure?.task;
    const template = known ? undefined : library.find(name);
    const read = template?.type === 'function' ? programOf(template, library) : undefined;
    return known ?? (read?.type === 'function' ? read : undefined);
  };
}
