// An element that holds exactly one task of any type that gives a result.
import type { Task } from '../ast.ts';
import { blankTask, type Part, slotFor } from '../shape.ts';

export const taskElement: Part<Task> = slotFor(
  (task: Task) => (task.type === 'function' ? undefined : task),
  'a task that runs; a function stands among <steps> or in a file of its own',
  blankTask,
);
