// Bytes that the stores hold.
import type { Stores } from '../stores.ts';

/** Bytes (UTF-8) of an entry's texts. */
export function bytesOfEntry(entry: object): number {
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
export function knownBytes(stores: Stores, bytes: number): Stores {
  measured.set(stores, bytes);
  return stores;
}
