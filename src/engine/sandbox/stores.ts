// The vault, memory, tasks and goals as one execution sees them: a snapshot under the writes made so far. What it
// wrote comes out as a list, to be checked and applied by the session, or dropped.
import { type Json, nearest, nestingOf, jsonOf, isObject } from '@echelon/ground';
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

/** The host's answer to the guest: JSON (an empty text for `undefined`), or an error to throw. */
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
  const entries = entriesOver(snapshot);
  const { now, all, put } = entries;
  const { missing, notFound } = readsInVain(all);
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
      const old = now(store, id);
      const read = readFields(store, id, json, old);
      if ('error' in read) return read;
      if (read.lacking.length > 0)
        return notFound(store, id, `. To make it, give ${listed(read.lacking)} too`);
      if (old === undefined && entries.count(store) >= ENTRIES)
        return refused(
          store,
          id,
          `there are ${ENTRIES} ${entryRules[store].plural}, the most there may be: delete some first`,
        );
      const { fields } = read;
      const last = entries.changeOf(store, id);
      const at = clock();
      return put(store, id, {
        now: { ...(old ?? defaults[store]), ...fields, createdAt: old?.['createdAt'] ?? at, updatedAt: at },
        fields: { ...last?.fields, ...fields },
        isReplaced: last?.isReplaced ?? false,
        sizes: { '': Buffer.byteLength(id), ...last?.sizes, ...read.sizes },
      });
    },
  };
  const isOperation = (name: string): name is keyof typeof operations => Object.hasOwn(operations, name);
  return {
    missing,
    writes: entries.writes,
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
  };
}

/** The entries as they are now: those of `snapshot` under the changes made since. */
function entriesOver(snapshot: StoreContents) {
  const changes = new Map<StoreName, Map<string, Change>>();
  const counts = new Map<StoreName, number>();
  let bytes = 0;
  let written = 0;
  const before = (store: StoreName, id: string) => {
    const entries = snapshot[store];
    return entries !== undefined && Object.hasOwn(entries, id) ? entries[id] : undefined;
  };
  const changeOf = (store: StoreName, id: string) => changes.get(store)?.get(id);
  const now = (store: StoreName, id: string) => {
    const change = changeOf(store, id);
    return change === undefined ? before(store, id) : change.now;
  };
  const count = (store: StoreName) => counts.get(store) ?? Object.keys(snapshot[store] ?? {}).length;
  return {
    changeOf,
    now,
    count,
    all(store: StoreName): [string, StoreEntry][] {
      const touched = changes.get(store);
      const old = Object.entries(snapshot[store] ?? {}).filter(([id]) => !touched?.has(id));
      const fresh = [...(touched ?? [])].flatMap(([id, { now }]): [string, StoreEntry][] =>
        now ? [[id, now]] : [],
      );
      return [...old, ...fresh];
    },
    /** Puts `change` in the place of the entry's last one, within the limits. */
    put(store: StoreName, id: string, change: Change): StoreAnswer {
      const old = changeOf(store, id);
      const total = bytes - sum(old?.sizes ?? {}) + sum(change.sizes);
      if (total > SESSION_BYTES) return tooMuch(`write ${SESSION_BYTES} bytes, not ${total}`);
      if (old === undefined && written >= WRITES) return tooMuch(`change ${WRITES} entries`);
      if (old === undefined) written += 1;
      bytes = total;
      const was = now(store, id) === undefined ? 0 : 1;
      counts.set(store, count(store) - was + (change.now === undefined ? 0 : 1));
      changes.set(store, (changes.get(store) ?? new Map<string, Change>()).set(id, change));
      return { json: 'null' };
    },
    /** Each changed entry once, in the order in which they were first changed in their store. */
    writes: () => [...changes].flatMap(([store, ofStore]) => writesOf(store, ofStore, before)),
  };
}

const tooMuch = (what: string): StoreAnswer => ({
  error: 'RangeError',
  message: `one execution may ${what}`,
});

function writesOf(
  store: StoreName,
  changes: ReadonlyMap<string, Change>,
  before: (store: StoreName, id: string) => StoreEntry | undefined,
): StoreWrite[] {
  const list: StoreWrite[] = [];
  for (const [id, { isReplaced, now, fields }] of changes) {
    if (isReplaced && before(store, id) !== undefined) list.push({ store, action: 'delete', id });
    if (now !== undefined) list.push({ store, action: 'set', id, fields });
  }
  return list;
}

/** Ids that were asked for in vain, and what is answered then. `all`: the entries that there are. */
function readsInVain(all: (store: StoreName) => readonly [string, StoreEntry][]) {
  const missing: MissingRead[] = [];
  return {
    missing,
    /** `besides` is added to the error. */
    notFound(store: StoreName, id: string, besides = ''): StoreAnswer {
      const isKnown = missing.some(each => each.store === store && each.id === id.slice(0, ID_CHARS));
      if (!isKnown && missing.length < MISSING) missing.push({ store, id: id.slice(0, ID_CHARS) });
      const near = nearest(
        id,
        all(store).map(([each]) => each),
      );
      const hint =
        near.length > 0
          ? `nearest: ${near.map(each => `"${each}"`).join(', ')}`
          : `${store}.list() shows all`;
      const shown = id.length > ID_CHARS ? `${id.slice(0, ID_CHARS)}...` : id;
      return {
        error: 'ReferenceError',
        message: `${entryRules[store].noun} "${shown}" not found; ${hint}${besides}`,
      };
    },
  };
}

const refused = (store: StoreName, id: string, message: string) =>
  ({
    error: 'RangeError',
    message: `${store}.set(${JSON.stringify(id.slice(0, ID_CHARS))}): ${message}`,
  }) as const;

interface GivenFields {
  fields: StoreEntry;
  sizes: Record<string, number>;
  /** Fields that a new entry lacks. */
  lacking: string[];
}

/** Reads the guest's fields for an entry (`old`: before the write) by the rules of its store. */
function readFields(
  store: StoreName,
  id: string,
  json: string,
  old: StoreEntry | undefined,
): GivenFields | Extract<StoreAnswer, { error: string }> {
  const fault = idFault(id);
  if (fault !== undefined) return refused(store, id, `the id ${fault}`);
  if (json.length > JSON_CHARS)
    return refused(
      store,
      id,
      `${json.length} characters as JSON; a text of an entry holds ${TEXT_BYTES} bytes at most`,
    );
  if (nestingOf(json) > NESTING) return refused(store, id, `nested more than ${NESTING} levels deep`);
  const isVault = store === 'vault';
  const given = entryOf(json);
  if (given === undefined || (isVault && given['content'] === undefined)) {
    const message = isVault
      ? `vault.set("${id}", content): the content has to be a JSON value, not undefined or a function`
      : `${store}.set("${id}", fields): the fields have to be an object such as { heading, content }`;
    return { error: 'TypeError', message };
  }
  const typed = isVault ? { ...given, type: vaultType(given, old) } : given;
  const read = isVault ? vaultFields(typed) : otherFields(id, given);
  if ('fault' in read) return refused(store, id, read.fault);
  const rule = entryRules[store];
  const wrong = fieldFault(rule, read.given);
  if (wrong !== undefined) return refused(store, id, wrong);
  // Code may make a vault entry without describing it.
  const lacking =
    old === undefined ? lackingFields(rule, { ...(isVault && { description: '' }), ...read.given }) : [];
  return { fields: isVault ? typed : { ...read.given }, sizes: sizesOf(read.given), lacking: [...lacking] };
}

const isStore = (name: string): name is StoreName => Object.hasOwn(entryRules, name);

/** Default fields of a new entry. */
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
  const value = jsonOf(json);
  return isObject(value) ? value : undefined;
}

/** The type that was given; else text stays what it was (text or code), and every other value is data. */
function vaultType(given: StoreEntry, old: StoreEntry | undefined): Json {
  if (given['type'] !== undefined) return given['type'];
  if (typeof given['content'] !== 'string') return 'data';
  return old?.['type'] === 'code' ? 'code' : 'text';
}
