// `--trace file`: everything that models are asked and answer, to be read; nothing plays it.
import { traceEnding, traceEndings } from '../../engine/runtime/trace/trace-file.ts';
import { newFile } from './new-file.ts';
import type { OptionSpec } from './options.ts';

export const traceOption = {
  type: 'string',
  value: 'file',
  help: 'writes every prompt, reply and tool call there to be read, as Markdown (name.md) or as lines of OpenTelemetry JSON (name.jsonl); a new file',
} as const satisfies OptionSpec;

/** The path; undefined where it was not asked for. `problems` says where it cannot be written, or its ending says no form. */
export function tracePath(file: string | undefined, problems: string[]): string | undefined {
  if (file === undefined) return undefined;
  if (traceEnding(file)) return newFile('--trace', file, problems);
  problems.push(`--trace ${file}: the ending says the form; end it with ${traceEndings.join(' or ')}`);
  return undefined;
}
