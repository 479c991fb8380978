// The journal of a run: what was done and what came in, in order. The run's program is replayed over it.
import type { Json } from '../lib/json.ts';

/** The program these entries were written by. A run begun under another one stops and says what to type. */
export const PROGRAM_VERSION = 4;

export type Entry =
  /** An effect is about to be made; without a result it may or may not have been applied. */
  | { t: 'intent'; key: string }
  /** A step is done; a replay takes its result from here. `at` in milliseconds since the epoch. */
  | { t: 'step'; key: string; result: Json; at: number }
  /** Something came from outside: a command, a job's report. Journalled once by id, consumed in order. */
  | { t: 'signal'; id: string; name: string; value: Json; at: number };

export type SignalEntry = Extract<Entry, { t: 'signal' }>;

/** What a run belongs to; every segment's MAC covers it, so that no record can be moved to another issue. */
export interface RunIdentity {
  /** GitHub's database id of the repository. */
  repository: number;
  /** The issue's number. */
  issue: number;
  /** Short id of the run, unique within the repository. */
  run: string;
}

/**
 * A step of a durable program: `make` runs once, its result is journalled under `key`, a replay gets it from there.
 * A step that creates something on GitHub gives `find`: after a crash between intent and result it is asked for
 * what the earlier attempt may have made before `make` is called again. `op` is the key to mark the creation with.
 * T is plain JSON: the result comes back as a replay would see it.
 */
export type Step = <T>(key: string, make: (op: string) => Promise<T>, options?: StepOptions<T>) => Promise<T>;

export interface StepOptions<T> {
  find?: (op: string) => Promise<T | undefined>;
  /** The result was paid for: it is saved before the program goes on. */
  costly?: boolean;
  /** Keys of effects that follow at once: their intents are saved together with this result. */
  next?: readonly string[];
}
