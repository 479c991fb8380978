// `<task type="reduce">`: folds its inputs, in their order, into one result.
import type { ReduceTask } from '../ast.ts';
import { required, tagOf } from '../element-schema.ts';
import { kind } from './common.ts';
import { taskElement } from './task-slot.ts';
import { valueElement } from './value.ts';

const slots = {
  initial_value: required(valueElement),
  inner_task: required(taskElement),
  reduction_task: required(taskElement),
};

export const reduce = kind(slots, (parts, common, element, { report }): ReduceTask => {
  if (common.inputs.length === 0)
    report(element.at, `${tagOf(element)} needs at least one <input> in <inputs>: they are what is folded`);
  return {
    ...common,
    type: 'reduce',
    initial: parts.initial_value,
    inner: parts.inner_task,
    reduction: parts.reduction_task,
  };
});
