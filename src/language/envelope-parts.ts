// What the two forms of an envelope share.
import type { Json } from '../lib/json.ts';
import type { TaskResult } from './result.ts';

/** A result as a model wrote it; what it cost is added by the evaluator. */
export interface Reply extends Pick<TaskResult, 'status' | 'content' | 'outputs'> {
  criteria: string | undefined;
  /** The model's own notes. */
  notes: Record<string, Json>;
  warnings: string[];
}

/** The parts of an envelope before its outputs are held against the declaration. */
export interface Envelope extends Omit<Reply, 'outputs'> {
  outputs: Map<string, { text: string } | { value: Json }>;
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The reply without the code fence that holds the whole of it. */
export function unfenced(text: string): string {
  const fence = /^\s*(`{3,}|~{3,})[\w-]*[^\S\n]*\n([\s\S]*?)\n?\s*\1\s*$/.exec(text);
  return fence && !fence[2]!.includes(`\n${fence[1]}`) ? fence[2]! : text;
}

export function isStatus(word: string): boolean {
  return /^(?:COMPLETE|CONTINUATION|FAILED)$/i.test(word.trim());
}

/** The status in `given`; absent is COMPLETE, so is an unknown one, with a warning. */
export function statusOf(given: string | undefined, warnings: string[]): TaskResult['status'] {
  const word = given?.trim().toUpperCase();
  if (word === 'COMPLETE' || word === 'CONTINUATION' || word === 'FAILED') return word;
  if (given !== undefined)
    warnings.push(`status ${JSON.stringify(given.slice(0, 60))} is unknown and taken as COMPLETE`);
  return 'COMPLETE';
}
