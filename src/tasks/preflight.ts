// What can be refused before anything runs: a program that needs what these surroundings do not give.
import { messageOf } from '../lib/message.ts';
import type { Task } from '../language/ast.ts';
import type { Position } from '../language/problem.ts';
import { TaskError } from '../language/result.ts';
import { type EvaluateOptions, nameOf } from './options.ts';

/** Throws TaskError VALIDATION_ERROR for the first script, tool or model of the program that is not to be had. */
export function preflight(program: Task, options: EvaluateOptions): void {
  for (const task of tasksIn(program)) {
    if (task.type === 'script' && !options.script)
      throw invalid(task.at, `the script ${nameOf(task)} may not run: commands are not allowed here`);
    if (task.type !== 'atomic') continue;
    for (const name of task.tools)
      if (!options.tools.some(tool => tool.name === name)) {
        const offered = options.tools.map(tool => tool.name).join(', ') || 'none';
        throw invalid(
          task.at,
          `the tool ${name} of ${nameOf(task)} is not available here (available: ${offered})`,
        );
      }
    try {
      options.models(task.model, nameOf(task));
    } catch (cause) {
      throw invalid(task.at, `the model of ${nameOf(task)}: ${messageOf(cause)}`, cause);
    }
  }
}

function* tasksIn(task: Task): Generator<Task> {
  yield task;
  for (const { value } of task.inputs) if (value.kind === 'task') yield* tasksIn(value.task);
  switch (task.type) {
    case 'sequential':
      for (const step of task.steps) yield* tasksIn(step);
      break;
    case 'director-evaluator':
      yield* tasksIn(task.director);
      if (task.script) yield* tasksIn(task.script);
      yield* tasksIn(task.evaluator);
      break;
    case 'atomic':
    case 'script':
      break;
  }
}

function invalid({ file, line, column }: Position, message: string, cause?: unknown): TaskError {
  return new TaskError(
    { code: 'VALIDATION_ERROR', path: file, line, column },
    `${file}:${line}:${column} ${message}`,
    { cause },
  );
}
