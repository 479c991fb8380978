// The journal of a run: the one replay, with the run's signals as values, its operation keys, and its bound of comments.

import {
  type Interrupted,
  type Replay,
  replay,
  type ReplayOptions,
  type RunIdentity,
  type SignalEntry,
} from '@echelon/ground/journal';
import {
  type CommandSignal,
  type Earlier,
  interrupts,
  type Signal,
  signalCommands,
  type SignalOf,
} from '../commands/signal.ts';
import { operationKey } from '../github/once.ts';
import { refusedToSay, SaidEnough, saidEnough } from './comment-limit.ts';
import { baseTestsSignalName, jobSignalName } from '../engineer/slots/context.ts';
import { closingName, openFacts } from '../engineer/slots/facts.ts';
import { type RunValues, readSignal } from './signals.ts';

export interface RunJournal extends Omit<Replay, 'signal' | 'earlier'> {
  /** The next signal of these names; throws Waiting where there is none yet, an Error where its value does not fit. */
  readonly signal: Signal<RunValues>;
  readonly earlier: Earlier<RunValues>;
}

export interface RunJournalOptions
  extends Omit<ReplayOptions, 'operation' | 'lasting' | 'thrown' | 'interrupts' | 'keeps'> {
  identity: RunIdentity;
}

/** Signals that end the run anywhere. */
const ends: readonly string[] = [...interrupts, closingName];

/** Signals kept until the issues are worked, because nothing else uses them. */
const keeps: readonly string[] = [jobSignalName, baseTestsSignalName, ...openFacts];

export function runJournal({ identity, ...options }: RunJournalOptions): RunJournal {
  const journal = replay({
    ...options,
    keeps,
    interrupts: ends,
    operation: key => operationKey(identity, key),
    lasting: saidEnough,
    thrown: result => (refusedToSay(result) ? new SaidEnough() : undefined),
  });
  return {
    ...journal,
    async signal(names) {
      // Without names to wait for the run is at its end.
      const redirect = names.length > 0 ? ([redirectName] as const) : [];
      const entry = await journal.signal([...names, ...redirect]);
      redirectedBy(entry);
      return readSignal(entry, names) ?? unknown(entry);
    },
    earlier(key, names) {
      const entry = journal.earlier(key, [...names, redirectName]);
      if (entry) redirectedBy(entry);
      return entry && (readSignal(entry, names) ?? unknown(entry));
    },
  };
}

const redirectName = 'redirect';

/** Thrown where the program waits, or is about to ask a layer: a person has redirected the run. */
export class Redirected extends Error {
  override readonly name = 'Redirected';
  readonly command: SignalOf<RunValues, typeof redirectName>;
  constructor(command: SignalOf<RunValues, typeof redirectName>) {
    super(`redirected by ${command.value.by}`);
    this.command = command;
  }
}

/** Throws Redirected where the entry says so. */
function redirectedBy(entry: SignalEntry): void {
  const command = readSignal(entry, [redirectName]);
  if (command) throw new Redirected(command);
}

/** The interruption: a command, or the closing of the directive. */
export const endOf = ({ signal }: Interrupted): CommandSignal | SignalOf<RunValues, typeof closingName> =>
  readSignal(signal, [...signalCommands, closingName]) ?? unknown(signal);

const unknown = ({ name }: SignalEntry): never => {
  throw new Error(`the run knows no signal ${name}`);
};
