// What of a step can be refused before anything runs.
import { readReference } from './action-reference.ts';
import type { PlannedJob, StepSpec } from './planned-job.ts';

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

/** The shells of `run` steps, with GitHub's arguments. A step that names no shell gets bash without `pipefail`; `{0}` is the file. */
export const shells: Record<string, [program: string, ...rest: string[]]> = {
  bash: ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail'],
  sh: ['sh', '-e'],
};
export const unnamed: [program: string, ...rest: string[]] = ['bash', '-e'];

/** Why a shell cannot be had here; undefined for one that can. */
export const shellFault = (shell: string | undefined): string | undefined =>
  shell === undefined || shell === '' || shell in shells
    ? undefined
    : `The shell "${shell}" is not supported here: use bash or sh.`;
