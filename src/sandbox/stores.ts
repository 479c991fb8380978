// The vault, memory, tasks and goals as one execution sees them: a snapshot under the writes made so far. What it
// wrote comes out as a list, to be checked and applied by the session, or dropped.
import type { Json } from '../lib/json.ts';
import { nearest } from '../lib/nearest.ts';
import { NESTING, nestingOf } from './nesting.ts';

export type StoreName = 'vault' | 'memory' | 'tasks' | 'goals';

/** An entry's fields. A vault entry's `content` is what `vault.get` answers: a text, or the data as a value. */
export type StoreEntry = { readonly [field: string]: Json };

/** Each store's entries by id. */
export type Stores = { readonly [Name in StoreName]?: { readonly [id: string]: StoreEntry } };

/** A `set` gives only the fields that were set; a `delete` before it means that the old ones are gone. */
export type StoreWrite =
  | { store: StoreName; action: 'set'; id: string; fields: StoreEntry }
  | { store: StoreName; action: 'delete'; id: string };

export interface MissingRead {
  store: StoreName;
  id: string;
}

/** What the guest gets of a call: the answer as JSON, or an error to throw. */
export type StoreAnswer =
  | { json: string }
  | { error: 'ReferenceError' | 'TypeError' | 'RangeError'; message: string };

/** The vault id that always holds the last execution's return value. */
const RESERVED = 'last_execution_result';
/** The session's own limits on entries (256 KB one, 4 MB all), here so that an execution cannot heap up more. */
const ENTRY_CHARS = 256 * 1024;
const ALL_CHARS = 4 * 1024 * 1024;
const ID_CHARS = 200;
const WRITES = 10_000;
const MISSING = 100;

const nouns: Record<StoreName, string> = {
  vault: 'vault entry',
  memory: 'memory',
  tasks: 'task',
  goals: 'goal',
};

/** One entry's change: what it holds now, and the fields that were set since the snapshot or since its deletion. */
interface Change {
  now: StoreEntry | undefined;
  fields: StoreEntry;
  isReplaced: boolean;
  chars: number;
}

export function openStores(snapshot: Stores) {
  const changes = new Map<StoreName, Map<string, Change>>();
  const missing: MissingRead[] = [];
  let chars = 0;
  let written = 0;

  const changesOf = (store: StoreName) => {
    let found = changes.get(store);
    if (found === undefined) changes.set(store, (found = new Map()));
    return found;
  };
  const before = (store: StoreName, id: string) => {
    const entries = snapshot[store];
    return entries !== undefined && Object.hasOwn(entries, id) ? entries[id] : undefined;
  };
  const now = (store: StoreName, id: string) => {
    const change = changes.get(store)?.get(id);
    return change === undefined ? before(store, id) : change.now;
  };
  const all = (store: StoreName): [string, StoreEntry][] => {
    const touched = changes.get(store);
    const old = Object.entries(snapshot[store] ?? {}).filter(([id]) => !touched?.has(id));
    const fresh = [...(touched ?? [])].flatMap(([id, { now }]): [string, StoreEntry][] =>
      now ? [[id, now]] : [],
    );
    return [...old, ...fresh];
  };
  const notFound = (store: StoreName, id: string): StoreAnswer => {
    const near = nearest(
      id,
      all(store).map(([each]) => each),
    );
    const hint =
      near.length > 0 ? `nearest: ${near.map(each => `"${each}"`).join(', ')}` : `${store}.list() shows all`;
    const shown = id.length > ID_CHARS ? `${id.slice(0, ID_CHARS)}...` : id;
    return { error: 'ReferenceError', message: `${nouns[store]} "${shown}" not found; ${hint}` };
  };
  /** Puts `change` in the place of the entry's last one, within the limits. */
  const put = (store: StoreName, id: string, change: Change): StoreAnswer => {
    const old = changesOf(store).get(id);
    const total = chars - (old?.chars ?? 0) + change.chars;
    if (total > ALL_CHARS)
      return {
        error: 'RangeError',
        message: `one execution may write ${ALL_CHARS} characters, not ${total}`,
      };
    if (old === undefined && written >= WRITES)
      return { error: 'RangeError', message: `one execution may change ${WRITES} entries` };
    if (old === undefined) written += 1;
    chars = total;
    changesOf(store).set(id, change);
    return { json: 'null' };
  };

  const operations = {
    get(store: StoreName, id: string): StoreAnswer {
      const entry = now(store, id);
      if (entry !== undefined)
        return { json: JSON.stringify(store === 'vault' ? (entry['content'] ?? null) : entry) };
      const isKnown = missing.some(each => each.store === store && each.id === id);
      if (!isKnown && missing.length < MISSING) missing.push({ store, id: id.slice(0, ID_CHARS) });
      return notFound(store, id);
    },
    list(store: StoreName): StoreAnswer {
      return { json: JSON.stringify(all(store).map(([id, { content: _, ...rest }]) => ({ id, ...rest }))) };
    },
    delete(store: StoreName, id: string): StoreAnswer {
      if (now(store, id) === undefined) return notFound(store, id);
      return put(store, id, { now: undefined, fields: {}, isReplaced: true, chars: 0 });
    },
    set(store: StoreName, id: string, json: string): StoreAnswer {
      if (id === '' || id.length > ID_CHARS)
        return { error: 'RangeError', message: `an id has 1 to ${ID_CHARS} characters, not ${id.length}` };
      if (json.length > ENTRY_CHARS)
        return {
          error: 'RangeError',
          message: `${store}.set("${id}"): ${json.length} characters as JSON; an entry holds ${ENTRY_CHARS} at most`,
        };
      if (nestingOf(json) > NESTING)
        return {
          error: 'RangeError',
          message: `${store}.set("${id}"): nested more than ${NESTING} levels deep`,
        };
      const given = entryOf(json);
      if (given === undefined || (store === 'vault' && given['content'] === undefined))
        return {
          error: 'TypeError',
          message:
            store === 'vault'
              ? `vault.set("${id}", content): the content has to be a JSON value, not undefined or a function`
              : `${store}.set("${id}", fields): the fields have to be an object such as { heading, content }`,
        };
      const old = now(store, id);
      const fields = store === 'vault' ? { ...given, type: vaultType(given, old) } : given;
      const last = changesOf(store).get(id);
      const set = { ...last?.fields, ...fields };
      return put(store, id, {
        now: { ...old, ...fields },
        fields: set,
        isReplaced: last?.isReplaced ?? false,
        chars: JSON.stringify(set).length,
      });
    },
  };

  return {
    missing,
    /** One call of the guest. `json` is used by `set` only. */
    call(operation: string, store: string, id: string, json: string): StoreAnswer {
      if (!isStore(store) || !isOperation(operation))
        return { error: 'TypeError', message: `there is no ${store}.${operation}` };
      if (store === 'vault' && id === RESERVED && (operation === 'set' || operation === 'delete'))
        return {
          error: 'TypeError',
          message: `"${RESERVED}" is what the last execution returned: return a value instead`,
        };
      return operations[operation](store, id, json);
    },
    /** Each changed entry once, in the order in which they were first changed in their store. */
    writes(): StoreWrite[] {
      const list: StoreWrite[] = [];
      for (const [store, entries] of changes)
        for (const [id, change] of entries) {
          if (change.isReplaced && before(store, id) !== undefined)
            list.push({ store, action: 'delete', id });
          if (change.now !== undefined) list.push({ store, action: 'set', id, fields: change.fields });
        }
      return list;
    },
  };

  function isOperation(name: string): name is keyof typeof operations {
    return Object.hasOwn(operations, name);
  }
}

const isStore = (name: string): name is StoreName => Object.hasOwn(nouns, name);

/** The object that `json` is, or nothing when it is another value. */
function entryOf(json: string): StoreEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return isEntry(value) ? value : undefined;
}

/** What JSON.parse gives is a Json, so an object of it is an entry. */
const isEntry = (value: unknown): value is StoreEntry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The type that was given; else text stays what it was (text or code), and every other value is data. */
function vaultType(given: StoreEntry, old: StoreEntry | undefined): Json {
  if (given['type'] !== undefined) return given['type'];
  if (typeof given['content'] !== 'string') return 'data';
  return old?.['type'] === 'code' ? 'code' : 'text';
}
