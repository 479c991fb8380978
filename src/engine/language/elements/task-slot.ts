// An element that holds exactly one task: `<body>`, `<inner_task>`, `<director>`, ...
import type { AtomicTask, ScriptTask, Task } from '../ast.ts';
import { blankTask } from '../blank.ts';
import type { Position } from '../problem.ts';
import { elementOf, type Part, required, type Slot } from '../element-schema.ts';

/** An element that holds exactly one task of the type; `subtype` is what the task is when it does not say. */
function slotFor<T extends Task>(
  accept: (task: Task) => T | undefined,
  expected: string,
  blank: (at: Position) => T,
  subtype?: string,
): Part<T> {
  const inner: Slot<Task> = {
    take: (found, owner, name, reading) => {
      const part: Part<Task> = {
        read: child => reading.task(child, subtype),
        blank: at => {
          const task = blankTask(at);
          reading.broken.add(task);
          return task;
        },
      };
      return required(part).take(found, owner, name, reading);
    },
  };
  const holder = elementOf({ task: inner });
  return {
    read: (element, reading) => {
      const { task } = holder.read(element, reading);
      const accepted = accept(task);
      if (accepted) return accepted;
      if (!reading.broken.has(task)) reading.report(task.at, `<${element.name}> holds ${expected}`);
      return blank(element.at);
    },
    blank,
  };
}

/** Any task that gives a result. */
export const taskElement: Part<Task> = slotFor(
  (task: Task) => (task.type === 'function' ? undefined : task),
  'a task that runs; a function stands among <steps> or in a file of its own',
  blankTask,
);

/** An atomic task of the subtype, which it is without saying so. */
export const atomicOf = (subtype: string): Part<AtomicTask> =>
  slotFor(
    (task: Task) => (task.type === 'atomic' && task.subtype === subtype ? task : undefined),
    `an atomic task of subtype ${subtype}`,
    blankTask,
    subtype,
  );

export const scriptElement: Part<ScriptTask> = slotFor(
  (task: Task) => (task.type === 'script' ? task : undefined),
  'a task of type script',
  at => ({ ...blankTask(at), type: 'script', command: { parts: [], at } }),
);
