// `<task type="reduce">`: folds its inputs, or the elements of a list, in their order into one result.
import type { ReduceTask } from '../ast.ts';
import { optional, required, tagOf } from '../element-schema.ts';
import { kind } from './common.ts';
import { taskElement } from './task-slot.ts';
import { valueElement } from './value.ts';

const slots = {
  over: optional(valueElement),
  initial_value: required(valueElement),
  inner_task: required(taskElement),
  reduction_task: required(taskElement),
};

export const reduce = kind(slots, (parts, common, element, { report }): ReduceTask => {
  if (common.inputs.length === 0 && !parts.over)
    report(
      element.at,
      `${tagOf(element)} needs what is folded: <over> with a list, or at least one <input> in <inputs>`,
    );
  return {
    ...common,
    type: 'reduce',
    over: parts.over,
    initial: parts.initial_value,
    inner: parts.inner_task,
    reduction: parts.reduction_task,
  };
});
