// `--record file`: what a model answers, kept as a script that plays to the same end.
import { newFile } from './new-file.ts';
import type { OptionSpec } from './options.ts';

export const recordOption = {
  type: 'string',
  value: 'file',
  help: 'keeps what the models answer there, as a script for --script; a new file',
} as const satisfies OptionSpec;

/** The path; undefined where it was not asked for. `problems` says where it cannot be written. */
export const recordPath = (file: string | undefined, problems: string[]): string | undefined =>
  file === undefined ? undefined : newFile('--record', file, problems);
