// A step of a workflow file as a plain value.
import { conditionProblem } from './expressions.ts';
import type { Reading } from './known-keys.ts';
import type { StepSpec } from './planned-job.ts';
import { stepFault } from './step-fault.ts';
import { textOf, textsOf, type Written } from './written.ts';

const texts = [
  'id',
  'name',
  'if',
  'uses',
  'run',
  'shell',
  'working-directory',
  'continue-on-error',
  'timeout-minutes',
] as const;

/** Contexts that a step's condition may name. */
const contexts = 'github inputs vars needs strategy matrix steps job runner env'.split(' ');

export function readStep(reading: Reading, written: Written): StepSpec {
  const fields = reading.fields(written, 'a step', [...texts, 'with', 'env']);
  const step: StepSpec = {
    with: textsOf(fields['with']?.value),
    env: textsOf(fields['env']?.value),
    at: written.at,
  };
  for (const key of texts) {
    const field = fields[key];
    if (field) step[key] = textOf(field.value);
  }
  const { if: condition } = step;
  const problem = condition === undefined ? undefined : conditionProblem(condition, contexts, true);
  if (problem !== undefined) reading.refuse(fields['if']?.value.at ?? written.at, problem);
  const fault = stepFault(step, {});
  if (fault !== undefined) reading.refuse((fields['uses'] ?? fields['shell'])?.value.at ?? written.at, fault);
  return step;
}
