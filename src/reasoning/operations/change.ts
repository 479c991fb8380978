// Writes and deletes one entry of any kind, within the limits.
import { didYouMean, nearest } from '../../lib/nearest.ts';
import type { Dated, Stores } from '../stores.ts';
import type { Kind } from './kinds.ts';
import { DESCRIPTION_CHARS, ENTRIES, oneOf, quoted, SESSION_BYTES, TEXT_BYTES } from './limits.ts';
import { bytesOf, bytesOfEntry, knownBytes } from './sizes.ts';

export type Applied =
  | { stores: Stores; answer: string; moved: boolean }
  /** `missing`: the id of an entry that was to be read. */
  | { error: string; missing?: string };

/** Changes the given fields of an entry, or makes it. A write that changes nothing answers the stores it was given. */
export function write<Entry extends Dated, Fields extends object>(
  kind: Kind<Entry, Fields>,
  stores: Stores,
  id: string,
  fields: Fields,
  now: number,
): Applied {
  const called = `${kind.noun} "${id}"`;
  const fault = fieldFault(kind, fields);
  if (fault !== undefined) return { error: `${called}: ${fault}` };
  const entries = kind.entries(stores);
  const index = entries.findIndex(entry => kind.idOf(entry) === id);
  const old = entries[index];
  const lacking = kind.needed.filter(name => fields[name] === undefined);
  if (!old && lacking.length > 0)
    return { error: `${notFound(kind, stores, id)}. To make it, give ${listed(lacking)} too` };
  if (!old && entries.length >= ENTRIES)
    return {
      error: `${called}: there are ${ENTRIES} ${kind.plural}, the most there may be: delete some first`,
    };

  const next = kind.merged(id, old, fields, { createdAt: old?.createdAt ?? now, updatedAt: now });
  if (old && isSame(old, next)) return { stores, answer: `${called} is as it was`, moved: false };
  const entryFault = kind.fault?.(next);
  if (entryFault !== undefined) return { error: `${called}: ${entryFault}` };
  const bytes = bytesOf(stores) - (old ? bytesOfEntry(old) : 0) + bytesOfEntry(next);
  if (bytes > SESSION_BYTES)
    return {
      error: `${called}: with it the session would store ${bytes} bytes; ${SESSION_BYTES} at most: delete or shorten entries`,
    };
  return {
    stores: knownBytes(kind.put(stores, old ? entries.with(index, next) : [...entries, next]), bytes),
    answer: `${called} ${old ? 'changed' : 'stored'}`,
    moved: old !== undefined && (kind.moved?.(old, next) ?? false),
  };
}

export function remove<Entry extends Dated, Fields extends object>(
  kind: Kind<Entry, Fields>,
  stores: Stores,
  id: string,
): Applied {
  const entries = kind.entries(stores);
  const old = entries.find(entry => kind.idOf(entry) === id);
  if (!old) return { error: notFound(kind, stores, id) };
  const rest = kind.put(
    stores,
    entries.filter(entry => entry !== old),
  );
  const bytes = bytesOf(stores) - bytesOfEntry(old);
  return { stores: knownBytes(rest, bytes), answer: `${kind.noun} "${id}" deleted`, moved: false };
}

/** `there is no task "x"; nearest: "y", "z"`, `others` being ids that are known besides the entries'. */
export function notFound<Entry extends Dated, Fields extends object>(
  kind: Kind<Entry, Fields>,
  stores: Stores,
  id: string,
  others: readonly string[] = [],
): string {
  const near = nearest(id, [...others, ...kind.entries(stores).map(kind.idOf)]);
  const hint = near.length > 0 ? `; nearest: ${near.map(each => `"${each}"`).join(', ')}` : '';
  return `there is no ${kind.noun} ${quoted(id)}${hint}`;
}

/** What is wrong with one of the fields by itself. */
function fieldFault<Entry extends Dated, Fields extends object>(
  { noun, needed, optional, values }: Kind<Entry, Fields>,
  fields: Fields,
): string | undefined {
  const known: readonly string[] = [...needed, ...optional];
  const given: [string, unknown][] = Object.entries(fields);
  for (const [name, value] of given) {
    if (!known.includes(name)) return `a ${noun} has no ${name}`;
    if (typeof value !== 'string') continue;
    const allowed = values[name];
    if (allowed && !allowed.includes(value))
      return `its ${name} is ${oneOf(allowed)}, not ${quoted(value)}${didYouMean(value, allowed)}`;
    if (name === 'description' && value.length > DESCRIPTION_CHARS)
      return `the description has ${value.length} characters; ${DESCRIPTION_CHARS} at most`;
    const bytes = Buffer.byteLength(value);
    if (bytes > TEXT_BYTES) return `${bytes} bytes of ${name}; ${TEXT_BYTES} at most`;
  }
  return undefined;
}

function isSame<Entry extends Dated>(old: Entry, next: Entry): boolean {
  return Object.keys(next).every(name => {
    const key = name as keyof Entry;
    return key === 'updatedAt' || old[key] === next[key];
  });
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
