// Validation of an operation's fields, which come as attributes and body or as the input of a call.
import { messageOf } from '@echelon/ground';
import { quoted } from '../../sandbox/entries.ts';
import type { EntryFields, Operation } from '../operation.ts';

/** By the names of attributes; a body is under its field. Without a prototype where they come from a model. */
export type Fields = Readonly<Record<string, string>>;

/** Characters of an entry that are shown when a read names no limit. */
const READ_CHARS = 2_000;

export function vaultOperation(fields: Fields, action: string | undefined): Operation {
  const { id = '', limit = '' } = fields;
  if (action === 'delete') return { kind: 'vault', action, id };
  if (action === 'request_read')
    return { kind: 'vault', action: 'read', id, limit: charactersOf(limit) ?? READ_CHARS };
  return { kind: 'vault', action: 'set', id, ...given(fields, ['type', 'description', 'content']) };
}

export function entryOperation(
  kind: 'memory' | 'task' | 'goal',
  fields: Fields,
  action: string | undefined,
): Operation {
  const { identifier = '', important } = fields;
  if (action === 'delete') return { kind, action, identifier };
  const texts: EntryFields = given(fields, ['heading', 'content', 'notes', 'status']);
  const flag = important !== undefined && { important: important === 'true' };
  return { kind, action: 'set', identifier, fields: { ...texts, ...flag } };
}

export function toolOperation({ name = '', input = '' }: Fields): Operation | { message: string } {
  try {
    return { kind: 'tool', name, input: input.trim() === '' ? {} : JSON.parse(input) };
  } catch (error) {
    return { message: `the input of the tool ${quoted(name)} must be JSON: ${messageOf(error)}` };
  }
}

/** Meaning of an attribute with the values `characters`. */
export function charactersOf(value: string): number | 'full-length' | undefined {
  if (value === 'full-length') return value;
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
}

function given<Name extends string>(fields: Fields, names: readonly Name[]): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
