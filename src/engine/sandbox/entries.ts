// Rules of each store's entries, with their limits: the same for the code of an execution and for the
// session's own operations.
import { didYouMean, type Json } from '@echelon/ground';

/** Characters (code points) of a vault entry's description. */
export const DESCRIPTION_CHARS = 500;
/** Bytes (UTF-8) of one text of an entry: its content (of data: its JSON), heading or notes. */
export const TEXT_BYTES = 256 * 1024;
/** Bytes (UTF-8) of all texts of all entries, their ids included. */
export const SESSION_BYTES = 4 * 1024 * 1024;
/** Entries of one kind. */
export const ENTRIES = 1_000;

export type StoreName = 'vault' | 'memory' | 'tasks' | 'goals';

/** An entry's fields. A vault entry's `content` is what `vault.get` answers: a text, or the data as a value. */
export type StoreEntry = { readonly [field: string]: Json };

export interface EntryRule {
  noun: string;
  plural: string;
  /** Fields that a new entry has to be given. */
  needed: readonly string[];
  optional: readonly string[];
  /** Fields whose values are listed. */
  values: Readonly<Record<string, readonly string[]>>;
}

export const entryRules = {
  vault: {
    noun: 'vault entry',
    plural: 'vault entries',
    needed: ['type', 'description', 'content'],
    optional: [],
    values: { type: ['text', 'code', 'data'] },
  },
  memory: {
    noun: 'memory',
    plural: 'memories',
    needed: ['heading', 'content'],
    optional: ['notes', 'important'],
    values: {},
  },
  tasks: {
    noun: 'task',
    plural: 'tasks',
    needed: ['heading', 'content'],
    optional: ['status', 'notes'],
    values: { status: ['pending', 'ongoing', 'finished', 'paused'] },
  },
  goals: {
    noun: 'goal',
    plural: 'goals',
    needed: ['heading', 'content'],
    optional: ['status', 'notes'],
    values: { status: ['open', 'finished'] },
  },
} as const satisfies Record<StoreName, EntryRule>;

/** Fault of an invalid `id`, in words that follow its field's name; undefined if it is valid. */
export function idFault(id: string): string | undefined {
  if (/^[\w.:/-]{1,200}$/.test(id)) return undefined;
  return `has 1 to 200 letters, digits or any of _ . : / - and not ${quoted(id)}`;
}

/** Fault of a single field of a write. */
export function fieldFault(
  { noun, needed, optional, values }: EntryRule,
  fields: object,
): string | undefined {
  const given: [string, unknown][] = Object.entries(fields);
  for (const [name, value] of given) {
    if (!needed.includes(name) && !optional.includes(name)) return `a ${noun} has no ${name}`;
    if (typeof value !== 'string') continue;
    const allowed = values[name];
    if (allowed && !allowed.includes(value))
      return `its ${name} is ${oneOf(allowed)}, not ${quoted(value)}${didYouMean(value, allowed)}`;
    if (name === 'description' && value.length > DESCRIPTION_CHARS) {
      const characters = charactersOf(value);
      if (characters > DESCRIPTION_CHARS)
        return `the description has ${characters} characters; ${DESCRIPTION_CHARS} at most`;
    }
    const bytes = Buffer.byteLength(value);
    if (bytes > TEXT_BYTES) return `${bytes} bytes of ${name}; ${TEXT_BYTES} at most`;
  }
  return undefined;
}

/** The needed fields that a new entry lacks. Those of a vault entry may be empty: it may hold an empty text. */
export function lackingFields(rule: EntryRule, fields: object): string[] {
  const given: { readonly [field: string]: unknown } = { ...fields };
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';
  return rule.needed.filter(
    name => given[name] === undefined || (rule !== entryRules.vault && isEmpty(given[name])),
  );
}

/** Code points: what a person would count of a text. */
function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The fields of a vault entry that code wrote, its content as the text that is kept. */
export function vaultFields(
  fields: StoreEntry,
): { given: { type?: string; description?: string; content?: string } } | { fault: string } {
  const { type, description, content, ...rest } = fields;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return { fault: `a vault entry has no ${quoted(unknown)}` };
  if (type !== undefined && typeof type !== 'string') return { fault: 'the type must be text' };
  if (description !== undefined && typeof description !== 'string')
    return { fault: 'the description must be text' };
  const isText = type === undefined || type === 'text' || type === 'code';
  if (content !== undefined && isText && typeof content !== 'string')
    return { fault: `the content of type ${type ?? 'text'} must be text` };
  const text = content === undefined || isText ? content : JSON.stringify(content);
  return {
    given: {
      ...(type !== undefined && { type }),
      ...(description !== undefined && { description }),
      ...(typeof text === 'string' && { content: text }),
    },
  };
}

/**
 * The fields of any other entry that code wrote. Dates and the id may stand there, since code writes back entries that
 * it read; they change nothing.
 */
export function otherFields(
  id: string,
  fields: StoreEntry,
):
  | {
      given: { heading?: string; content?: string; notes?: string; status?: string; important?: boolean };
    }
  | { fault: string } {
  const given: { [field: string]: string | boolean } = {};
  for (const [name, value] of Object.entries(fields))
    switch (name) {
      case 'heading':
      case 'content':
      case 'notes':
      case 'status':
        if (typeof value !== 'string') return { fault: `the ${name} must be text` };
        given[name] = value;
        break;
      case 'important':
        if (typeof value !== 'boolean') return { fault: `${name} must be true or false` };
        given[name] = value;
        break;
      case 'createdAt':
      case 'updatedAt':
        break;
      case 'id':
      case 'identifier':
        if (value !== id) return { fault: `its ${name} cannot be changed` };
        break;
      default:
        return { fault: `there is no field ${quoted(name)}` };
    }
  return { given };
}

/** A text that a model wrote, as messages show it: on one line, and no longer than an id of common length. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}...` : text);
}

/** `one of a, b, c`: what a value may be. */
export function oneOf(values: readonly string[]): string {
  return `one of ${values.join(', ')}`;
}

/** `a, b and c`. */
export const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
