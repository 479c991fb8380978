// How large a program that a model wrote may be.
import { innerTasks, type Task } from '../language/ast.ts';

/** A program by a model beyond this is no plan that anybody could follow, or pay for. */
const MOST_TASKS = 200;
const MOST_LEVELS = 20;

/** What makes `program` too complex, as problems; empty for one that is not. */
export function tooComplex(program: Task): string[] {
  const { tasks, levels } = measured(program);
  return [
    ...(tasks > MOST_TASKS ? [`the program has ${tasks} tasks; at most ${MOST_TASKS} are allowed`] : []),
    ...(levels > MOST_LEVELS
      ? [`tasks are nested ${levels} levels deep; at most ${MOST_LEVELS} are allowed`]
      : []),
  ];
}

function measured(task: Task): { tasks: number; levels: number } {
  let tasks = 1;
  let deepest = 0;
  for (const inner of innerTasks(task)) {
    const { tasks: more, levels } = measured(inner);
    tasks += more;
    deepest = Math.max(deepest, levels);
  }
  return { tasks, levels: deepest + 1 };
}
