// A journal under way: its entries, what is found in them by key, and the writing of those that follow.
import type { Clock } from '../lib/clock.ts';
import type { Json } from '../lib/json.ts';
import { maskValue } from '../lib/mask.ts';
import { type Entry, live, type Progress, type SignalEntry } from './journal.ts';

export interface JournalOptions {
  /** The journal so far. */
  entries: readonly Entry[];
  /** Number of durable entries; all, when absent. */
  written?: number;
  /** Makes these entries, which follow those it has, durable. */
  write(entries: readonly Entry[]): Promise<void> | void;
  /** Takes secrets out of what is journalled, and so out of everything that is made of it. */
  mask?: (text: string) => string;
  clock: Pick<Clock, 'now'>;
}

export type OpenJournal = ReturnType<typeof openJournal>;

export function openJournal({ entries: before, clock, mask = text => text, write, ...rest }: JournalOptions) {
  const entries: Entry[] = [];
  const results = new Map<string, Extract<Entry, { t: 'step' }>>();
  const checkpoints = new Map<string, Extract<Entry, { t: 'checkpoint' }>>();
  const intents = new Set<string>();
  const signals: SignalEntry[] = [];
  let { written = before.length } = rest;
  let writing: Promise<void> = Promise.resolve();

  function push(entry: Entry): void {
    entries.push(entry);
    if (entry.t === 'step') results.set(entry.key, entry);
    else if (entry.t === 'intent') intents.add(entry.key);
    else if (entry.t === 'checkpoint') checkpoints.set(entry.key, entry);
    else signals.push(entry);
  }
  for (const entry of before) push(entry);

  return {
    entries,
    results,
    checkpoints,
    intents,
    signals,
    push,
    /** As a replay would see it, so that the first run sees the same; without secrets. */
    plain: (value: unknown) => maskValue(JSON.parse(JSON.stringify(value)) as Json, mask),
    /** Number of durable entries. */
    written: () => written,
    /** Writes what is not written yet. Those who ask in the same turn share one write. */
    save(): Promise<void> {
      const mine = writing.then(async () => {
        const upTo = entries.length;
        const batch = live(entries.slice(written, upTo));
        if (batch.length > 0) await write(batch);
        written = upTo;
      });
      // Told to who waits for this writing; the next only waits for its end.
      writing = mine.catch(() => {});
      return mine;
    },
    now: () => clock.now(),
  };
}

/** The saved progress of the step with this key, and a way to save more. */
export function progressOf(
  key: string,
  { checkpoints, signals, plain, push, save, now }: OpenJournal,
): Progress {
  return {
    state: checkpoints.get(key)?.state,
    said: signals.filter(({ name }) => name === key).map(({ value }) => value),
    async save(state) {
      // Nobody reads the one before any more: a long session would keep each of its conversations in memory.
      const former = checkpoints.get(key);
      if (former) former.state = null;
      push({ t: 'checkpoint', key, state: plain(state), at: now() });
      await save();
    },
  };
}
