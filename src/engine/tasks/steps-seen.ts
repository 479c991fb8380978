// Which steps before it each session of a program is shown, as far as the program itself says it.
import type { Inherit, SequentialTask, Task, Value } from '../language/ast.ts';
import type { Library } from '../language/library.ts';
import { inheritWithin, seesEarlier } from './context.ts';
import type { TaskPlace } from './task-place.ts';

interface Place extends Pick<TaskPlace, 'inherit' | 'directorInherit' | 'earlierIsOutside'> {
  /** Names of steps. */
  earlier: readonly string[];
}

const outside: Place = { inherit: 'full', directorInherit: 'none', earlierIsOutside: false, earlier: [] };

/**
 * By atomic task the names of the steps whose outputs stand in its context, by the rules of `contextOf` and `placeWithin`.
 * A function's body is looked at as one that its calls give nothing.
 */
export function stepsSeen(program: Task, library: Library): Map<Task, readonly string[]> {
  const seen = new Map<Task, readonly string[]>();
  visit(program, outside);
  return seen;

  function visit(task: Task, at: Place): void {
    const values = (all: readonly { value: Value | { kind: 'parameter' } }[]) => {
      for (const { value } of all)
        if (value.kind === 'task') visit(value.task, { ...at, inherit: 'full', directorInherit: 'none' });
    };
    const others = (place: Place, ...tasks: (Task | undefined)[]) => {
      for (const each of tasks) if (each) visit(each, place);
    };
    const within = (otherwise?: Inherit): Place => ({
      ...at,
      ...inheritWithin(task, at, otherwise),
      ...(task.context.clear && { earlier: [] }),
    });
    values(task.inputs);
    others(at, task.candidates?.script, task.candidates?.evaluator, task.onFailure);
    switch (task.type) {
      case 'atomic': {
        const place = task.subtype === 'director' ? { ...at, inherit: at.directorInherit } : at;
        seen.set(task, seesEarlier(task, place, library) ? at.earlier : []);
        break;
      }
      case 'script':
        break;
      case 'sequential':
        steps(task, within('subset'));
        break;
      case 'map':
        values([{ value: task.over }]);
        visit(task.inner, within('subset'));
        break;
      case 'reduce':
        values([...(task.over ? [{ value: task.over }] : []), { value: task.initial }]);
        others(within(), task.inner, task.reduction);
        break;
      case 'director-evaluator': {
        const place = within('none');
        visit(task.director, place);
        others({ ...place, inherit: at.inherit === 'none' ? 'none' : 'subset' }, task.script, task.evaluator);
        break;
      }
      case 'function':
        visit(task.body, { ...outside, inherit: 'none' });
        break;
      case 'call':
        values(task.args);
        break;
      case 'cond':
        others(within(), ...task.cases.map(each => each.task), task.otherwise);
        break;
      case 'let':
        values(task.binds);
        visit(task.body, within());
    }
  }

  function steps(task: SequentialTask, within: Place): void {
    const { accumulate } = task.context;
    const before: string[] = [];
    for (const [index, step] of task.steps.entries()) {
      const earlier = accumulate ? [...within.earlier, ...before] : within.earlier;
      visit(step, { ...within, earlier, earlierIsOutside: !accumulate });
      if (step.type !== 'function') before.push(step.name ?? `step ${index + 1}`);
    }
  }
}
