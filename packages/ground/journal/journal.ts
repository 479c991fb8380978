// The contract of a durable program: what was done and what came in, in order. The program is replayed over it.
import { z } from 'zod';
import type { Json } from '../lib/json.ts';

/** The program these entries were written by. A run begun under another one stops and says what to type. */
export const PROGRAM_VERSION = 15;

export type Entry =
  /** An effect is about to be made; without a result it may or may not have been applied. */
  | { t: 'intent'; key: string }
  /** A step is done; a replay takes its result from here. `at` in milliseconds since the epoch. */
  | { t: 'step'; key: string; result: Json; at: number }
  /** Progress of an unfinished step. Only a key's newest counts, and none once the step is done. */
  | { t: 'checkpoint'; key: string; state: Json; at: number }
  /** Something came from outside: a command, a job's report, an answer. Journalled once by id, consumed in order. */
  | { t: 'signal'; id: string; name: string; value: Json; at: number };

/** It comes from JSON.parse, so it is JSON; a schema that builds it anew would lose a key such as `__proto__`. */
const json = z.custom<Json>(value => value !== undefined);
const at = z.number();

/** An entry as it is read from where it was kept. */
export const EntrySchema: z.ZodType<Entry> = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('intent'), key: z.string() }),
  z.strictObject({ t: z.literal('step'), key: z.string(), result: json, at }),
  z.strictObject({ t: z.literal('checkpoint'), key: z.string(), state: json, at }),
  z.strictObject({ t: z.literal('signal'), id: z.string(), name: z.string(), value: json, at }),
]);

export type SignalEntry = Extract<Entry, { t: 'signal' }>;

/** Identity of a run. Every segment's MAC covers it, so a record cannot be moved to another issue. */
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
export type Step = <T>(
  key: string,
  make: (op: string, progress: Progress) => Promise<T>,
  options?: StepOptions<T>,
) => Promise<T>;

export interface StepOptions<T> {
  find?: (op: string) => Promise<T | undefined>;
  /** The result was paid for: it is saved before the program goes on. */
  costly?: boolean;
}

/** Input of a long step: its saved progress and the signals sent to it. */
export interface Progress {
  /** As an earlier process saved it; undefined: the step begins. */
  readonly state: Json | undefined;
  /** Values of the signals whose name is the step's key, in order. */
  readonly said: readonly Json[];
  /** Replaces `state` for another process. Where it cannot be written now it goes with the next entry that can. */
  save(state: unknown): Promise<void>;
}

/** A journal as it is kept: what it holds, and how entries that follow are made durable. */
export interface Store {
  readonly entries: readonly Entry[];
  append(entries: readonly Entry[]): Promise<void> | void;
}

/** The entries without checkpoints that a newer one, or the result of their step, has taken the place of. */
export function live(entries: readonly Entry[]): Entry[] {
  const done = new Set<string>();
  const kept = entries.toReversed().filter(entry => {
    if (entry.t === 'step') done.add(entry.key);
    if (entry.t !== 'checkpoint') return true;
    const isOver = done.has(entry.key);
    done.add(entry.key);
    return !isOver;
  });
  return kept.reverse();
}
