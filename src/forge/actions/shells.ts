// The shells of `run` steps.

/** GitHub's arguments. A step that names no shell gets bash without `pipefail`; `{0}` is the file. */
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
