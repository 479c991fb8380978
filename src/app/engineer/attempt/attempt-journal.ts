// The journal of an attempt, in its job's folder: another process goes on with it, after a crash or with an answer. And
// what the attempt has come to, begun empty or where the earlier process stood.
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '@echelon/ground';
import {
  type Entry,
  JournalRefused,
  openFileStore,
  parseJournal,
  type Replay,
  replay,
} from '@echelon/ground/journal';
import { readBounded } from '@echelon/ground/workspace';
import type { PlayedReplies, SessionSummary, Spending } from '../../../engine/models.ts';
import { isPlayed, isState, playedReplies } from '../../../engine/models.ts';
import { quoted, quoteForModel } from '../../../engine/texts.ts';
import type { JobSpec } from '../jobs/job-spec.ts';
import { type JobReport, Tests, type WithoutChange } from '../jobs/report-spec.ts';

/** Its name in the folder of the job. */
export const journalFile = 'journal.jsonl';
/** Bytes that are read of an earlier one: conversations with their vaults, and what earlier rounds ended with. */
export const MAX_BYTES = 32 << 20;
/** Key of the word which session's question was put; no step has it. */
const ASKS = 'asks';

/** State of the attempt, saved beside each result of its program. */
export const Standing = z.object({
  tree: z.string().optional(),
  tests: Tests.nullable(),
  rounds: z.int().nonnegative(),
});
export type Standing = z.infer<typeof Standing>;

/** State from which a session continues. */
export const SavedSession = Standing.extend({ session: z.custom(isState) });

/** The person's answer, as the session that asked is told it. */
export const answerText = (answer: string): string =>
  `${quoted(quoteForModel(answer).text)}\n\n${CHECKOUT_ANEW}`;

/** Notice for a session that continues in another checkout. */
export const CHECKOUT_ANEW =
  '(Your checkout was made anew meanwhile: your changes are in it, files that git ignores are as at the beginning, and nothing runs.)';

export interface AttemptJournal extends Replay {
  /** As an earlier process left it; undefined: the attempt begins. */
  readonly before: Standing | undefined;
  /** The folder whose changes belong to `before`. */
  readonly folder: string;
  /** Script replies already played for the job. */
  readonly played: Pick<PlayedReplies, 'before' | 'watch'>;
  /** Writes down which session's question is put. */
  asks(session: string): void;
  close(): void;
}

/**
 * Opens the journal of `folder`: with what a process of the same job left in it, else with what the job left whose
 * question `spec.from` answers, else empty. What cannot be read is nothing to go on from. `anew`: whatever there is.
 */
export async function openAttemptJournal(
  spec: Pick<JobSpec, 'op' | 'from'>,
  folder: string,
  clock: Clock,
  anew = false,
): Promise<AttemptJournal> {
  const own = anew ? [] : await readEntries(folder, spec.op);
  const { from } = spec;
  const asking = from?.answer === undefined ? undefined : folderBeside(folder, from.op);
  const asked = own.length === 0 && !anew && asking !== undefined ? await readEntries(asking) : [];
  const store = openFileStore(join(folder, journalFile), { op: spec.op }, { anew: own.length === 0 });
  if (asked.length > 0 && from?.answer !== undefined)
    store.append([...asked, answerOf(asked, from.answer, clock.now())]);
  const played = playedReplies(store, clock);
  const journal = replay({ entries: store.entries, clock, write: played.append });
  const last = store.entries.findLast(entry => standingOf(entry) !== undefined);
  return {
    ...journal,
    before: last && standingOf(last),
    folder: asked.length > 0 && asking !== undefined ? asking : folder,
    played,
    asks: session => store.append([{ t: 'checkpoint', key: ASKS, state: session, at: clock.now() }]),
    close: store.close,
  };
}

/** The folder of another job, which lies beside this one's. */
export const folderBeside = (folder: string, op: string): string => join(dirname(folder), op);

const answerOf = (entries: readonly Entry[], answer: string, at: number): Entry => ({
  t: 'signal',
  id: `answer-${entries.length}`,
  name: askingIn(entries) ?? '',
  value: answerText(answer),
  at,
});

/** Key of the session whose question was put. */
function askingIn(entries: readonly Entry[]): string | undefined {
  const last = entries.findLast(entry => entry.t === 'checkpoint' && entry.key === ASKS);
  return last?.t === 'checkpoint' && typeof last.state === 'string' ? last.state : undefined;
}

function standingOf(entry: Entry): Standing | undefined {
  if (entry.t === 'step') return Standing.safeParse(entry.result).data;
  if (entry.t !== 'checkpoint') return undefined;
  return SavedSession.transform(({ session: _, ...standing }) => standing).safeParse(entry.state).data;
}

/** Empty where there is none, it is another job's, or anything in it is not what a job writes. */
async function readEntries(folder: string, op?: string): Promise<readonly Entry[]> {
  const bytes = await readBounded(folder, journalFile, MAX_BYTES);
  if (!Buffer.isBuffer(bytes)) return [];
  try {
    const { owner, entries } = parseJournal(journalFile, bytes);
    if (op !== undefined && owner['op'] !== op) return [];
    return entries.every(isSound) ? entries : [];
  } catch (error) {
    if (error instanceof JournalRefused) return [];
    throw error;
  }
}

function isSound(entry: Entry): boolean {
  if (entry.t === 'signal') return typeof entry.value === 'string';
  if (entry.t === 'checkpoint' && entry.key === ASKS) return typeof entry.state === 'string';
  if (isPlayed(entry)) return true;
  return standingOf(entry) !== undefined;
}

export interface AttemptState {
  /** The tree as the director left it in the last round, before the tests ran: their leftovers stay out. */
  tree: string | undefined;
  /** True if the director may have changed the checkout since. */
  changing: boolean;
  /** The tests of that tree. */
  tests: JobReport['tests'];
  /** Result of the change's tests without the rest of the change, and the tree that they ran on. */
  without?: { tree: string; found: WithoutChange };
  /** The tree whose bundle lies in the folder for another process. */
  kept?: string;
  /** Lock files and manifests of the tree that was installed last; undefined: those of the base. */
  installed?: string;
  /** Output of the last test run. */
  log: string;
  /** Rounds that were judged. */
  rounds: number;
  /** Number of rounds reported before. */
  readonly roundsBefore: number;
  /** Finished parts of the program. */
  readonly journal: AttemptJournal;
  /** Paid for so far, by whichever process of this job. */
  spent: Spending;
  /** Engine of the last director, if it was not this product itself. */
  engine?: string;
  /** Summaries of ended sessions, in order. */
  summaries: SessionSummary[];
}

export const attemptState = (journal: AttemptJournal, spentBefore: Spending): AttemptState => ({
  tree: undefined,
  changing: true,
  tests: null,
  log: '',
  // Those before come again from the steps.
  rounds: 0,
  roundsBefore: journal.before?.rounds ?? 0,
  journal,
  spent: spentBefore,
  summaries: [],
});

/** The director has finished and the tree is the base's: there is nothing to test or to judge. */
export class NoChanges extends Error {}
