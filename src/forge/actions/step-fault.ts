// What of a step can be refused before anything runs.
import { readReference } from './action-reference.ts';
import type { PlannedJob, StepSpec } from './planned-job.ts';
import { shellFault } from './shells.ts';

/** Why a step cannot be carried out here, in a sentence; undefined for one that can, as far as can be seen of it. */
export function stepFault(spec: StepSpec, defaults: PlannedJob['defaults']): string | undefined {
  if (spec.uses !== undefined) {
    const reference = readReference(spec.uses);
    return typeof reference === 'string' ? reference : undefined;
  }
  const shell = spec.shell ?? defaults.shell;
  // One that is an expression is looked at when its step comes.
  return shell?.includes('${{') ? undefined : shellFault(shell);
}
