// How sessions of these tests go: what the product's configuration says where it says nothing else.
import type { EvaluationParts } from '../../../src/engine/runtime/evaluation.ts';

export const reasoning: EvaluationParts['reasoning'] = {
  ...{ policy: 'default', retry: 'exponential' },
};
