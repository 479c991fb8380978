// How sessions of these tests go: what the product's configuration says where it says nothing else.
import type { EvaluationParts } from '../../../src/engine/runtime/evaluation.ts';

export const reasoning: EvaluationParts['reasoning'] = {
  ...{ policy: 'default', retry: 'exponential' },
  cleaning: { execution_log: true, tracker: true, reasoning_log: false, valid_ids: true, hint: true },
  recovery: { context: true, reasoning: true, valid_ids: true },
};
