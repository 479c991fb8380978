// The JSON form of an envelope.
import type { Json } from '../lib/json.ts';
import type { Output } from './ast.ts';
import { type Envelope, isObject, isStatus, parseJson, statusOf, unfenced } from './envelope-parts.ts';
import { asText } from './environment.ts';

const envelopeKeys = new Set(['status', 'content', 'outputs', 'notes', 'criteria']);

/**
 * JSON is an envelope only when it is the whole reply, no action, and has `status` or a declared output. Data that
 * merely has a member of that name, such as `{"status": "open"}`, is content.
 */
export function jsonEnvelope(text: string, declared: readonly Output[]): Envelope | undefined {
  const value = parseJson(unfenced(text));
  if (!isObject(value) || Object.hasOwn(value, 'action')) return undefined;
  const inner = isObject(value['outputs']) ? value['outputs'] : {};
  const has = (name: string) => Object.hasOwn(value, name) || Object.hasOwn(inner, name);
  const stated = typeof value['status'] === 'string' && (isStatus(value['status']) || 'content' in value);
  if (!stated && !declared.some(output => has(output.name))) return undefined;

  const warnings: string[] = [];
  const outputs: Envelope['outputs'] = new Map();
  const notes: [string, Json][] = [];
  for (const [name, each] of Object.entries(inner)) outputs.set(name, { value: each });
  const declaredNames = new Set(declared.map(output => output.name));
  let content = '';
  for (const [key, each] of Object.entries(value)) {
    if (declaredNames.has(key) && !outputs.has(key)) outputs.set(key, { value: each });
    else if (key === 'content') content = asText(each);
    else if (key === 'notes') {
      if (isObject(each)) notes.push(...Object.entries(each));
      else notes.push(['text', each]);
    } else if (key === 'outputs' && !isObject(each)) {
      warnings.push('outputs is not an object; it is kept in the notes');
      notes.push([key, each]);
    } else if (!envelopeKeys.has(key)) {
      warnings.push(`"${key}" is no part of an envelope; it is kept in the notes`);
      notes.push([key, each]);
    }
  }
  const status = value['status'];
  const criteria = value['criteria'];
  return {
    status: statusOf(status === undefined ? undefined : asText(status), warnings),
    content,
    criteria: criteria === undefined ? undefined : asText(criteria),
    outputs,
    notes: Object.fromEntries(notes),
    warnings,
  };
}
