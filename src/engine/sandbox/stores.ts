// The vault, memory, tasks and goals as one execution sees them: a snapshot under the writes made so far. What it
// wrote comes out as a list, to be checked and applied by the session, or dropped.
import type { Json } from '../../lib/json.ts';
import { nearest } from '../../lib/nearest.ts';
import { nestingOf } from '../../lib/json-scan.ts';
import {
  ENTRIES,
  entryRules,
  fieldFault,
  idFault,
  lackingFields,
  listed,
  otherFields,
  SESSION_BYTES,
  type StoreEntry,
  type StoreName,
  TEXT_BYTES,
  vaultFields,
} from './entries.ts';
import { NESTING } from './limits.ts';

/** Each store's entries by id. */
export type StoreContents = { readonly [Name in StoreName]?: { readonly [id: string]: StoreEntry } };

/** A `set` gives only the fields that were set; a `delete` before it means that the old ones are gone. */
export type StoreWrite =
  | { store: StoreName; action: 'set'; id: string; fields: StoreEntry }
  | { store: StoreName; action: 'delete'; id: string };

export interface MissingRead {
  store: StoreName;
  id: string;
}

/** What the guest gets of a call: the answer as JSON (an empty text for `undefined`), or an error to throw. */
export type StoreAnswer =
  | { json: string }
  | { error: 'ReferenceError' | 'TypeError' | 'RangeError'; message: string };

/** The vault id under which code finds the value of the execution before; it cannot be written. */
export const lastResultId = 'last_execution_result';
/** Characters of a call's JSON that are read: three texts of an entry, each character in its longest escape. */
const JSON_CHARS = 3 * 6 * TEXT_BYTES;
const ID_CHARS = 200;
const WRITES = 10_000;
const MISSING = 100;

/** One entry's change: what it holds now, and the fields that were set since the snapshot or since its deletion. */
interface Change {
  now: StoreEntry | undefined;
  fields: StoreEntry;
  isReplaced: boolean;
  /** Bytes (UTF-8) of each text that was set, and of the id under an empty name. */
  sizes: Readonly<Record<string, number>>;
}

/** `clock` answers milliseconds since the epoch. */
export function openStores(snapshot: StoreContents, clock: () => number = Date.now) {
  const changes = new Map<StoreName, Map<string, Change>>();
  const missing: MissingRead[] = [];
  const entries = new Map<StoreName, number>();
  let bytes = 0;
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
  const countOf = (store: StoreName) => entries.get(store) ?? Object.keys(snapshot[store] ?? {}).length;
  /** Notes that the id was asked for in vain; `besides` is added to the error. */
  const notFound = (store: StoreName, id: string, besides = ''): StoreAnswer => {
    const isKnown = missing.some(each => each.store === store && each.id === id.slice(0, ID_CHARS));
    if (!isKnown && missing.length < MISSING) missing.push({ store, id: id.slice(0, ID_CHARS) });
    const near = nearest(
      id,
      all(store).map(([each]) => each),
    );
    const hint =
      near.length > 0 ? `nearest: ${near.map(each => `"${each}"`).join(', ')}` : `${store}.list() shows all`;
    const shown = id.length > ID_CHARS ? `${id.slice(0, ID_CHARS)}...` : id;
    return {
      error: 'ReferenceError',
      message: `${entryRules[store].noun} "${shown}" not found; ${hint}${besides}`,
    };
  };
  /** Puts `change` in the place of the entry's last one, within the limits. */
  const put = (store: StoreName, id: string, change: Change): StoreAnswer => {
    const old = changesOf(store).get(id);
    const total = bytes - sum(old?.sizes ?? {}) + sum(change.sizes);
    if (total > SESSION_BYTES)
      return { error: 'RangeError', message: `one execution may write ${SESSION_BYTES} bytes, not ${total}` };
    if (old === undefined && written >= WRITES)
      return { error: 'RangeError', message: `one execution may change ${WRITES} entries` };
    if (old === undefined) written += 1;
    bytes = total;
    const was = now(store, id) === undefined ? 0 : 1;
    entries.set(store, countOf(store) - was + (change.now === undefined ? 0 : 1));
    changesOf(store).set(id, change);
    return { json: 'null' };
  };

  const operations = {
    get(store: StoreName, id: string): StoreAnswer {
      const entry = now(store, id);
      if (entry === undefined) return notFound(store, id);
      return { json: JSON.stringify(store === 'vault' ? entry['content'] : entry) ?? '' };
    },
    list(store: StoreName): StoreAnswer {
      return { json: JSON.stringify(all(store).map(([id, { content: _, ...rest }]) => ({ id, ...rest }))) };
    },
    delete(store: StoreName, id: string): StoreAnswer {
      if (now(store, id) === undefined) return notFound(store, id);
      return put(store, id, { now: undefined, fields: {}, isReplaced: true, sizes: {} });
    },
    set(store: StoreName, id: string, json: string): StoreAnswer {
      const refused = (message: string): StoreAnswer => ({
        error: 'RangeError',
        message: `${store}.set(${JSON.stringify(id.slice(0, ID_CHARS))}): ${message}`,
      });
      const fault = idFault(id);
      if (fault !== undefined) return refused(`the id ${fault}`);
      if (json.length > JSON_CHARS)
        return refused(
          `${json.length} characters as JSON; a text of an entry holds ${TEXT_BYTES} bytes at most`,
        );
      if (nestingOf(json) > NESTING) return refused(`nested more than ${NESTING} levels deep`);
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
      const typed = store === 'vault' ? { ...given, type: vaultType(given, old) } : given;
      const read = store === 'vault' ? vaultFields(typed) : otherFields(id, given);
      if ('fault' in read) return refused(read.fault);
      const rule = entryRules[store];
      const wrong = fieldFault(rule, read.given);
      if (wrong !== undefined) return refused(wrong);
      // Code may make a vault entry without describing it.
      const lacking =
        old === undefined
          ? lackingFields(rule, { ...(store === 'vault' && { description: '' }), ...read.given })
          : [];
      if (lacking.length > 0) return notFound(store, id, `. To make it, give ${listed(lacking)} too`);
      if (old === undefined && countOf(store) >= ENTRIES)
        return refused(`there are ${ENTRIES} ${rule.plural}, the most there may be: delete some first`);

      const fields: StoreEntry = store === 'vault' ? typed : { ...read.given };
      const last = changesOf(store).get(id);
      const at = clock();
      return put(store, id, {
        now: { ...(old ?? defaults[store]), ...fields, createdAt: old?.['createdAt'] ?? at, updatedAt: at },
        fields: { ...last?.fields, ...fields },
        isReplaced: last?.isReplaced ?? false,
        sizes: { '': Buffer.byteLength(id), ...last?.sizes, ...sizesOf(read.given) },
      });
    },
  };

  return {
    missing,
    /** One call of the guest. `json` is used by `set` only. */
    call(operation: string, store: string, id: string, json: string): StoreAnswer {
      if (!isStore(store) || !isOperation(operation))
        return { error: 'TypeError', message: `there is no ${store}.${operation}` };
      if (store === 'vault' && id === lastResultId && (operation === 'set' || operation === 'delete'))
        return {
          error: 'TypeError',
          message: `"${lastResultId}" is what the last execution returned: return a value instead`,
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

const isStore = (name: string): name is StoreName => Object.hasOwn(entryRules, name);

/** What a new entry has where it was not given. */
const defaults: Readonly<Record<StoreName, StoreEntry>> = {
  vault: { description: '' },
  memory: { notes: '', important: false },
  tasks: { notes: '', status: 'pending' },
  goals: { notes: '', status: 'open' },
};

/** Bytes (UTF-8) of the texts among the fields. */
function sizesOf(fields: object): Record<string, number> {
  const given: [string, unknown][] = Object.entries(fields);
  return Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, Buffer.byteLength(value)]] : [])),
  );
}

const sum = (sizes: Readonly<Record<string, number>>) =>
  Object.values(sizes).reduce((all, each) => all + each, 0);

/** The object that `json` is, or nothing when it is another value. */
function entryOf(json: string): StoreEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The caller says that it is no object.
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
