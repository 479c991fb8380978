// `<task type="sequential">`: tasks in order, each of which sees the results of the named ones before it.
import type { SequentialTask, Task } from '../ast.ts';
import {
  childrenOf,
  many,
  type Part,
  required,
  type Slots,
  takeAttributes,
  takeChildren,
} from '../element-schema.ts';
import { kind, reportDuplicates } from './common.ts';

const stepChildren = childrenOf({
  task: many<Task>({ read: (child, reading) => reading.task(child) }),
});

const steps: Part<Task[]> = {
  read: (element, reading) => {
    takeAttributes(element, {}, reading.report);
    const { task } = takeChildren(element, stepChildren, reading);
    if (task.every(each => each.type === 'function'))
      reading.report(element.at, '<steps> needs at least one <task> that runs');
    reportDuplicates(task, 'step', reading);
    return task;
  },
  blank: () => [],
};

const slots = { steps: required(steps) } satisfies Slots;

export const sequential = kind(
  slots,
  (parts, common): SequentialTask => ({ ...common, type: 'sequential', steps: parts.steps }),
);
