// Writes and deletes one entry of any kind, within the limits.
import type { Dated, Stores } from '../stores.ts';
import { nearest } from '@echelon/ground';
import { ENTRIES, fieldFault, lackingFields, listed, quoted, SESSION_BYTES } from '../../sandbox/entries.ts';
import type { Kind } from './kinds.ts';

export type Applied =
  | { stores: Stores; answer: string }
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
  const { rule } = kind;
  const called = `${rule.noun} "${id}"`;
  const fault = fieldFault(kind.rule, fields);
  if (fault !== undefined) return { error: `${called}: ${fault}` };
  const entries = kind.entries(stores);
  const index = entries.findIndex(entry => kind.idOf(entry) === id);
  const old = entries[index];
  const lacking = old ? [] : lackingFields(rule, fields);
  if (lacking.length > 0)
    return { error: `${notFound(kind, stores, id)}. To make it, give ${listed(lacking)} too` };
  if (!old && entries.length >= ENTRIES)
    return {
      error: `${called}: there are ${ENTRIES} ${rule.plural}, the most there may be: delete some first`,
    };

  const next = kind.merged(id, old, fields, { createdAt: old?.createdAt ?? now, updatedAt: now });
  if (old && isSame(old, next)) return { stores, answer: `${called} is as it was` };
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
  return { stores: knownBytes(rest, bytes), answer: `${kind.rule.noun} "${id}" deleted` };
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
  return `there is no ${kind.rule.noun} ${quoted(id)}${hint}`;
}

function isSame<Entry extends Dated>(old: Entry, next: Entry): boolean {
  return Object.keys(next).every(name => {
    const key = name as keyof Entry;
    return key === 'updatedAt' || old[key] === next[key];
  });
}

/** Bytes (UTF-8) of an entry's texts. */
function bytesOfEntry(entry: object): number {
  let bytes = 0;
  for (const value of Object.values(entry)) if (typeof value === 'string') bytes += Buffer.byteLength(value);
  return bytes;
}

/** Stores never change, so each is measured once. */
const measured = new WeakMap<Stores, number>();

/** Bytes (UTF-8) of all entries' texts. */
export function bytesOf(stores: Stores): number {
  const known = measured.get(stores);
  if (known !== undefined) return known;
  let bytes = 0;
  for (const entries of [stores.vault, stores.memory, stores.tasks, stores.goals])
    for (const entry of entries) bytes += bytesOfEntry(entry);
  measured.set(stores, bytes);
  return bytes;
}

/** Spares `stores` the measuring: an execution may write thousands of entries, one after the other. */
function knownBytes(stores: Stores, bytes: number): Stores {
  measured.set(stores, bytes);
  return stores;
}
