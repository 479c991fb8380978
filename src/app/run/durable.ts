// The durable step function: what a program did is replayed from its journal, what it did not do is done and written down.
import {
  type CommandSignal,
  type Signal,
  type SignalCommand,
  signalCommands,
  type SignalOf,
} from '../commands/signal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Json } from '../../lib/json.ts';
import { maskValue } from '../../lib/mask.ts';
import type { Entry, RunIdentity, SignalEntry, Step, StepOptions } from '../../journal/journal.ts';
import { operationKey } from '../github/marker.ts';
import { refusedToSay, SaidEnough, saidEnough } from './comment-limit.ts';
import { type RunValues, readSignal } from './signals.ts';

/** The program has come to a place where something must come from outside first. */
export class Waiting extends Error {
  override readonly name = 'Waiting';
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    super(`waiting for ${names.join(' or ')}`);
    this.names = names;
  }
}

/** A command that ends the program wherever it stands (`cancel`): thrown in place of the next new step. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: CommandSignal;
  constructor(signal: CommandSignal) {
    super(`interrupted by ${signal.name}`);
    this.signal = signal;
  }
}

export interface Durable {
  readonly step: Step;
  /** The next signal of these names; throws Waiting where there is none yet, an Error where its value does not fit. */
  readonly signal: Signal<RunValues>;
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

export interface DurableOptions {
  identity: RunIdentity;
  /** The journal so far. */
  entries: readonly Entry[];
  /** How many of them are durable; all, when absent. */
  written?: number;
  /** Makes these entries, which follow those it has, durable. */
  write(entries: readonly Entry[]): Promise<void>;
  /** A look only: what is not in the journal is not done, the program waits there. */
  readOnly?: boolean;
  /** Signals that wait until the program asks for them, whatever it asks for before. */
  keeps?: readonly string[];
  /** Commands that end the program at once. */
  interrupts: readonly SignalCommand[];
  /** A signal the program was not waiting for. */
  misfit(signal: SignalEntry, waitingFor: readonly string[]): Promise<void>;
  /** Takes secrets out of what is journalled, and so out of everything that is made of it. */
  mask?: (text: string) => string;
  clock: Clock;
  signal: AbortSignal;
}

/** One replay of a program over a journal. Not to be shared by two programs, nor used after it threw. */
export function durable(options: DurableOptions): Durable {
  const { identity, clock } = options;
  const entries: Entry[] = [...options.entries];
  let written = options.written ?? entries.length;
  const results = new Map<string, { result: Json; at: number }>();
  const intents = new Set<string>();
  const signals: SignalEntry[] = [];
  /** Intents journalled by this process: their effects cannot have been made before. */
  const fresh = new Set<string>();
  const used = new Set<string>();
  const consumed = new Set<string>();
  let settled = false;
  let passed = options.entries.find(entry => entry.t !== 'intent')?.at ?? clock.now();
  for (const entry of entries) index(entry);

  function index(entry: Entry) {
    if (entry.t === 'step') results.set(entry.key, entry);
    else if (entry.t === 'intent') intents.add(entry.key);
    else signals.push(entry);
  }
  const { mask = text => text } = options;
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
  async function save() {
    const batch = entries.slice(written);
    if (batch.length === 0) return;
    await options.write(batch);
    written += batch.length;
  }
  function interruption() {
    const found = signals.find(each => !consumed.has(each.id) && interrupts(each));
    return found && interrupted(found);
  }
  function interrupt() {
    options.signal.throwIfAborted();
    const found = interruption();
    if (found) throw found;
  }
  const keeps = (name: string) => options.keeps?.some(each => each === name) ?? false;
  const interrupts = ({ name }: SignalEntry) => !settled && options.interrupts.some(each => each === name);
  /** Only one signal interrupts: what the program does about it must run to its end. */
  function interrupted(entry: SignalEntry): Interrupted {
    settled = true;
    consumed.add(entry.id);
    return new Interrupted(readSignal(entry, signalCommands)!);
  }

  async function step<T>(
    key: string,
    make: (op: string) => Promise<T>,
    { find, costly, next = [] }: StepOptions<T> = {},
  ): Promise<T> {
    if (used.has(key)) throw new Error(`the program used the step key ${key} twice`);
    used.add(key);
    const known = results.get(key);
    if (known !== undefined) {
      passed = Math.max(passed, known.at);
      if (refusedToSay(known.result)) throw new SaidEnough();
      return known.result as T;
    }
    interrupt();
    if (options.readOnly) throw new Waiting([key]);
    const op = operationKey(identity, key);
    let found: T | undefined;
    if (find) {
      if (!intents.has(key)) {
        intend(key);
        await save();
      } else if (!fresh.has(key)) {
        found = await find(op);
      }
    }
    // Through JSON, so that the first run sees exactly what a replay will see.
    const result = plain(found ?? (await make(op).catch(saidEnough)));
    push({ t: 'step', key, result, at: (passed = clock.now()) });
    if (refusedToSay(result)) throw new SaidEnough();
    for (const each of next) intend(each);
    if (costly) await save();
    return result as T;
  }

  async function signal<Name extends keyof RunValues>(
    names: readonly Name[],
  ): Promise<SignalOf<RunValues, Name>> {
    for (;;) {
      const first = signals.find(
        ({ id, name }) => !consumed.has(id) && (names.some(each => each === name) || !keeps(name)),
      );
      if (!first) throw new Waiting(names);
      consumed.add(first.id);
      passed = Math.max(passed, first.at);
      if (interrupts(first)) throw interrupted(first);
      const taken = readSignal(first, names);
      if (taken) return taken;
      await options.misfit(first, names);
    }
  }

  return {
    step,
    signal,
    save,
    interruption,
    interruptible(on) {
      settled = !on;
    },
    entries,
    written: () => written,
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
