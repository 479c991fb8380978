// The journal of a run: the one replay, with the run's signals as values, its operation keys, and its bound of comments.

import {
  type CommandSignal,
  type Earlier,
  type Signal,
  type SignalCommand,
  signalCommands,
} from '../commands/signal.ts';
import type { RunIdentity, SignalEntry } from '../../journal/journal.ts';
import { type Interrupted, type Replay, replay, type ReplayOptions } from '../../journal/replay.ts';
import { operationKey } from '../github/marker.ts';
import { refusedToSay, SaidEnough, saidEnough } from './comment-limit.ts';
import { type RunValues, readSignal } from './signals.ts';

export interface RunJournal extends Omit<Replay, 'signal' | 'earlier'> {
  /** The next signal of these names; throws Waiting where there is none yet, an Error where its value does not fit. */
  readonly signal: Signal<RunValues>;
  readonly earlier: Earlier<RunValues>;
}

export interface RunJournalOptions
  extends Omit<ReplayOptions, 'operation' | 'lasting' | 'thrown' | 'interrupts'> {
  identity: RunIdentity;
  /** Commands that end the program at once. */
  interrupts: readonly SignalCommand[];
}

export function runJournal({ identity, ...options }: RunJournalOptions): RunJournal {
  const journal = replay({
    ...options,
    operation: key => operationKey(identity, key),
    lasting: saidEnough,
    thrown: result => (refusedToSay(result) ? new SaidEnough() : undefined),
  });
  return {
    ...journal,
    async signal(names) {
      const entry = await journal.signal(names);
      return readSignal(entry, names) ?? unknown(entry);
    },
    earlier(key, names) {
      const entry = journal.earlier(key, names);
      return entry && (readSignal(entry, names) ?? unknown(entry));
    },
  };
}

/** The command that interrupted. */
export const commandOf = ({ signal }: Interrupted): CommandSignal =>
  readSignal(signal, signalCommands) ?? unknown(signal);

const unknown = ({ name }: SignalEntry): never => {
  throw new Error(`the run knows no signal ${name}`);
};
