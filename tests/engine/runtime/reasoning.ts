// Session settings of these tests: the product's defaults.
import type { EvaluationParts } from '../../../src/engine/runtime/evaluation.ts';

export const reasoning: EvaluationParts['reasoning'] = {
  ...{ policy: 'default', retry: 'exponential' },
};
