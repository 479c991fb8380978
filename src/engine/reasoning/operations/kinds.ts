// The four kinds of entries: where they are kept, what they need, and how a write changes one.
import { messageOf, nestingOf } from '@echelon/ground';
import { unfenced } from '../../language/envelope/parts.ts';
import { type EntryRule, entryRules } from '../../sandbox/entries.ts';
import { NESTING } from '../../sandbox/limits.ts';
import type { EntryFields } from '../operation.ts';
import type {
  Dated,
  GoalEntry,
  MemoryEntry,
  PlannedEntry,
  Stores,
  TaskEntry,
  VaultEntry,
} from '../stores.ts';

export interface VaultFields {
  type?: string;
  description?: string;
  content?: string;
}

/** Says why a vault entry may not be written; undefined: it may. One that throws objects with its words. */
export type VaultRule = (entry: Readonly<VaultEntry>) => string | undefined;

export interface Kind<Entry extends Dated, Fields extends object> {
  rule: EntryRule;
  entries(stores: Stores): readonly Entry[];
  put(stores: Stores, entries: readonly Entry[]): Stores;
  idOf(entry: Entry): string;
  /** The old entry with the given fields in place of its own; they were checked against `values`. */
  merged(id: string, old: Entry | undefined, fields: Fields, dates: Dated): Entry;
  /** Fault of the merged entry as a whole. */
  fault?(entry: Entry): string | undefined;
}

const types: readonly VaultEntry['type'][] = entryRules.vault.values.type;

export const vaultKind: Kind<VaultEntry, VaultFields> = {
  rule: entryRules.vault,
  entries: stores => stores.vault,
  put: (stores, vault) => ({ ...stores, vault }),
  idOf: entry => entry.id,
  merged: (id, old, { type, description, content }, dates) => {
    const known = types.find(each => each === type) ?? old?.type ?? 'text';
    const given = content ?? old?.content ?? '';
    return {
      id,
      type: known,
      description: description ?? old?.description ?? '',
      // A fence around the whole of it is no JSON.
      content: known === 'data' ? unfenced(given) : given,
      ...dates,
    };
  },
  fault: ({ type, content }) => (type === 'data' ? dataFault(content) : undefined),
};

/** The vault with further rules of what is written to it. */
export const vaultUnder = (rules: readonly VaultRule[]): typeof vaultKind => ({
  ...vaultKind,
  fault(entry) {
    try {
      return [vaultKind.fault!, ...rules].map(rule => rule(entry)).find(each => each !== undefined);
    } catch (error) {
      return messageOf(error);
    }
  },
});

export const memoryKind: Kind<MemoryEntry, EntryFields> = {
  rule: entryRules.memory,
  entries: stores => stores.memory,
  put: (stores, memory) => ({ ...stores, memory }),
  idOf: entry => entry.identifier,
  merged: (identifier, old, fields, dates) => ({
    identifier,
    ...texts(old, fields),
    important: fields.important ?? old?.important ?? false,
    ...dates,
  }),
};

/** Of entries with a status, which is `first` where none was given yet. */
const plannedKind = <Status extends string>(
  statuses: readonly Status[],
  first: Status,
  place: Pick<Kind<PlannedEntry<Status>, EntryFields>, 'rule' | 'entries' | 'put'>,
): Kind<PlannedEntry<Status>, EntryFields> => ({
  ...place,
  idOf: entry => entry.identifier,
  merged: (identifier, old, fields, dates) => ({
    identifier,
    ...texts(old, fields),
    status: statuses.find(each => each === fields.status) ?? old?.status ?? first,
    ...dates,
  }),
});

export const taskKind = plannedKind<TaskEntry['status']>(entryRules.tasks.values.status, 'pending', {
  rule: entryRules.tasks,
  entries: stores => stores.tasks,
  put: (stores, tasks) => ({ ...stores, tasks }),
});

export const goalKind = plannedKind<GoalEntry['status']>(entryRules.goals.values.status, 'open', {
  rule: entryRules.goals,
  entries: stores => stores.goals,
  put: (stores, goals) => ({ ...stores, goals }),
});

function texts(old: Pick<MemoryEntry, 'heading' | 'content' | 'notes'> | undefined, fields: EntryFields) {
  return {
    heading: fields.heading ?? old?.heading ?? '',
    content: fields.content ?? old?.content ?? '',
    notes: fields.notes ?? old?.notes ?? '',
  };
}

function dataFault(content: string): string | undefined {
  try {
    JSON.parse(content);
  } catch (error) {
    return `the content of type data must be JSON: ${messageOf(error)}`;
  }
  return nestingOf(content) > NESTING ? `the content is nested more than ${NESTING} levels deep` : undefined;
}
