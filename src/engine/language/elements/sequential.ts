// `<task type="sequential">`: tasks in order, each of which sees the results of the named ones before it.
import type { SequentialTask, Task } from '../ast.ts';
import { elementOf, many, nestedTask, type Part, required } from '../element-schema.ts';
import { kind, reportDuplicates } from './common.ts';

const tasks = elementOf({ task: many(nestedTask) });

const steps: Part<Task[]> = {
  read: (element, reading) => {
    const { task } = tasks.read(element, reading);
    if (task.every(each => each.type === 'function'))
      reading.report(element.at, '<steps> needs at least one <task> that runs');
    reportDuplicates(task, 'step', reading);
    return task;
  },
  blank: () => [],
};

export const sequential = kind(
  { steps: required(steps) },
  (parts, common): SequentialTask => ({ ...common, type: 'sequential', steps: parts.steps }),
);
