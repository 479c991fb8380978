// JSON as a type, its canonical text (keys sorted), and the digest of that text.
import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** True for values with members: neither a list nor null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined where there is none: its reader says so in its own words. */
export function jsonOf(text: string | undefined): Json | undefined {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** The one text of a value: keys sorted, no white space, `undefined` members left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}

/** SHA-256 of a text, or of the canonical text of any other value, in hex. */
export function digest(value: unknown): string {
  return createHash('sha256')
    .update(typeof value === 'string' ? value : canonical(value))
    .digest('hex');
}
