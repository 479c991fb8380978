// Files that options name and that are to be made: `--record` and `--trace`. Nothing that is there is written over.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { OptionSpec } from './options.ts';

export const recordOption = {
  type: 'string',
  value: 'file',
  help: 'keeps what the models answer there, as a script for --script; a new file',
} as const satisfies OptionSpec;

export const traceOption = {
  type: 'string',
  value: 'file',
  help: 'writes every prompt, reply and tool call there, as lines of OpenTelemetry JSON; a new file',
} as const satisfies OptionSpec;

/** Its absolute path, or undefined where none was named; a sentence in `problems` where it is there already, or has no folder. */
export function newFile(
  option: '--record' | '--trace',
  file: string | undefined,
  problems: string[],
): string | undefined {
  if (file === undefined) return undefined;
  const path = resolve(file);
  if (existsSync(path)) problems.push(`${option} ${file}: is there already; name a new file`);
  else if (!existsSync(dirname(path)))
    problems.push(`${option} ${file}: there is no folder ${dirname(file)}`);
  return path;
}
