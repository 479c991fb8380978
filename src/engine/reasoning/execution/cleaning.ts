// Takes a failed attempt out of what the model will see, before the next attempt. Records and logs keep it.
import type { Stores } from '../stores.ts';
import type { FailedAttempt } from './attempt.ts';
import { validIds } from './valid-ids.ts';

/** What the model will be shown of an execution besides its last attempt. Immutable. */
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

export interface CleaningReason {
  failed: FailedAttempt;
  /** As they were before the failed attempt, and are again. */
  stores: Stores;
}

export interface Cleaner {
  name: string;
  /** Answers the context it was given where there is nothing to do. */
  clean(context: SeenContext, reason: CleaningReason): SeenContext;
}

/** Each can be switched off, or on, by itself. Writes of a failed attempt are undone in any case. */
export type CleaningSwitches = { readonly [Name in CleanerName]: boolean };

export const defaultCleaning: CleaningSwitches = {
  executionLog: true,
  tracker: true,
  reasoningLog: false,
  validIds: true,
  hint: true,
};

export type CleanerName = 'executionLog' | 'tracker' | 'reasoningLog' | 'validIds' | 'hint';

export const TIMEOUT_HINT =
  'Hint: the time limit was reached. Do less at once: fewer or smaller steps, results kept in the vault between ' +
  'executions, no waiting for what may never come.';

const withNote = (context: SeenContext, note: string): SeenContext =>
  note === '' || context.notes.includes(note) ? context : { ...context, notes: [...context.notes, note] };

/** In the order in which they are run. */
export const cleaners = [
  { name: 'executionLog', clean: context => (context.log.length === 0 ? context : { ...context, log: [] }) },
  {
    name: 'tracker',
    // The model is told of them in their place: code may have caught what would have told it.
    clean: context =>
      context.missing.length === 0
        ? context
        : withNote({ ...context, missing: [] }, `Asked for in vain: ${listed(context.missing)}`),
  },
  {
    name: 'reasoningLog',
    clean: context => (context.reasoning === '' ? context : { ...context, reasoning: '' }),
  },
  {
    name: 'validIds',
    clean: (context, { failed, stores }) =>
      failed.row.adds === 'validIds' ? withNote(context, validIdsNote(stores, failed)) : context,
  },
  {
    name: 'hint',
    clean: (context, { failed }) => (failed.row.adds === 'hint' ? withNote(context, TIMEOUT_HINT) : context),
  },
] as const satisfies readonly (Cleaner & { name: CleanerName })[];

/** Characters of a list of ids. */
const IDS = 2000;

/** The ids as a line for the model. */
export function validIdsNote(stores: Stores, failed: Pick<FailedAttempt, 'missingReads'>): string {
  const ids = validIds(stores, failed.missingReads);
  if (ids.length === 0) return 'Valid ids: there are none yet.';
  return `Valid ids: ${listed(ids)}`;
}

function listed(ids: readonly string[]): string {
  const list = ids.map(id => JSON.stringify(id)).join(', ');
  return list.length > IDS ? `${list.slice(0, IDS).toWellFormed()} ...` : list;
}

/** The context after all of `by` whose switch is on (own ones have none), and the names of those that changed it. */
export function cleaned(
  context: SeenContext,
  reason: CleaningReason,
  switches: CleaningSwitches = defaultCleaning,
  by: Iterable<Cleaner> = cleaners,
): { context: SeenContext; what: string[] } {
  const what: string[] = [];
  const isOn: { readonly [name: string]: boolean } = switches;
  for (const { name, clean } of by) {
    if (Object.hasOwn(isOn, name) && isOn[name] === false) continue;
    const before = context;
    context = clean(context, reason);
    if (context !== before) what.push(name);
  }
  return { context, what };
}
