// Carries the stores into the sandbox, and what an execution wrote back into them.
import { type Json, jsonOf } from '@echelon/ground';
import { otherFields, quoted, type StoreEntry, type StoreName, vaultFields } from '../../sandbox/entries.ts';
import type { StoreContents as SandboxStores, StoreWrite } from '../../sandbox/stores.ts';
import { lastResultId, type Stores, UNDEFINED } from '../stores.ts';
import { apply, type StoreOperation } from './apply.ts';
import type { VaultRule } from './kinds.ts';

/** The stores as code sees them, each entry under its id. `lastResult` is the vault's `last_execution_result`. */
export function storesForSandbox(stores: Stores, lastResult: string | undefined): SandboxStores {
  const vault = stores.vault.map(({ id, content, ...about }): [string, StoreEntry] => [
    id,
    { ...about, content: about.type === 'data' ? parsed(content) : content },
  ]);
  if (lastResult === UNDEFINED) vault.push([lastResultId, { type: 'text' }]);
  else if (lastResult !== undefined)
    vault.push([lastResultId, { type: 'data', content: parsed(lastResult) }]);
  const byId = (entries: readonly ({ identifier: string } & StoreEntry)[]) =>
    Object.fromEntries(entries.map(({ identifier, ...entry }) => [identifier, entry]));
  return {
    vault: Object.fromEntries(vault),
    memory: byId(stores.memory.map(entry => ({ ...entry }))),
    tasks: byId(stores.tasks.map(entry => ({ ...entry }))),
    goals: byId(stores.goals.map(entry => ({ ...entry }))),
  };
}

/** The value of a JSON text; a result that has none (a function's name, one that was cut) stays text. */
function parsed(json: string): Json {
  const value = jsonOf(json);
  return value === undefined ? json : value;
}

/**
 * The stores with all writes of an execution; or, when one of them cannot be applied, why, and none is. `now` is in milliseconds since the epoch.
 */
export function applyWrites(
  stores: Stores,
  writes: readonly StoreWrite[],
  now: number,
  rules?: readonly VaultRule[],
): { stores: Stores } | { error: string } {
  // An entry's deletion comes before its new fields anyway; all deletions first, they make room.
  const ordered = [...writes.filter(isDelete), ...writes.filter(write => !isDelete(write))];
  let next = stores;
  for (const write of ordered) {
    const operation = operationOf(write, next);
    if ('error' in operation) return operation;
    const applied = apply(next, operation, now, { rules });
    if ('error' in applied) return { error: applied.error };
    next = applied.stores;
  }
  return { stores: next };
}

const isDelete = (write: StoreWrite) => write.action === 'delete';

const kinds = { memory: 'memory', tasks: 'task', goals: 'goal' } as const;

function operationOf(write: StoreWrite, stores: Stores): StoreOperation | { error: string } {
  const { store, action, id } = write;
  if (store === 'vault') {
    if (action === 'delete') return { kind: 'vault', action, id };
    return vaultWrite(id, write.fields, stores);
  }
  if (action === 'delete') return { kind: kinds[store], action, identifier: id };
  const read = otherFields(id, write.fields);
  if ('fault' in read) return refused(store, id, read.fault);
  return { kind: kinds[store], action, identifier: id, fields: read.given };
}

/** Code may make an entry without describing it. */
function vaultWrite(id: string, fields: StoreEntry, stores: Stores): StoreOperation | { error: string } {
  const read = vaultFields(fields);
  if ('fault' in read) return refused('vault', id, read.fault);
  const isNew = !stores.vault.some(entry => entry.id === id);
  return { kind: 'vault', action: 'set', id, ...(isNew && { description: '' }), ...read.given };
}

function refused(store: StoreName, id: string, message: string): { error: string } {
  return { error: `${store}.set(${quoted(id)}): ${message}` };
}
