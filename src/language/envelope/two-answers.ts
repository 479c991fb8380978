// Whether a reply gives two answers: text that a model quotes may hold one, and which is its own cannot be told.
import { canonical, type Json } from '../../lib/json.ts';
import { bracketEnd } from '../../lib/json-scan.ts';
import type { Output } from '../ast.ts';
import { convert } from './convert.ts';
import { faithfulJson } from './faithful-json.ts';
import { type Given, isStatus } from './parts.ts';
import type { Answers } from './xml.ts';

/**
 * In what the envelope differs from another envelope beside it, or from JSON beside it that has one of the outputs
 * that were asked for, as a violation. Takes time in proportion to the reply.
 */
export function twoAnswers(
  { envelope, others, outside }: Answers,
  declared: readonly Output[],
): string | undefined {
  const { status, outputs } = envelope;
  for (const other of others) {
    const different = declared.find(output => answer(other.outputs, output) !== answer(outputs, output));
    if (different) return differing(different.name);
    if (other.status !== status) return differingStatus;
  }
  for (const text of outside) {
    const found = inJson(text, declared, outputs);
    if (found.different !== undefined) return differing(found.different);
    if (found.any && found.statuses.some(each => each !== status)) return differingStatus;
  }
  return undefined;
}

const differing = (name: string) => `two answers differ in output "${name}"`;
const differingStatus = 'two answers differ in their status';

/** What is given for the output, as text to compare; undefined: nothing, or nothing that fits. */
function answer(outputs: ReadonlyMap<string, Given>, output: Output): string | undefined {
  const given = outputs.get(output.name);
  if (!given) return output.nullable ? 'null' : undefined;
  const converted = convert(given, output);
  return converted && canonical(converted.value);
}

interface InJson {
  /** Whether there is one of the outputs. */
  any: boolean;
  /** The first output with another value than in `outputs`, or with one that cannot be read. */
  different?: string;
  statuses: string[];
}

/** By members, not by whole objects: JSON that is broken somewhere is an answer all the same. */
function inJson(text: string, declared: readonly Output[], outputs: ReadonlyMap<string, Given>): InJson {
  const found: InJson = { any: false, statuses: [] };
  if (!text.includes('{')) return found;
  const names = [...declared.map(({ name }) => name), 'status'].map(asPattern).join('|');
  const members = new RegExp(`"(${names})"\\s*:\\s*`, 'g');
  for (let match = members.exec(text); match; match = members.exec(text)) {
    if (!/[{,]/.test(text.slice(0, match.index).trimEnd().at(-1) ?? '')) continue;
    const name = match[1]!;
    const { value, end } = valueAt(text, members.lastIndex);
    members.lastIndex = end;
    const output = declared.find(each => each.name === name);
    if (output) {
      found.any = true;
      const given = new Map(value === undefined ? [] : [[name, { value }]]);
      const isSame = value !== undefined && answer(given, output) === answer(outputs, output);
      if (!isSame) return { ...found, different: name };
    } else if (typeof value === 'string' && isStatus(value)) found.statuses.push(value.trim().toUpperCase());
  }
  return found;
}

const scalar = /"(?:[^"\\\n]|\\.)*"|[-\w.+]+/y;

/** The JSON value that begins at `from`, and where it ends; undefined: it cannot be read. */
function valueAt(text: string, from: number): { value: Json | undefined; end: number } {
  const end = /[[{]/.test(text[from] ?? '') ? bracketEnd(text, from) : endOfScalar(text, from);
  return { value: faithfulJson(text.slice(from, end)), end };
}

function endOfScalar(text: string, from: number): number {
  scalar.lastIndex = from;
  return scalar.test(text) ? scalar.lastIndex : from;
}

const asPattern = (name: string): string => name.replace(/[^\w-]/g, '\\$&');
