// The rights of a program: those that its tasks use, and the refusal, before anything runs, of those that are not given.
import { type FunctionTask, type Task, tasksIn, type AtomicTask, tasksTried } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import { emptyLibrary, type Library } from '../language/library.ts';
import { programOf } from './template-programs.ts';
import { nameOf, type Given, givenTo } from './task-place.ts';
import { didYouMean, messageOf } from '@echelon/ground';
import { invalidAt } from '../language/result.ts';
import type { EvaluateOptions } from './options.ts';

export interface Rights {
  tools: ReadonlySet<string>;
  /** True if script tasks may run. */
  scripts: boolean;
}

/** The rights that the tasks in `task` use. `shell` runs commands as a script does. */
export function rightsIn(task: Task): Rights {
  const tasks = [...tasksIn(task)];
  const tools = new Set(tasks.flatMap(each => (each.type === 'atomic' ? each.tools : [])));
  return { tools, scripts: tools.has('shell') || tasks.some(each => each.type === 'script') };
}

/** The tools and scripts of `tasks` beyond `rights`, as problems; empty when they keep to them. */
export function beyond(rights: Rights, tasks: readonly Task[]): string[] {
  return tasks.flatMap(each => {
    if (each.type === 'script' && !rights.scripts)
      return [`the script ${nameOf(each)} may not run: scripts are not allowed here`];
    if (each.type !== 'atomic') return [];
    const allowed = [...rights.tools].join(', ') || 'none';
    return each.tools
      .filter(tool => !rights.tools.has(tool))
      .map(tool => `the tool ${tool} of ${nameOf(each)} is not allowed here (allowed: ${allowed})`);
  });
}

/**
 * All tasks that may run when `task` does: those in it, and those of every function it may call, by what
 * `environment` and the library bind. Throws TaskError VALIDATION_ERROR for a function that cannot be read.
 */
export function reachable(task: Task, environment: Environment | undefined, library: Library): Task[] {
  const found: Task[] = [];
  const seen = new Set<FunctionTask>();
  const visit = (root: Task, around: Environment | undefined): void => {
    for (const each of tasksIn(root)) {
      found.push(each);
      if (each.type !== 'call') continue;
      const closure = around?.get(each.ref.name)?.closure;
      if (closure && !seen.has(closure.task)) {
        seen.add(closure.task);
        visit(closure.task, closure.environment);
      }
      const template = library.find(each.ref.name);
      const called = template?.type === 'function' ? programOf(template, library) : undefined;
      if (called?.type === 'function' && !seen.has(called)) {
        seen.add(called);
        visit(called, undefined);
      }
    }
  };
  visit(task, environment);
  return found;
}

/** Throws TaskError VALIDATION_ERROR for the first script, tool, model, temperature or effort that is not to be had. */
export function preflight(program: Task, options: EvaluateOptions): void {
  const offered = [...options.tools.map(tool => tool.name), ...(options.abilities ?? [])];
  for (const task of reachable(program, undefined, options.library ?? emptyLibrary)) {
    if (task.type === 'script' && !options.script)
      throw invalidAt(task.at, `the script ${nameOf(task)} may not run: commands are not allowed here`);
    checkModels(task, options);
    if (task.type !== 'atomic') continue;
    for (const name of task.tools)
      if (!offered.includes(name))
        throw invalidAt(
          task.at,
          `the tool ${name} of ${nameOf(task)} is not available here (available: ${offered.join(', ') || 'none'})${didYouMean(name, offered)}`,
        );
  }
}

type Models = Pick<EvaluateOptions, 'models' | 'takes'>;

/** Throws TaskError VALIDATION_ERROR for a model that is not there, or does not take what the task asks of it. */
export function checkModels(task: Task, options: Models): void {
  const { candidates } = task;
  for (let at = 0; candidates && at < candidates.count; at++)
    checkTries(task, givenTo(candidates, at), options);
  if (task.type === 'atomic') checkTaken(task, options);
}

/** Every try with what it is given, as far as the program itself says what runs in it. */
function checkTries(task: Task, given: Given, options: Models): void {
  for (const each of tasksTried(task))
    if (each.type === 'atomic')
      checkTaken(
        { ...each, model: each.model ?? given.model, temperature: each.temperature ?? given.temperature },
        options,
      );
}

/** Throws if the task's model does not take what the task asks for. */
function checkTaken(task: AtomicTask, options: Models): void {
  const model = modelOf(task, options);
  const takes = options.takes?.(model);
  if (!takes) return;
  if (task.temperature !== undefined && !takes.temperature)
    throw invalidAt(
      task.at,
      `${nameOf(task)} asks for a <temperature>, which ${model} does not take: leave it out, or name another <model>`,
    );
  if (task.effort !== undefined && !takes.efforts.includes(task.effort))
    throw invalidAt(
      task.at,
      `${nameOf(task)} asks for the <effort> ${task.effort}, which ${model} does not take (it takes: ${takes.efforts.join(', ') || 'none'}): leave it out, or name another <model>`,
    );
}

function modelOf(task: AtomicTask, { models }: Models): string {
  try {
    return models(task.model, nameOf(task));
  } catch (cause) {
    throw invalidAt(task.at, `the model of ${nameOf(task)}: ${messageOf(cause)}`, { cause });
  }
}
