// `<task type="map">`: one task for each element of a list, side by side.
import type { MapTask } from '../ast.ts';
import { numberElement } from '../scalars.ts';
import { optional, required } from '../element-schema.ts';
import { kind } from './common.ts';
import { taskElement } from './task-slot.ts';
import { valueElement } from './value.ts';

/** Elements that are worked side by side when the program does not say. */
const PARALLEL = 4;

export const map = kind(
  {
    over: required(valueElement),
    inner_task: required(taskElement),
    parallel: optional(numberElement(1, 100)),
  },
  (parts, common): MapTask => ({
    ...common,
    type: 'map',
    over: parts.over,
    inner: parts.inner_task,
    parallel: parts.parallel ?? PARALLEL,
  }),
);
