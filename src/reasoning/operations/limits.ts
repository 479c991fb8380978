// How much a session may store, and what an id looks like.

/** Characters (UTF-16 units) of a vault entry's description. */
export const DESCRIPTION_CHARS = 500;
/** Bytes (UTF-8) of one text of an entry: its content, heading or notes. */
export const TEXT_BYTES = 256 * 1024;
/** Bytes (UTF-8) of all texts of all entries, their ids included. */
export const SESSION_BYTES = 4 * 1024 * 1024;
/** Entries of one kind. */
export const ENTRIES = 1_000;

/** Why `id` is none, in words that follow its field's name; undefined when it is one. */
export function idFault(id: string): string | undefined {
  if (/^[\w.:/-]{1,200}$/.test(id)) return undefined;
  return `has 1 to 200 letters, digits or any of _ . : / - and not ${quoted(id)}`;
}

/** A text that a model wrote, as messages show it: on one line, and no longer than an id of common length. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}...` : text);
}

/** `one of a, b, c`: what a value may be. */
export function oneOf(values: readonly string[]): string {
  return `one of ${values.join(', ')}`;
}
