// One replay of a durable program: what it did comes from its journal, what it did not do is done and written down.
import type { Clock } from '../lib/clock.ts';
import type { Json } from '../lib/json.ts';
import { maskValue } from '../lib/mask.ts';
import { type Entry, live, type Progress, type SignalEntry, type Step, type StepOptions } from './journal.ts';

/** The program has come to a place where something must come from outside first. */
export class Waiting extends Error {
  override readonly name = 'Waiting';
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    super(`waiting for ${names.join(' or ')}`);
    this.names = names;
  }
}

/** A signal that ends the program wherever it stands (`cancel`): thrown in place of the next new step. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: SignalEntry;
  constructor(signal: SignalEntry) {
    super(`interrupted by ${signal.name}`);
    this.signal = signal;
  }
}

export interface Replay {
  readonly step: Step;
  /** The next signal of these names; throws Waiting where there is none yet. */
  signal(names: readonly string[]): Promise<SignalEntry>;
  /** Journals the intents of effects that are about to be made one after another, in one write. */
  intend(keys: readonly string[]): Promise<void>;
  /** Adds what the program itself never asks for. Nothing changes where the key is known. */
  note(key: string, result: Json): void;
  /** Adds what came from outside; answers false when it was journalled before. */
  deliver(signal: Omit<SignalEntry, 't' | 'at'>): boolean;
  /** What ends the program although it has not come to it; the program takes it as if it had been thrown. */
  interruption(): Interrupted | undefined;
  /** While off, nothing interrupts: what would have is a signal like others. On at the start. */
  interruptible(on: boolean): void;
  /** Writes what is not written yet. */
  save(): Promise<void>;
  /** Time of the newest entry the program has passed (milliseconds since the epoch). */
  at(): number;
  readonly entries: readonly Entry[];
  /** How many entries are durable. */
  written(): number;
}

export interface ReplayOptions {
  /** The journal so far. */
  entries: readonly Entry[];
  /** How many of them are durable; all, when absent. */
  written?: number;
  /** Makes these entries, which follow those it has, durable. */
  write(entries: readonly Entry[]): Promise<void> | void;
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
  /** Takes secrets out of what is journalled, and so out of everything that is made of it. */
  mask?: (text: string) => string;
  clock: Pick<Clock, 'now'>;
  signal?: AbortSignal;
}

const throwOn = (error: unknown): never => {
  throw error;
};

/** Not to be shared by two programs, nor used after it threw. */
export function replay(options: ReplayOptions): Replay {
  const {
    clock,
    operation = key => key,
    mask = text => text,
    lasting = throwOn,
    thrown = () => undefined,
  } = options;
  const entries: Entry[] = [...options.entries];
  let written = options.written ?? entries.length;
  const results = new Map<string, { result: Json; at: number }>();
  const checkpoints = new Map<string, Extract<Entry, { t: 'checkpoint' }>>();
  const intents = new Set<string>();
  const signals: SignalEntry[] = [];
  /** Intents journalled by this process: their effects cannot have been made before. */
  const fresh = new Set<string>();
  const used = new Set<string>();
  const consumed = new Set<string>();
  let settled = false;
  let passed = clock.now();
  for (const entry of entries) index(entry);
  const began = entries.find(entry => entry.t !== 'intent');
  if (began) passed = began.at;

  function index(entry: Entry) {
    if (entry.t === 'step') results.set(entry.key, entry);
    else if (entry.t === 'intent') intents.add(entry.key);
    else if (entry.t === 'checkpoint') checkpoints.set(entry.key, entry);
    else signals.push(entry);
  }
  // Through JSON, so that the first run sees exactly what a replay will see.
  const plain = (value: unknown) => maskValue(JSON.parse(JSON.stringify(value)) as Json, mask);
  function push(entry: Entry) {
    entries.push(entry);
    index(entry);
  }
  function intend(key: string) {
    if (intents.has(key) || results.has(key)) return;
    push({ t: 'intent', key });
    fresh.add(key);
  }
  let writing: Promise<void> = Promise.resolve();
  /** Those who ask in the same turn share one write. */
  function save(): Promise<void> {
    const mine = writing.then(async () => {
      const upTo = entries.length;
      const batch = live(entries.slice(written, upTo));
      if (batch.length > 0) await options.write(batch);
      written = upTo;
    });
    // Told to who waits for this writing; the next only waits for its end.
    writing = mine.catch(() => {});
    return mine;
  }
  const keeps = (name: string) => options.keeps?.includes(name) ?? false;
  const interrupts = ({ name }: SignalEntry) => !settled && (options.interrupts?.includes(name) ?? false);
  function interruption() {
    const found = signals.find(each => !consumed.has(each.id) && interrupts(each));
    return found && interrupted(found);
  }
  function interrupt() {
    options.signal?.throwIfAborted();
    const found = interruption();
    if (found) throw found;
  }
  /** Only one signal interrupts: what the program does about it must run to its end. */
  function interrupted(entry: SignalEntry): Interrupted {
    settled = true;
    consumed.add(entry.id);
    return new Interrupted(entry);
  }
  const progressOf = (key: string): Progress => ({
    state: checkpoints.get(key)?.state,
    said: signals.filter(({ name }) => name === key).map(({ value }) => value),
    async save(state) {
      // Nobody reads the one before any more: a long session would keep each of its conversations in memory.
      const former = checkpoints.get(key);
      if (former) former.state = null;
      push({ t: 'checkpoint', key, state: plain(state), at: clock.now() });
      await save();
    },
  });

  async function step<T>(
    key: string,
    make: (op: string, progress: Progress) => Promise<T>,
    { find, costly, next = [] }: StepOptions<T> = {},
  ): Promise<T> {
    if (used.has(key)) throw new Error(`the program used the step key ${key} twice`);
    used.add(key);
    const known = results.get(key);
    if (known !== undefined) {
      passed = Math.max(passed, known.at);
      const error = thrown(known.result);
      if (error) throw error;
      return known.result as T;
    }
    interrupt();
    if (options.readOnly) throw new Waiting([key]);
    const op = operation(key);
    let found: T | undefined;
    if (find) {
      if (!intents.has(key)) {
        intend(key);
        await save();
      } else if (!fresh.has(key)) {
        found = await find(op);
      }
    }
    const result = plain(found ?? (await make(op, progressOf(key)).catch(lasting)));
    push({ t: 'step', key, result, at: (passed = clock.now()) });
    const error = thrown(result);
    if (error) throw error;
    for (const each of next) intend(each);
    if (costly) await save();
    return result as T;
  }

  return {
    step,
    save,
    interruption,
    interruptible(on) {
      settled = !on;
    },
    entries,
    written: () => written,
    async signal(names) {
      for (;;) {
        const first = signals.find(
          ({ id, name }) => !consumed.has(id) && (names.includes(name) || !keeps(name)),
        );
        if (!first) throw new Waiting(names);
        consumed.add(first.id);
        passed = Math.max(passed, first.at);
        if (interrupts(first)) throw interrupted(first);
        if (names.includes(first.name)) return first;
        await options.misfit?.(first, names);
      }
    },
    async intend(keys) {
      for (const key of keys) intend(key);
      if (keys.some(key => fresh.has(key) && !results.has(key))) await save();
    },
    note(key, result) {
      if (!results.has(key)) push({ t: 'step', key, result, at: clock.now() });
    },
    deliver({ id, name, value }) {
      if (signals.some(known => known.id === id)) return false;
      push({ t: 'signal', id, name, value: plain(value), at: clock.now() });
      return true;
    },
    at: () => passed,
  };
}
