// Figures over executions: the middle of an even number of them lies between two.
import { expect, it } from 'vitest';
import { metricsOf } from '../../../src/engine/reasoning/metrics.ts';

it.each([
  [[], 0],
  [[3], 3],
  [[1, 3], 2],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (times, median) => {
  const executions = times.map(ms => ({ ms, codeSize: 1, state: 'completed', attempts: 1 }));
  expect(metricsOf(executions as never).time.median).toBe(median);
});
