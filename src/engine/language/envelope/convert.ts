// What a model gave for an output, as the type that was declared.
import type { Json } from '@echelon/ground';
import type { Output } from '../ast.ts';
import { faithfulJson } from './faithful-json.ts';
import { type Given, unfenced } from './parts.ts';

/** The typed value, or nothing when it does not fit. Text comes from XML, where everything is text. */
export function convert(given: Given, { type, nullable }: Output): { value: Json } | undefined {
  if ('value' in given) {
    const fits = type === 'json' || typeof given.value === type || (nullable && given.value === null);
    return fits ? given : undefined;
  }
  if (type === 'string')
    return nullable && given.text.trim() === 'null' ? { value: null } : { value: given.text };
  const words = unfenced(given.text).trim();
  if (nullable && (words === 'null' || words === '')) return { value: null };
  if (type === 'boolean')
    return /^(?:true|false)$/i.test(words) ? { value: words.toLowerCase() === 'true' } : undefined;
  const value = faithfulJson(words);
  if (value === undefined || (type === 'number' && typeof value !== 'number')) return undefined;
  return { value };
}
