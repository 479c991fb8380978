// `--record file`: what a model answers, kept as a script that plays to the same end.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { OptionSpec } from './options.ts';

export const recordOption = {
  type: 'string',
  value: 'file',
  help: 'keeps what the models answer there, as a script for --script; a new file',
} as const satisfies OptionSpec;

/** The path; undefined where it was not asked for, or cannot be written, which `problems` says then. */
export function recordPath(file: string | undefined, problems: string[]): string | undefined {
  if (file === undefined) return undefined;
  const path = resolve(file);
  if (existsSync(path)) problems.push(`--record ${file}: is there already; name a new file`);
  else if (!existsSync(dirname(path))) problems.push(`--record ${file}: there is no folder ${dirname(file)}`);
  return path;
}
