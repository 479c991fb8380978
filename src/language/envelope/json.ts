// The JSON form of an envelope.
import { isObject, type Json } from '../../lib/json.ts';
import { fenceAt } from '../../lib/markdown.ts';
import type { Output } from '../ast.ts';
import { type Envelope, hasClosing, isStatus, keep, statusOf, unfenced } from './parts.ts';
import { asText } from '../environment.ts';
import { faithfulJson } from './faithful-json.ts';

const envelopeKeys = new Set(['status', 'content', 'outputs', 'notes', 'criteria']);

/**
 * JSON is an envelope only when it is the whole reply, no action, and has `status` or a declared output. Data that
 * merely has a member of that name, such as `{"status": "open"}`, is content.
 */
export function jsonEnvelope(text: string, declared: readonly Output[]): Envelope | undefined {
  if (!mayBeObject.test(text)) return undefined;
  const value = faithfulJson(unfenced(text));
  if (!isObject(value) || Object.hasOwn(value, 'action')) return undefined;
  const inner = isObject(value['outputs']) ? value['outputs'] : {};
  const has = (name: string) => Object.hasOwn(value, name) || Object.hasOwn(inner, name);
  const stated =
    typeof value['status'] === 'string' && (isStatus(value['status']) || Object.hasOwn(value, 'content'));
  if (!stated && !declared.some(output => has(output.name))) return undefined;

  const warnings: string[] = [];
  const outputs: Envelope['outputs'] = new Map();
  const notes = new Map<string, Json>();
  for (const name of Object.keys(inner)) outputs.set(name, { value: inner[name]! });
  let content = '';
  let criteria: string | undefined;
  let status: Json | undefined;
  for (const key of Object.keys(value)) {
    const each = value[key]!;
    const isOutput = declared.some(output => output.name === key) && !outputs.has(key);
    if (isOutput) outputs.set(key, { value: each });
    if (key === 'status') {
      // A declared output may have this name, with values that are no status.
      if (!isOutput || (typeof each === 'string' && isStatus(each))) status = each;
    } else if (isOutput) continue;
    else if (key === 'content') content = asText(each);
    else if (key === 'criteria') criteria = asText(each);
    else if (key === 'notes' && isObject(each))
      for (const name of Object.keys(each)) keep(notes, name, each[name]!);
    else if (key === 'notes') keep(notes, 'text', each);
    else if (key !== 'outputs' || !isObject(each)) {
      warnings.push(
        key === 'outputs'
          ? 'outputs is not an object; it is kept in the notes'
          : `"${key.slice(0, 60)}" is no part of an envelope; it is kept in the notes`,
      );
      keep(notes, key, each);
    }
  }
  return {
    status: statusOf(status, notes, warnings),
    content,
    criteria,
    outputs,
    notes: notes.size === 0 ? {} : Object.fromEntries(notes),
    warnings,
  };
}

/** Begins as an object, or as a code fence. */
const mayBeObject = /^\s*[{`~]/;

const firstMember = /^\s*(?:[`~]{3,}[\w-]*\s*)?\{\s*"([^"\\\n]{1,200})"/;

/** Whether the text begins as a JSON envelope, although it cannot be read as one. */
export function looksLikeJsonEnvelope(text: string, declared: readonly Output[]): boolean {
  if (!mayBeObject.test(text)) return false;
  const key = firstMember.exec(text)?.[1];
  if (key === undefined) return false;
  if (!envelopeKeys.has(key) && !declared.some(output => output.name === key)) return false;
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
