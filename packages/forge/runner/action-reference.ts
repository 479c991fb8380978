// Meaning of a step's `uses`.
import type { PlannedJob, StepSpec } from '../actions/planned-job.ts';

/** Reason for refusing a step, in a sentence; undefined if none is visible. */
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

/** Reason for refusing a shell; undefined if it is available. */
export const shellFault = (shell: string | undefined): string | undefined =>
  shell === undefined || shell === '' || shell in shells
    ? undefined
    : `The shell "${shell}" is not supported here: use bash or sh.`;

/** Actions built into the forge, at any ref. */
const builtInNames = [
  'checkout',
  'upload-artifact',
  'download-artifact',
  'setup-node',
  'cache/restore',
  'cache/save',
  'create-github-app-token',
] as const;
export type BuiltInName = (typeof builtInNames)[number];

export type ActionReference =
  | { kind: 'built-in'; name: BuiltInName }
  /** `./path`: in the job's checkout, at the time of the step. */
  | { kind: 'local'; path: string }
  /** `$/path`: in the repository of the workflow file, at its commit. */
  | { kind: 'self'; path: string }
  /** `owner/name/path@ref`. */
  | { kind: 'repository'; repository: string; path: string; ref: string };

/** Reads `uses`; a sentence where it is not supported. */
export function readReference(uses: string): ActionReference | string {
  const local = /^(\.|\$)(?:\/(.*))?$/.exec(uses);
  if (local) {
    const path = local[2] ?? '';
    if (path.split('/').includes('..')) return `"${uses}" leads out of its repository.`;
    return { kind: local[1] === '$' ? 'self' : 'local', path };
  }
  if (uses.startsWith('docker://')) return "containers are not supported by the forge's runner";
  const [, owner, name, path = '', ref] = /^([\w.-]+)\/([\w.-]+)((?:\/[^@]+)?)@(.+)$/.exec(uses) ?? [];
  if (owner === undefined || name === undefined || ref === undefined || path.split('/').includes('..'))
    return `"${uses}" is no action: write owner/name@ref, ./path or $/path.`;
  const builtIn = builtInNames.find(each => owner === 'actions' && each === name + path);
  if (builtIn) return { kind: 'built-in', name: builtIn };
  if (owner === 'actions')
    return `"${uses}" is not built in; of actions/ there are ${builtInNames.join(', ')}.`;
  return { kind: 'repository', repository: `${owner}/${name}`, path: path.slice(1), ref };
}
