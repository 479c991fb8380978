// Shared by the two forms of an envelope.
import { closesFence, fenceAt, type FenceLine, type Json, placesIn, splitLines } from '@echelon/ground';
import type { Output } from '../ast.ts';
import type { TaskResult } from '../result.ts';

/** A result as a model wrote it; what it cost is added by the evaluator. */
export interface Reply extends Pick<TaskResult, 'status' | 'content' | 'value' | 'outputs'> {
  criteria: string | undefined;
  /** The model's own notes. */
  notes: Record<string, Json>;
  warnings: string[];
}

/** A value given for an output, with its offset in the reply: text in XML, where everything is text, a value in JSON. */
export type Given = ({ text: string } | { value: Json }) & { at: number };

/** The parts of an envelope before its outputs are held against the declaration. */
export interface Envelope extends Omit<Reply, 'outputs'> {
  /** Its offset in the reply. */
  at: number;
  outputs: Map<string, Given>;
  /** Violations: contradictory duplicates and ambiguities. */
  problems: string[];
}

/** A reply while it is read: all offsets are in `text`. */
export interface Reading {
  /** Without white space at its beginning, and without the fence that holds the whole of it. */
  text: string;
  declared: readonly Output[];
  /** The names of the declared outputs. */
  names: readonly string[];
  /** The text from an offset to another without what it quotes, of the same length; empty: there is no markup in it. */
  shown: (from: number, to: number) => string;
  /** `line:column` of an offset in `text`, as it was in the reply. */
  place: (offset: number) => string;
}

/** `line:column` of an offset. Costs the text: for violations only. */
export function placeAt(text: string, offset: number): string {
  const { line, column } = placesIn(text)(offset);
  return `${line}:${column}`;
}

/** The violation that something is said twice, with both places. */
export function twice(what: string, one: number, other: number, { place }: Pick<Reading, 'place'>): string {
  const [first, second] = one < other ? [one, other] : [other, one];
  return `${what} is given twice and differently, at ${place(first)} and at ${place(second)}`;
}

/**
 * Text between the first and the last line if the first opens a fence and the last closes it, with its offset.
 * `isOne`: no line between them closes it earlier.
 */
export function fenceAround(text: string): { inside: string; at: number; isOne: boolean } | undefined {
  const whole = text.trim();
  if (whole[0] !== '`' && whole[0] !== '~') return undefined;
  const begin = whole.indexOf('\n') + 1;
  const end = whole.lastIndexOf('\n') + 1;
  const open = begin > 0 ? fenceAt(whole.slice(0, begin - 1)) : undefined;
  // The indentation of the first line was trimmed from the text, so the last line's is ignored too.
  if (!open || !closesFence(whole.slice(end).trimStart(), open)) return undefined;
  const inside = whole.slice(begin, Math.max(begin, end - 1));
  const at = text.length - text.trimStart().length + begin;
  return { inside: inside.trimEnd(), at, isOne: !hasClosing(inside, open) };
}

/** True if a line of the text closes the fence. */
export function hasClosing(text: string, open: FenceLine): boolean {
  if (!text.includes(open.mark)) return false;
  for (const line of splitLines(text)) if (closesFence(line.text, open)) return true;
  return false;
}

/** The reply without the code fence that holds the whole of it. */
export function unfenced(text: string): string {
  const fence = fenceAround(text);
  return fence?.isOne ? fence.inside : text;
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
