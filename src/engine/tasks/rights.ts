// The rights of a task while it runs: a task that a model chose gets no more than it was chosen for.
import { type FunctionTask, type Task, tasksIn } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import type { Library } from '../language/library.ts';
import { programOf } from './template-programs.ts';
import { nameOf } from './task-place.ts';

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
