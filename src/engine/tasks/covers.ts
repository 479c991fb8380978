// Tests whether a task gives the outputs that another one declares, so that it can replace it.
import { canonical } from '@echelon/ground';
import type { FunctionTask, Output, Task } from '../language/ast.ts';
import { scriptNames } from '../language/names.ts';

/**
 * True if a COMPLETE result of `task` has `output`, as far as that is known before it runs. `called` finds the
 * function of a name. `bodies`: what is known of the bodies of functions, so that each is checked once; one that is
 * being looked at gives nothing by itself.
 */
export function gives(
  task: Task,
  output: Output,
  called: (name: string) => FunctionTask | undefined,
  bodies = new Map<Task, boolean>(),
): boolean {
  const inner = (each: Task) => gives(each, output, called, bodies);
  if (task.onFailure && !inner(task.onFailure)) return false;
  switch (task.type) {
    case 'atomic':
      return task.outputs.some(each => fits(each, output));
    case 'sequential':
      return inner(task.steps.findLast(step => step.type !== 'function')!);
    case 'map':
      return fits({ name: 'results', type: 'json', nullable: false }, output);
    case 'reduce':
      return inner(task.reduction);
    case 'script':
      // The exit code is a number, and empty where the command was: neither type is sure.
      return scriptNames.some(
        name => name !== 'exit_code' && fits({ name, type: 'string', nullable: false }, output),
      );
    case 'director-evaluator':
      return inner(task.director);
    case 'function':
      return false;
    case 'call': {
      const body = called(task.ref.name)?.body;
      if (!body) return false;
      const known = bodies.get(body);
      if (known !== undefined) return known;
      // A task gives what each way through it gives: one that comes to an open body gives nothing, whoever asks.
      bodies.set(body, false);
      const found = inner(body);
      bodies.set(body, found);
      return found;
    }
    case 'cond':
      return (
        task.otherwise !== undefined && [...task.cases.map(each => each.task), task.otherwise].every(inner)
      );
    case 'let':
      return inner(task.body);
  }
}

function fits(given: Output, wanted: Output): boolean {
  return (
    given.name === wanted.name &&
    given.type === wanted.type &&
    (wanted.nullable || !given.nullable) &&
    (wanted.schema === undefined || canonical(given.schema) === canonical(wanted.schema))
  );
}
