// Finds things that a program needs and does not get here, before anything runs.
import { type Task, tasksIn } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import type { Library } from '../language/library.ts';
import type { Problem } from '../language/problem.ts';
import { TaskError } from '../language/result.ts';
import { isBuiltIn, toolInputs } from '../language/tool.ts';
import type { Ability } from '../reasoning/request.ts';
import type { NamedModel } from '../models/names.ts';
import { findRow, type ModelRows } from '../models/table.ts';
import { checkModels, reachable } from '../tasks/rights.ts';
import { nameOf } from '../tasks/task-place.ts';

export interface Given {
  scripts: boolean;
  abilities: readonly Ability[];
  /** The way to allow scripts here: `--allow-scripts`. */
  allow: string;
  /** Reason that nobody can be asked here. */
  noAsk: string;
  /** Bindings around the program, including functions that it calls; default: none. */
  environment?: Environment;
}

/** One sentence, with its place, for each task that needs more than is given; functions that it calls included. */
export function needsMore(program: Task, library: Library, given: Given): string[] {
  return reachable(program, given.environment, library).flatMap(task => {
    const { file, line, column } = task.at;
    const say = (what: string) => `${file}:${line}:${column} ${what}`;
    if (task.type === 'script')
      return given.scripts
        ? []
        : [say(`the script ${nameOf(task)} runs a command: that needs ${given.allow}`)];
    if (task.type !== 'atomic') return [];
    return task.tools.flatMap(tool => {
      if (isBuiltIn(tool) && !toolInputs[tool].readOnly && !given.scripts)
        return [
          say(
            `the tool ${tool} of ${nameOf(task)} changes files or runs commands: that needs ${given.allow}`,
          ),
        ];
      if (tool === 'ask' && !given.abilities.includes('ask'))
        return [say(`the tool ask of ${nameOf(task)} cannot be used: ${given.noAsk}`)];
      return [];
    });
  });
}

/** Problems of the models that the program names, as a run would report them. */
export function modelProblems(program: Task, models: NamedModel, rows: ModelRows): Problem[] {
  return [...tasksIn(program)].flatMap(task => {
    try {
      checkModels(task, { models, takes: name => findRow(name, rows) });
      return [];
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      const { file, line, column } = task.at;
      const message = error.message.slice(`${file}:${line}:${column} `.length);
      return [{ severity: 'error', file, line, column, message }];
    }
  });
}

/** True if some task of the program runs commands, so that they need isolation. */
export function runsCommands(program: Task, library: Library, environment?: Environment): boolean {
  return reachable(program, environment, library).some(
    task => task.type === 'script' || (task.type === 'atomic' && task.tools.includes('shell')),
  );
}
