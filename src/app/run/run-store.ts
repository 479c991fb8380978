// Where a run's record is kept: what every store of it does, and what they are made with.
import type { Entry, RunIdentity } from '../../journal/journal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Repository } from '../github/repository.ts';

export interface RunStore {
  readonly identity: RunIdentity;
  readonly entries: readonly Entry[];
  /** Database id of the run comment, once there is one. */
  readonly comment: number | undefined;
  /** Makes entries durable, with the board as it stands. Throws WrittenElsewhere. */
  append(entries: readonly Entry[], board: string): Promise<void>;
  /** Shows this board, nothing appended; writes only where another one stands there. */
  redraw(board: string): Promise<void>;
  /**
   * Keeps the run with this process for `ms`, or until the step of this key is done; without `ms` for as long as one
   * effect takes, with 0 no longer. Throws WrittenElsewhere.
   */
  hold(key: string, ms?: number): Promise<void>;
}

/** What a run is held for while its jobs are under way. */
export const jobsHold = 'jobs';

export interface RecordAccess {
  github: Repository;
  /** Keys of the record, the newest first; none where the branch store alone is used. */
  keys: readonly Uint8Array[];
  /** Who this process is to others that write the same records. */
  holder: string;
  clock: Clock;
}

/** Another process has the run, or has written to its record: what this one knows of it is no longer true. */
export class WrittenElsewhere extends Error {
  override readonly name = 'WrittenElsewhere';
  /** When it is worth another look (milliseconds since the epoch); undefined: at once. */
  readonly until: number | undefined;
  constructor(until?: number, cause?: unknown) {
    super('another process writes the record of this run', { cause });
    this.until = until;
  }
}

/** The record cannot be relied on: nothing is done until a person has looked. */
export interface Trouble {
  kind: 'trouble';
  message: string;
  /** Of the run comment, or of the one that the trouble is with; 0 where there is none. */
  comment: number;
}

export type Loaded = { kind: 'none' } | { kind: 'run'; store: RunStore } | Trouble;
