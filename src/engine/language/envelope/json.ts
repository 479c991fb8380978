// The JSON form of an envelope.
import { canonical, fenceAt, isObject, type Json, type JsonObject, keyAt } from '@echelon/ground';
import { asText } from '../environment.ts';
import { faithfulJson, type ReadJson, readJson } from './faithful-json.ts';
import {
  type Envelope,
  hasClosing,
  isStatus,
  keep,
  type Reading,
  statusOf,
  twice,
  unfenced,
} from './parts.ts';

const envelopeKeys = new Set(['status', 'content', 'outputs', 'notes', 'criteria']);

/**
 * The envelope that the JSON text from `from` to `to` is: an object that is no action and has `status` or a declared
 * output. Data that merely has a member of that name, such as `{"status": "open"}`, is content.
 */
export function jsonEnvelope(reading: Reading, from: number, to: number): Envelope | undefined {
  const json = reading.text.slice(from, to);
  const read = readJson(json);
  if (!read || !isEnvelope(read, reading)) return undefined;
  const { value } = read;
  const inner = innerOf(value);
  const envelope: Envelope = {
    ...{ at: from, status: 'COMPLETE', content: '', criteria: undefined },
    ...{ outputs: new Map(), notes: {}, warnings: [], problems: [] },
  };
  if (read.twice) {
    const { key, first, second } = read.twice;
    envelope.problems.push(twice(`key "${key.slice(0, 60)}"`, from + first, from + second, reading));
  }
  if (read.rounded) {
    const { written, at } = read.rounded;
    const { place } = reading;
    envelope.problems.push(
      `number ${written.slice(0, 60)} at ${place(from + at)} is larger than a number can be exactly (2^53): it has to be a text`,
    );
  }
  for (const name of Object.keys(inner)) envelope.outputs.set(name, { value: inner[name]!, at: from });
  const notes = new Map<string, Json>();
  let status: Json | undefined;
  for (const key of Object.keys(value)) {
    const each = value[key]!;
    const isDeclared = reading.names.includes(key);
    // A declared output may be named as a status is, with values that are none.
    if (key === 'status' && (!isDeclared || (typeof each === 'string' && isStatus(each)))) status = each;
    if (isDeclared && Object.hasOwn(inner, key)) {
      const at = (...path: string[]) => from + (keyAt(json, path) ?? 0);
      if (!read.twice && key !== 'status' && canonical(each) !== canonical(inner[key]))
        envelope.problems.push(twice(`output "${key}"`, at(key), at('outputs', key), reading));
    } else if (isDeclared) envelope.outputs.set(key, { value: each, at: from });
    else if (key !== 'status') readMember(key, each, envelope, notes);
  }
  envelope.status = statusOf(status, notes, envelope.warnings);
  envelope.notes = Object.fromEntries(notes);
  return envelope;
}

/** A member that is neither a status nor a declared output. */
function readMember(key: string, value: Json, envelope: Envelope, notes: Map<string, Json>): void {
  if (key === 'content') {
    envelope.content = asText(value);
    if (typeof value !== 'string') envelope.value = value;
  } else if (key === 'criteria') envelope.criteria = asText(value);
  else if (key === 'notes' && isObject(value))
    for (const name of Object.keys(value)) keep(notes, name, value[name]!);
  else if (key === 'notes') keep(notes, 'text', value);
  else if (key !== 'outputs' || !isObject(value)) {
    envelope.warnings.push(
      key === 'outputs'
        ? 'outputs is not an object; it is kept in the notes'
        : `"${key.slice(0, 60)}" is no part of an envelope; it is kept in the notes`,
    );
    keep(notes, key, value);
  }
}

const innerOf = ({ outputs }: JsonObject): JsonObject => (isObject(outputs) ? outputs : {});

function isEnvelope(read: ReadJson, { names }: Reading): read is ReadJson & { value: JsonObject } {
  const { value } = read;
  if (!isObject(value) || Object.hasOwn(value, 'action')) return false;
  const inner = innerOf(value);
  const stated =
    typeof value['status'] === 'string' && (isStatus(value['status']) || Object.hasOwn(value, 'content'));
  return stated || names.some(name => Object.hasOwn(value, name) || Object.hasOwn(inner, name));
}

/** Begins as an object, or as a code fence. */
const mayBeObject = /^\s*[{`~]/;

const firstMember = /^\s*(?:[`~]{3,}[\w-]*\s*)?\{\s*"([^"\\\n]{1,200})"/;

/** True if the text begins like a JSON envelope but does not parse as one. */
export function looksLikeJsonEnvelope(text: string, names: readonly string[]): boolean {
  if (!mayBeObject.test(text)) return false;
  const key = firstMember.exec(text)?.[1];
  if (key === undefined) return false;
  if (!envelopeKeys.has(key) && !names.includes(key)) return false;
  const object = unfenced(text);
  // After a fence that ends before the reply does, the reply is prose with data in it.
  return !beginsWithClosedFence(object) && faithfulJson(object) === undefined;
}

function beginsWithClosedFence(text: string): boolean {
  const begins = text.trimStart();
  const lineEnd = begins.indexOf('\n');
  const fence = lineEnd < 0 ? undefined : fenceAt(begins.slice(0, lineEnd));
  return fence !== undefined && hasClosing(begins.slice(lineEnd + 1), fence);
}
