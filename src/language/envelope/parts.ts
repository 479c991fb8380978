// What the two forms of an envelope share.
import type { Json } from '../../lib/json.ts';
import type { TaskResult } from '../result.ts';

/** A result as a model wrote it; what it cost is added by the evaluator. */
export interface Reply extends Pick<TaskResult, 'status' | 'content' | 'outputs'> {
  criteria: string | undefined;
  /** The model's own notes. */
  notes: Record<string, Json>;
  warnings: string[];
}

/** What was given for an output: text in XML, where everything is text, a value in JSON. */
export type Given = { text: string } | { value: Json };

/** The parts of an envelope before its outputs are held against the declaration. */
export interface Envelope extends Omit<Reply, 'outputs'> {
  outputs: Map<string, Given>;
}

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const fenceBegin = /^(`{3,}|~{3,})[\w-]*[ \t\r]*\n/;

/** The reply without the code fence that holds the whole of it. */
export function unfenced(text: string): string {
  const whole = text.trim();
  if (whole[0] !== '`' && whole[0] !== '~') return text;
  const begin = fenceBegin.exec(whole);
  if (!begin) return text;
  const fence = begin[1]!;
  if (whole.length < begin[0].length + fence.length || !whole.endsWith(fence)) return text;
  const inside = whole.slice(begin[0].length, -fence.length).trimEnd();
  return inside.startsWith(fence) || inside.includes(`\n${fence}`) ? text : inside;
}

/** Adds to `notes` and never replaces what is there. */
export function keep(notes: Map<string, Json>, name: string, value: Json): void {
  let free = name;
  for (let count = 2; notes.has(free); count++) free = `${name} (${count})`;
  notes.set(free, value);
}

export function isStatus(word: string): boolean {
  return /^\s*(?:COMPLETE|CONTINUATION|FAILED)\s*$/i.test(word);
}

/** The status in `given`. Absent is COMPLETE; so is an unknown one, which is kept in `notes`, with a warning. */
export function statusOf(
  given: Json | undefined,
  notes: Map<string, Json>,
  warnings: string[],
): TaskResult['status'] {
  if (given === undefined || given === 'COMPLETE') return 'COMPLETE';
  const word = typeof given === 'string' ? given.trim().toUpperCase() : '';
  if (word === 'COMPLETE' || word === 'CONTINUATION' || word === 'FAILED') return word;
  keep(notes, 'status', given);
  const shown = JSON.stringify(typeof given === 'string' ? given.slice(0, 60) : given).slice(0, 62);
  warnings.push(`status ${shown} is unknown and taken as COMPLETE`);
  return 'COMPLETE';
}
