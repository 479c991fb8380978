// The journal of a run: the one replay, with the run's signals as values, its operation keys, and its bound of comments.
import { isDeepStrictEqual } from 'node:util';
import {
  type Entry,
  type Interrupted,
  type Replay,
  replay,
  type ReplayOptions,
  type RunIdentity,
  type SignalEntry,
} from '@echelon/ground/journal';
import type { Repository } from '../github/repository.ts';
import { z } from 'zod';
import { CommandOrigin } from '../commands/command.ts';
import {
  commands,
  type CommandSignal,
  type Earlier,
  interrupts,
  type Signal,
  signalCommands,
  type SignalOf,
} from '../commands/table.ts';
import { operationKey } from '../github/once.ts';
import { BaseTestsReport, FailedReport, IntegrationReport, JobReport } from '../engineer/jobs/report-spec.ts';
import { baseTestsSignalName, type EngineerValues, jobSignalName } from '../engineer/slots/context.ts';
import { closingName, type FactName, factValues, openFacts } from '../engineer/slots/facts.ts';

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
    thrown: result => (isDeepStrictEqual(result, REFUSED) ? new SaidEnough() : undefined),
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

/** By its name, what a signal of a run carries. */
export type RunValues = EngineerValues;

const factRows = Object.fromEntries(Object.entries(factValues).map(([name, value]) => [name, { value }])) as {
  [Name in FactName]: { value: (typeof factValues)[Name] };
};

const rows: { [Name in keyof RunValues]: { value: z.ZodType<RunValues[Name]> } } = {
  ...commands,
  ...factRows,
  [jobSignalName]: {
    value: z.object({ op: z.string(), report: z.discriminatedUnion('kind', [IntegrationReport, JobReport]) }),
  },
  [baseTestsSignalName]: {
    value: z.object({ op: z.string(), report: z.union([BaseTestsReport, FailedReport]) }),
  },
};

/** The entry as a signal of one of `names`; undefined where it has another name. Throws where its value does not fit. */
export function readSignal<Name extends keyof RunValues>(
  entry: SignalEntry,
  names: readonly Name[],
): SignalOf<RunValues, Name> | undefined {
  const { id, name: found, at } = entry;
  const name = names.find(each => each === found);
  if (name === undefined) return undefined;
  return { id, name, value: readValue(entry, name), at };
}

/** Value of an entry with this name. Throws if it does not fit. */
export function readValue<Name extends keyof RunValues>(
  { id, value }: SignalEntry,
  name: Name,
): RunValues[Name] {
  const read = rows[name].value.safeParse(value);
  if (!read.success) throw new UnreadableEntry(`a signal that cannot be read: ${id} (${name})`, read.error);
  return read.data;
}

/** Author of a command that the program does not expect: nothing else of it has to fit. */
export function readOrigin({ id, name, value }: SignalEntry): CommandOrigin {
  const read = CommandOrigin.safeParse(value);
  if (!read.success) throw new UnreadableEntry(`a signal that cannot be read: ${id} (${name})`, read.error);
  return read.data;
}

/** An entry of the journal is not what this version of the program writes. `what`: which, as it is told. */
export class UnreadableEntry extends Error {
  constructor(what: string, cause: z.ZodError) {
    const [first] = cause.issues;
    const place = first?.path.length ? ` at ${first.path.join('.')}` : '';
    super(
      `the record holds ${what}${place}: ${first?.message ?? 'does not fit'}. Go on with the version of Echelon that wrote it; or delete the run comment, take the label off and put it on again, and a new run begins`,
      { cause },
    );
  }
}

/** The run has said all that it may. */
export class SaidEnough extends Error {
  constructor() {
    super('the run has written all the comments that it may');
  }
}

/** Journal value of a comment past the bound, so that a replay, and a look, throws at the same step. */
const REFUSED = { said_enough: true };

/** The result that stands for SaidEnough; any other error is thrown on. */
function saidEnough(error: unknown): typeof REFUSED {
  if (error instanceof SaidEnough) return REFUSED;
  throw error;
}

/**
 * The same connection, for a run with this journal that may make so many comments, of its own accord and in answer to
 * commands: past the bound `comment` throws SaidEnough. Its board and its end are none of them.
 */
export function bounded(github: Repository, entries: () => readonly Entry[], most: number): Repository {
  const comment: Repository['comment'] = async (issue, body) => {
    if (entries().filter(isComment).length >= most) throw new SaidEnough();
    return await github.comment(issue, body);
  };
  // Not a copy: a repository's name may change while this process lives.
  return Object.create(github, { comment: { value: comment } });
}

const isComment = (entry: Entry): boolean =>
  entry.t === 'step' &&
  typeof entry.result === 'object' &&
  entry.result !== null &&
  'comment' in entry.result;
