// One replay of a durable program: what it did comes from its journal, what it did not do is done and written down.
import type { Json } from '../lib/json.ts';
import type { Entry, Progress, SignalEntry, Step, StepOptions } from './journal.ts';
import { type JournalOptions, type OpenJournal, openJournal, progressOf } from './open-journal.ts';

/** The program has come to a place where something must come from outside first. */
export class Waiting extends Error {
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    super(`waiting for ${names.join(' or ')}`);
    this.names = names;
  }
}

/** A signal that ends the program wherever it stands (`cancel`): thrown in place of the next new step. */
export class Interrupted extends Error {
  readonly signal: SignalEntry;
  constructor(signal: SignalEntry) {
    super(`interrupted by ${signal.name}`);
    this.signal = signal;
  }
}

export type Replay = ReturnType<typeof replay>;

export interface ReplayOptions extends JournalOptions {
  /** Key of a step -> the key to mark with what it creates; default: the same. */
  operation?: (key: string) => string;
  /** A look only: what is not in the journal is not done, the program waits there. */
  readOnly?: boolean;
  /** Signals that wait until the program asks for them, whatever it asks for before. */
  keeps?: readonly string[];
  /** Signals that end the program at once. */
  interrupts?: readonly string[];
  /** A signal the program was not waiting for. */
  misfit?: (signal: SignalEntry, waitingFor: readonly string[]) => Promise<void>;
  /** An error of a step that every replay is to throw again: as a result. Throws on what is none. */
  lasting?: (error: unknown) => Json;
  /** The error that such a result stands for. */
  thrown?: (result: Json) => Error | undefined;
  signal?: AbortSignal;
  /** Stops the program before its next new step; what is begun is finished. */
  yielding?: AbortSignal;
}

const throwOn = (error: unknown): never => {
  throw error;
};

/** Not to be shared by two programs, nor used after it threw. */
export function replay(options: ReplayOptions) {
  const { operation = key => key, lasting = throwOn, thrown = () => undefined } = options;
  const journal = openJournal(options);
  const { entries, results, save, written, push, plain, now } = journal;
  const time = { passed: entries.find(entry => entry.t !== 'intent')?.at ?? now() };
  const { interrupt, ...incoming } = incomingOf(journal, time, options);
  const { announce, intend } = intentsOf(journal);
  const used = new Set<string>();
  const taken = <T>(result: Json): T => {
    const error = thrown(result);
    if (error) throw error;
    return result as T;
  };

  const step: Step = async <T>(
    key: string,
    make: (op: string, progress: Progress) => Promise<T>,
    { find, costly }: StepOptions<T> = {},
  ): Promise<T> => {
    if (used.has(key)) throw new Error(`the program used the step key ${key} twice`);
    used.add(key);
    const known = results.get(key);
    if (known !== undefined) {
      time.passed = Math.max(time.passed, known.at);
      return taken(known.result);
    }
    interrupt();
    if (options.readOnly) throw new Waiting([key]);
    const op = operation(key);
    const mayBeMade = find && (await announce(key));
    const found = mayBeMade ? await find(op) : undefined;
    const result = plain(found ?? (await make(op, progressOf(key, journal)).catch(lasting)));
    push({ t: 'step', key, result, at: (time.passed = now()) });
    const given = taken<T>(result);
    // A process has died among these effects. Were they written down later, the next ones could die so for ever.
    if (costly || mayBeMade) await save();
    return given;
  };

  return {
    ...{ step, intend, ...incoming, save, written },
    /** Adds what the program itself never asks for. Nothing changes where the key is known. */
    note(key: string, result: Json): void {
      if (!results.has(key)) push({ t: 'step', key, result, at: now() });
    },
    /** Time of the newest entry the program has passed (milliseconds since the epoch). */
    at: (): number => time.passed,
    entries: entries as readonly Entry[],
  };
}

/** Effects that are about to be made: one that may have been made before is looked for first. */
function intentsOf({ intents, results, push, save }: OpenJournal) {
  /** Journalled by this process: their effects cannot have been made before. */
  const fresh = new Set<string>();
  const plan = (key: string): void => {
    if (intents.has(key) || results.has(key)) return;
    push({ t: 'intent', key });
    fresh.add(key);
  };
  return {
    /** Answers whether the effect may have been made before. */
    async announce(key: string): Promise<boolean> {
      if (intents.has(key)) return !fresh.has(key);
      plan(key);
      await save();
      return false;
    },
    /** Journals the intents of effects that are about to be made one after another, in one write. */
    async intend(keys: readonly string[]): Promise<void> {
      for (const key of keys) plan(key);
      if (keys.some(key => fresh.has(key) && !results.has(key))) await save();
    },
  };
}

/** External input in order: signals that the program waits for, and interruptions. */
function incomingOf(
  { entries, signals, push, plain, now }: OpenJournal,
  time: { passed: number },
  { keeps = [], interrupts = [], misfit, signal: abort, yielding }: ReplayOptions,
) {
  const consumed = new Set<string>();
  let settled = false;
  const ends = ({ name }: SignalEntry) => !settled && interrupts.includes(name);
  /** Only one signal interrupts: what the program does about it must run to its end. */
  const interrupted = (entry: SignalEntry): Interrupted => {
    settled = true;
    consumed.add(entry.id);
    return new Interrupted(entry);
  };
  const interruption = (): Interrupted | undefined => {
    const found = signals.find(each => !consumed.has(each.id) && ends(each));
    return found && interrupted(found);
  };
  return {
    /** An interruption that the program has not reached yet; it is thrown in the program. */
    interruption,
    /** While off, interruptions are delivered as ordinary signals. On at the start. */
    interruptible: (on: boolean): void => void (settled = !on),
    interrupt(): void {
      abort?.throwIfAborted();
      yielding?.throwIfAborted();
      const found = interruption();
      if (found) throw found;
    },
    /** The next signal of these names; throws Waiting where there is none yet. */
    async signal(names: readonly string[]): Promise<SignalEntry> {
      for (;;) {
        const first = signals.find(
          ({ id, name }) => !consumed.has(id) && (names.includes(name) || !keeps.includes(name)),
        );
        if (!first) throw new Waiting(names);
        consumed.add(first.id);
        time.passed = Math.max(time.passed, first.at);
        if (ends(first)) throw interrupted(first);
        if (names.includes(first.name)) return first;
        await misfit?.(first, names);
      }
    },
    /**
     * The first signal of these names that came before the step `key` was done, whatever else is there; undefined where
     * there is none. For what the program looks at before a step and does not wait for.
     */
    earlier(key: string, names: readonly string[]): SignalEntry | undefined {
      const done = entries.findIndex(entry => entry.t === 'step' && entry.key === key);
      const found = signals.find(({ id, name }) => !consumed.has(id) && names.includes(name));
      if (!found || (done >= 0 && entries.indexOf(found) > done)) return undefined;
      consumed.add(found.id);
      time.passed = Math.max(time.passed, found.at);
      return found;
    },
    /** Adds what came from outside; answers false when it was journalled before. */
    deliver({ id, name, value }: Omit<SignalEntry, 't' | 'at'>): boolean {
      if (signals.some(known => known.id === id)) return false;
      push({ t: 'signal', id, name, value: plain(value), at: now() });
      return true;
    },
  };
}
