// Carries the stores into the sandbox, and what an execution wrote back into them.
import type { Json } from '../../lib/json.ts';
import type { StoreEntry, StoreName, Stores as SandboxStores, StoreWrite } from '../../sandbox/stores.ts';
import type { EntryFields } from '../operation.ts';
import { lastResultId, type Stores } from '../stores.ts';
import { apply, type StoreOperation } from './apply.ts';
import { quoted } from './limits.ts';

/** The stores as code sees them, each entry under its id. `lastResult` is the vault's `last_execution_result`. */
export function storesForSandbox(stores: Stores, lastResult: string | undefined): SandboxStores {
  const vault = stores.vault.map(({ id, content, ...about }): [string, StoreEntry] => [
    id,
    { ...about, content: about.type === 'data' ? parsed(content) : content },
  ]);
  if (lastResult !== undefined) vault.push([lastResultId, { type: 'data', content: parsed(lastResult) }]);
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
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/**
 * The stores with all writes of an execution, and how many tasks and goals moved on; or, when one of them cannot be
 * applied, why, and none is. `now` is in milliseconds since the epoch.
 */
export function applyWrites(
  stores: Stores,
  writes: readonly StoreWrite[],
  now: number,
): { stores: Stores; moved: number } | { error: string } {
  // An entry's deletion comes before its new fields anyway; all deletions first, they make room.
  const ordered = [...writes.filter(isDelete), ...writes.filter(write => !isDelete(write))];
  let next = stores;
  let moved = 0;
  for (const write of ordered) {
    const operation = operationOf(write, next);
    if ('error' in operation) return operation;
    const applied = apply(next, operation, now);
    if ('error' in applied) return { error: applied.error };
    next = applied.stores;
    if (applied.moved) moved++;
  }
  return { stores: next, moved };
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
  const fields = entryFields(store, id, write.fields);
  return 'error' in fields ? fields : { kind: kinds[store], action, identifier: id, fields: fields.given };
}

/** Code may make an entry without describing it. */
function vaultWrite(id: string, fields: StoreEntry, stores: Stores): StoreOperation | { error: string } {
  const { type, description, content, ...rest } = fields;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return refused('vault', id, `a vault entry has no ${quoted(unknown)}`);
  if (type !== undefined && typeof type !== 'string') return refused('vault', id, 'the type must be text');
  if (description !== undefined && typeof description !== 'string')
    return refused('vault', id, 'the description must be text');
  const isText = type === undefined || type === 'text' || type === 'code';
  if (content !== undefined && isText && typeof content !== 'string')
    return refused('vault', id, `the content of type ${type ?? 'text'} must be text`);
  const isNew = !stores.vault.some(entry => entry.id === id);
  return {
    kind: 'vault',
    action: 'set',
    id,
    ...(type !== undefined && { type }),
    ...(description !== undefined ? { description } : isNew && { description: '' }),
    ...(content !== undefined && { content: isText ? String(content) : JSON.stringify(content) }),
  };
}

/** Dates and the id may stand there, since code writes back entries that it read; they change nothing. */
function entryFields(
  store: Exclude<StoreName, 'vault'>,
  id: string,
  fields: StoreEntry,
): { given: EntryFields } | { error: string } {
  const given: EntryFields = {};
  for (const [name, value] of Object.entries(fields))
    switch (name) {
      case 'heading':
      case 'content':
      case 'notes':
      case 'status':
        if (typeof value !== 'string') return refused(store, id, `the ${name} must be text`);
        given[name] = value;
        break;
      case 'important':
        if (typeof value !== 'boolean') return refused(store, id, `${name} must be true or false`);
        given.important = value;
        break;
      case 'createdAt':
      case 'updatedAt':
        break;
      case 'id':
      case 'identifier':
        if (value !== id) return refused(store, id, `its ${name} cannot be changed`);
        break;
      default:
        return refused(store, id, `there is no field ${quoted(name)}`);
    }
  return { given };
}

function refused(store: StoreName, id: string, message: string): { error: string } {
  return { error: `${store}.set(${quoted(id)}): ${message}` };
}
