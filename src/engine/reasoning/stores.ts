// Stores of a session: its vault, memory, tasks and goals, as plain values that fit into a journal.

export interface Dated {
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
}

export interface VaultEntry extends Dated {
  id: string;
  type: 'text' | 'code' | 'data';
  description: string;
  /** Of type data: JSON. */
  content: string;
}

export interface MemoryEntry extends Dated {
  identifier: string;
  heading: string;
  content: string;
  notes: string;
  /** Kept when the session is compacted. */
  important: boolean;
}

export interface PlannedEntry<Status> extends Omit<MemoryEntry, 'important'> {
  status: Status;
}
export type TaskEntry = PlannedEntry<'pending' | 'ongoing' | 'finished' | 'paused'>;
export type GoalEntry = PlannedEntry<'open' | 'finished'>;

/** Entries in the order they were made. Immutable: an operation gives other stores. */
export interface Stores {
  readonly vault: readonly VaultEntry[];
  readonly memory: readonly MemoryEntry[];
  readonly tasks: readonly TaskEntry[];
  readonly goals: readonly GoalEntry[];
}

export const emptyStores: Stores = { vault: [], memory: [], tasks: [], goals: [] };

export { lastResultId } from '../sandbox/stores.ts';

/** Represents `undefined` as the value of the last execution, which is JSON otherwise. */
export const UNDEFINED = 'undefined';
