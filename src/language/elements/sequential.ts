// `<task type="sequential">`: tasks in order, each of which sees the results of the named ones before it.
import type { SequentialTask, Task } from '../ast.ts';
import { many, type Part, required, type Slots, takeAttributes, takeChildren } from '../shape.ts';
import { kind, reportDuplicates } from './common.ts';

const steps: Part<Task[]> = {
  read: (element, reading) => {
    takeAttributes(element, {}, reading.report);
    const step: Part<Task> = { read: child => reading.task(child), blank: () => reading.task(element) };
    const { task } = takeChildren(element, { task: many(step) }, reading);
    if (task.length === 0) reading.report(element.at, '<steps> needs at least one <task>');
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
