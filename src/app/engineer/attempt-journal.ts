// The journal of an attempt, in its job's folder: another process goes on with it, after a crash or with an answer.
import { join } from 'node:path';
import { z } from 'zod';
import { isState } from '../../engine/reasoning/state.ts';
import type { PlayedReply } from '../../engine/models/scripted.ts';
import { JournalRefused, openFileStore, parseJournal } from '../../journal/file-store.ts';
import type { Entry } from '../../journal/journal.ts';
import { type Replay, replay } from '../../journal/replay.ts';
import type { Clock } from '../../lib/clock.ts';
import { readBounded } from '../../workspace/bundle.ts';
import { quoteForModel, quoted } from '../../engine/language/quote.ts';
import { type JobSpec, Tests } from './job-spec.ts';

const FILE = 'journal.jsonl';
/** Bytes that are read of an earlier one: conversations with their vaults, and what earlier rounds ended with. */
const MAX_BYTES = 32 << 20;
/** Key of what is known of the attempt as a whole: no step. */
const ATTEMPT = 'attempt';

/** How the attempt stood, beside each result of its program. */
export const Standing = z.object({
  tree: z.string().optional(),
  tests: Tests.nullable(),
  rounds: z.int().nonnegative(),
});
export type Standing = z.infer<typeof Standing>;

/** What a session is gone on from. */
export const SavedSession = Standing.extend({ session: z.custom(isState) });
/** The person's answer, as the session that asked is told it. */
export const answerText = (answer: string): string =>
  `${quoted(quoteForModel(answer).text)}\n\n${CHECKOUT_ANEW}`;

/** What a session is told that goes on in another checkout. */
export const CHECKOUT_ANEW =
  '(Your checkout was made anew meanwhile: your changes are in it, files that git ignores are not, and nothing runs.)';

const Attempt = z.object({
  /** What a script has played. */
  played: z.array(z.object({ scope: z.string(), key: z.string(), index: z.int().min(0) })),
  /** Key of the session whose question was put. */
  asks: z.string().exactOptional(),
});
type Attempt = z.infer<typeof Attempt>;

export interface AttemptJournal extends Replay {
  /** As an earlier process left it; undefined: the attempt begins. */
  readonly before: Standing | undefined;
  /** The folder whose changes belong to `before`. */
  readonly folder: string;
  readonly played: readonly PlayedReply[];
  /** Says what a script has played so far: it is kept with whatever is written. */
  watch(used: () => readonly PlayedReply[]): void;
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
  const asked = own.length === 0 && !anew && from?.answer !== undefined ? await readEntries(from.folder) : [];
  const store = openFileStore(join(folder, FILE), { op: spec.op }, { anew: own.length === 0 });
  if (asked.length > 0 && from?.answer !== undefined)
    store.append([...asked, answerOf(asked, from.answer, clock.now())]);
  let used: () => readonly PlayedReply[] = () => [];
  const keep = (attempt: Attempt): Entry => ({
    t: 'checkpoint',
    key: ATTEMPT,
    state: { ...attempt },
    at: clock.now(),
  });
  let kept = 0;
  const journal = replay({
    entries: store.entries,
    clock,
    write(batch) {
      const played = [...used()];
      const more = played.length > kept ? [keep({ played })] : [];
      store.append([...batch, ...more]);
      kept = played.length;
    },
  });
  const last = store.entries.findLast(entry => standingOf(entry) !== undefined);
  return {
    ...journal,
    before: last && standingOf(last),
    folder: asked.length > 0 && from ? from.folder : folder,
    played: attemptOf(store.entries)?.played ?? [],
    watch(how) {
      used = how;
    },
    asks: session => store.append([keep({ played: [...used()], asks: session })]),
    close: store.close,
  };
}

const answerOf = (entries: readonly Entry[], answer: string, at: number): Entry => ({
  t: 'signal',
  id: `answer-${entries.length}`,
  name: attemptOf(entries)?.asks ?? '',
  value: answerText(answer),
  at,
});

function attemptOf(entries: readonly Entry[]): Attempt | undefined {
  const last = entries.findLast(entry => entry.t === 'checkpoint' && entry.key === ATTEMPT);
  return last?.t === 'checkpoint' ? Attempt.safeParse(last.state).data : undefined;
}

function standingOf(entry: Entry): Standing | undefined {
  if (entry.t === 'step') return Standing.safeParse(entry.result).data;
  if (entry.t !== 'checkpoint' || entry.key === ATTEMPT) return undefined;
  return SavedSession.transform(({ session: _, ...standing }) => standing).safeParse(entry.state).data;
}

/** Empty where there is none, it is another job's, or anything in it is not what a job writes. */
async function readEntries(folder: string, op?: string): Promise<readonly Entry[]> {
  const bytes = await readBounded(folder, FILE, MAX_BYTES);
  if (!Buffer.isBuffer(bytes)) return [];
  try {
    const { owner, entries } = parseJournal(FILE, bytes);
    if (op !== undefined && owner['op'] !== op) return [];
    return entries.every(isSound) ? entries : [];
  } catch (error) {
    if (error instanceof JournalRefused) return [];
    throw error;
  }
}

function isSound(entry: Entry): boolean {
  if (entry.t === 'signal') return typeof entry.value === 'string';
  if (entry.t === 'checkpoint' && entry.key === ATTEMPT) return Attempt.safeParse(entry.state).success;
  return standingOf(entry) !== undefined;
}
