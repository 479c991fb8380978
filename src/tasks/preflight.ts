// What can be refused before anything runs: a program that needs what these surroundings do not give.
import { messageOf } from '../lib/message.ts';
import { type Task, tasksIn } from '../language/ast.ts';
import type { Template } from '../language/library.ts';
import type { Position } from '../language/problem.ts';
import { TaskError } from '../language/result.ts';
import { programOf } from './library.ts';
import type { EvaluateOptions } from './options.ts';
import { nameOf } from './place.ts';

/** Throws TaskError VALIDATION_ERROR for the first script, tool or model of the program that is not to be had. */
export function preflight(program: Task, options: EvaluateOptions): void {
  const offered = [...options.tools.map(tool => tool.name), ...(options.abilities ?? [])];
  for (const task of reachedBy(program, options.library)) {
    if (task.type === 'script' && !options.script)
      throw invalid(task.at, `the script ${nameOf(task)} may not run: commands are not allowed here`);
    if (task.type !== 'atomic') continue;
    for (const name of task.tools)
      if (!offered.includes(name))
        throw invalid(
          task.at,
          `the tool ${name} of ${nameOf(task)} is not available here (available: ${offered.join(', ') || 'none'})`,
        );
    try {
      options.models(task.model, nameOf(task));
    } catch (cause) {
      throw invalid(task.at, `the model of ${nameOf(task)}: ${messageOf(cause)}`, cause);
    }
  }
}

/** The tasks of the program and of the library's functions that it calls. */
function* reachedBy(
  program: Task,
  library: EvaluateOptions['library'],
  seen: Set<Template> = new Set(),
): Generator<Task> {
  for (const task of tasksIn(program)) {
    yield task;
    const template = task.type === 'call' ? library?.find(task.ref.name) : undefined;
    if (!library || template?.type !== 'function' || seen.has(template)) continue;
    seen.add(template);
    yield* reachedBy(programOf(template, library), library, seen);
  }
}

function invalid({ file, line, column }: Position, message: string, cause?: unknown): TaskError {
  return new TaskError(
    { code: 'VALIDATION_ERROR', path: file, line, column },
    `${file}:${line}:${column} ${message}`,
    { cause },
  );
}
