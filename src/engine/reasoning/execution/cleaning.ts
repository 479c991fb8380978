// What the model will see of an execution besides its last attempt, and what is taken out of it and added after a
// failure. Records and logs keep everything.
import type { StoreName } from '../../sandbox/entries.ts';
import type { MissingRead } from '../../sandbox/stores.ts';
import type { Stores } from '../stores.ts';
import type { FailedAttempt } from './record.ts';

/** Immutable. */
export interface SeenContext {
  /** The execution log: earlier attempts, all failed. */
  readonly log: readonly FailedAttempt[];
  /** The access tracker: ids that were asked for in vain. */
  readonly missing: readonly string[];
  /** The reasoning log: what the model wrote before it executed the code. */
  readonly reasoning: string;
  /** What was added: valid ids, hints. */
  readonly notes: readonly string[];
}

/** Each can be switched off, or on, by itself. Writes of a failed attempt are undone in any case. */
export const defaultCleaning = {
  executionLog: true,
  tracker: true,
  reasoningLog: false,
  validIds: true,
  hint: true,
};

export type CleaningSwitches = Readonly<typeof defaultCleaning>;

export const TIMEOUT_HINT =
  'Hint: the time limit was reached. Do less at once: fewer or smaller steps, results kept in the vault between ' +
  'executions, no waiting for what may never come.';

/**
 * The context after the failed attempt, and the names of the switches that changed it. `stores`: as they were before the
 * attempt, and are again.
 */
export function cleaned(
  seen: SeenContext,
  { failed, stores }: { failed: FailedAttempt; stores: Stores },
  on: CleaningSwitches = defaultCleaning,
): { seen: SeenContext; what: (keyof CleaningSwitches)[] } {
  const what: (keyof CleaningSwitches)[] = [];
  let next = seen;
  const change = (name: keyof CleaningSwitches, isDue: boolean, to: Partial<SeenContext>, note?: string) => {
    const isNew = note !== undefined && !next.notes.includes(note);
    if (!on[name] || !isDue || (note !== undefined && !isNew && Object.keys(to).length === 0)) return;
    next = { ...next, ...to, ...(isNew && { notes: [...next.notes, note] }) };
    what.push(name);
  };
  change('executionLog', seen.log.length > 0, { log: [] });
  // The model is told of them in their place: code may have caught what would have told it.
  const asked = `Asked for in vain: ${listed(seen.missing)}`;
  change('tracker', seen.missing.length > 0, { missing: [] }, asked);
  change('reasoningLog', seen.reasoning !== '', { reasoning: '' });
  const { adds } = failed.row;
  change('validIds', adds === 'validIds', {}, validIdsNote(validIds(stores, failed.missingReads)));
  change('hint', adds === 'hint', {}, TIMEOUT_HINT);
  return { seen: next, what };
}

/** Characters of a list of ids. */
const IDS = 2000;

function listed(ids: readonly string[]): string {
  const list = ids.map(id => JSON.stringify(id)).join(', ');
  return list.length > IDS ? `${list.slice(0, IDS).toWellFormed()} ...` : list;
}

/** The ids as a line for the model. */
export const validIdsNote = (ids: readonly string[]): string =>
  ids.length === 0 ? 'Valid ids: there are none yet.' : `Valid ids: ${listed(ids)}`;

/** Ids that are named at most: the newest ones. */
const VALID = 100;

/** The ids that code could have meant: of the stores that were asked in vain; of the vault where none was. */
export function validIds(stores: Stores, missing: readonly MissingRead[]): string[] {
  const asked = new Set<StoreName>(missing.length === 0 ? ['vault'] : missing.map(({ store }) => store));
  const ids = {
    vault: stores.vault.map(({ id }) => id),
    memory: stores.memory.map(({ identifier }) => identifier),
    tasks: stores.tasks.map(({ identifier }) => identifier),
    goals: stores.goals.map(({ identifier }) => identifier),
  };
  return [...asked].flatMap(store => ids[store]).slice(-VALID);
}

/** Ids that the access tracker keeps, the newest, and characters of one: it is kept with the session. */
const TRACKED = 100;
const ID_CHARS = 200;

/** The access tracker with `ids`, each once. */
export function tracked(before: readonly string[], ids: readonly string[]): string[] {
  const newest = ids.slice(-TRACKED).map(id => id.slice(0, ID_CHARS));
  return [...new Set([...before, ...newest])].slice(-TRACKED);
}
