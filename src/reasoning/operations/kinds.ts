// The four kinds of entries: where they are kept, what they need, and how a write changes one.
import { messageOf } from '../../lib/message.ts';
import { NESTING, nestingOf } from '../../sandbox/nesting.ts';
import type { EntryFields } from '../operation.ts';
import type { Dated, GoalEntry, MemoryEntry, Stores, TaskEntry, VaultEntry } from '../stores.ts';

export interface VaultFields {
  type?: string;
  description?: string;
  content?: string;
}

export interface Kind<Entry extends Dated, Fields extends object> {
  noun: string;
  plural: string;
  /** Fields that a new entry has to be given. */
  needed: readonly (string & keyof Fields)[];
  optional: readonly (string & keyof Fields)[];
  /** Fields whose values are listed. */
  values: Readonly<Record<string, readonly string[]>>;
  entries(stores: Stores): readonly Entry[];
  put(stores: Stores, entries: readonly Entry[]): Stores;
  idOf(entry: Entry): string;
  /** The old entry with the given fields in place of its own; they were checked against `values`. */
  merged(id: string, old: Entry | undefined, fields: Fields, dates: Dated): Entry;
  /** What is wrong with the merged entry as a whole. */
  fault?(entry: Entry): string | undefined;
  /** Whether a change of the entry counts as progress. */
  moved?(old: Entry, entry: Entry): boolean;
}

const types = ['text', 'code', 'data'] as const satisfies VaultEntry['type'][];
const taskStatuses = ['pending', 'ongoing', 'finished', 'paused'] as const satisfies TaskEntry['status'][];
const goalStatuses = ['open', 'finished'] as const satisfies GoalEntry['status'][];

export const vaultKind: Kind<VaultEntry, VaultFields> = {
  noun: 'vault entry',
  plural: 'vault entries',
  needed: ['type', 'description', 'content'],
  optional: [],
  values: { type: types },
  entries: stores => stores.vault,
  put: (stores, vault) => ({ ...stores, vault }),
  idOf: entry => entry.id,
  merged: (id, old, { type, description, content }, dates) => ({
    id,
    type: types.find(each => each === type) ?? old?.type ?? 'text',
    description: description ?? old?.description ?? '',
    content: content ?? old?.content ?? '',
    ...dates,
  }),
  fault: ({ type, content }) => (type === 'data' ? dataFault(content) : undefined),
};

export const memoryKind: Kind<MemoryEntry, EntryFields> = {
  noun: 'memory',
  plural: 'memories',
  needed: ['heading', 'content'],
  optional: ['notes', 'important'],
  values: {},
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

export const taskKind: Kind<TaskEntry, EntryFields> = {
  noun: 'task',
  plural: 'tasks',
  needed: ['heading', 'content'],
  optional: ['status', 'notes'],
  values: { status: taskStatuses },
  entries: stores => stores.tasks,
  put: (stores, tasks) => ({ ...stores, tasks }),
  idOf: entry => entry.identifier,
  merged: (identifier, old, fields, dates) => ({
    identifier,
    ...texts(old, fields),
    status: taskStatuses.find(each => each === fields.status) ?? old?.status ?? 'pending',
    ...dates,
  }),
  moved,
};

export const goalKind: Kind<GoalEntry, EntryFields> = {
  noun: 'goal',
  plural: 'goals',
  needed: ['heading', 'content'],
  optional: ['status', 'notes'],
  values: { status: goalStatuses },
  entries: stores => stores.goals,
  put: (stores, goals) => ({ ...stores, goals }),
  idOf: entry => entry.identifier,
  merged: (identifier, old, fields, dates) => ({
    identifier,
    ...texts(old, fields),
    status: goalStatuses.find(each => each === fields.status) ?? old?.status ?? 'open',
    ...dates,
  }),
  moved,
};

function texts(old: Pick<MemoryEntry, 'heading' | 'content' | 'notes'> | undefined, fields: EntryFields) {
  return {
    heading: fields.heading ?? old?.heading ?? '',
    content: fields.content ?? old?.content ?? '',
    notes: fields.notes ?? old?.notes ?? '',
  };
}

function moved(old: TaskEntry | GoalEntry, entry: TaskEntry | GoalEntry): boolean {
  return old.status !== entry.status || old.content !== entry.content;
}

function dataFault(content: string): string | undefined {
  try {
    JSON.parse(content);
  } catch (error) {
    return `the content of type data must be JSON: ${messageOf(error)}`;
  }
  return nestingOf(content) > NESTING ? `the content is nested more than ${NESTING} levels deep` : undefined;
}
