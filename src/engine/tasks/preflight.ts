// Refuses a program, before anything runs, that needs what these surroundings do not give.
import { didYouMean, messageOf } from '@echelon/ground';
import { type AtomicTask, innerTasks, type Task, tasksTried } from '../language/ast.ts';
import type { Template } from '../language/library.ts';
import { invalidAt } from '../language/result.ts';
import { programOf } from './template-programs.ts';
import type { EvaluateOptions } from './options.ts';
import { type Given, givenTo, nameOf } from './task-place.ts';

/** Throws TaskError VALIDATION_ERROR for the first script, tool, model, temperature or effort that is not to be had. */
export function preflight(program: Task, options: EvaluateOptions): void {
  const offered = [...options.tools.map(tool => tool.name), ...(options.abilities ?? [])];
  visit(program, options.library, new Set(), task => {
    if (task.type === 'script' && !options.script)
      throw invalidAt(task.at, `the script ${nameOf(task)} may not run: commands are not allowed here`);
    checkModels(task, options);
    if (task.type !== 'atomic') return;
    for (const name of task.tools)
      if (!offered.includes(name))
        throw invalidAt(
          task.at,
          `the tool ${name} of ${nameOf(task)} is not available here (available: ${offered.join(', ') || 'none'})${didYouMean(name, offered)}`,
        );
  });
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

/** Checks the task, the tasks in it, and those of the library's functions that they call. */
function visit(
  task: Task,
  library: EvaluateOptions['library'],
  seen: Set<Template>,
  check: (task: Task) => void,
): void {
  check(task);
  const template = task.type === 'call' ? library?.find(task.ref.name) : undefined;
  if (library && template?.type === 'function' && !seen.has(template)) {
    seen.add(template);
    visit(programOf(template, library), library, seen, check);
  }
  for (const inner of innerTasks(task)) visit(inner, library, seen, check);
}
