// The store of a run's record: what the run reads of it and writes to it.
import type { Entry, RunIdentity } from '@echelon/ground/journal';
import type { Repository } from '../github/repository.ts';

export interface RunStore {
  readonly identity: RunIdentity;
  readonly entries: readonly Entry[];
  /** Database id of the run comment, once there is one. */
  readonly comment: number | undefined;
  /** Makes entries durable, with the board as it stands. */
  append(entries: readonly Entry[], board: string): Promise<void>;
  /** Shows this board, nothing appended; writes only where another one stands there. */
  redraw(board: string): Promise<void>;
}

export interface RecordAccess {
  github: Repository;
  /** Keys of the record: the first signs, all verify. */
  keys: readonly Uint8Array[];
}

/** The record cannot be relied on: nothing is done until a person has looked. */
export interface Trouble {
  kind: 'trouble';
  message: string;
  /** Of the run comment, or of the one that the trouble is with; 0 where there is none. */
  comment: number;
}

export type Loaded = { kind: 'none' } | { kind: 'run'; store: RunStore } | Trouble;
