// The journal of `task run --journal`: what it belongs to, what was paid for by earlier runs, and what a script has played.
import { z } from 'zod';
import type { Clock } from '@echelon/ground';
import { live, openFileStore, replay, type Step } from '@echelon/ground/journal';
import { playedReplies, type PlayedReply } from '../../../engine/models.ts';

/** Identity of a journal. The first three are digests: of the program's source, its inputs, the templates around it. */
export interface JournalOwner {
  program: string;
  inputs: string;
  library: string;
  /** Provider and model, or the digest of a script. */
  model: string;
  /** Absolute path of the folder that is worked in. */
  folder: string;
}

export interface ProgramJournal {
  step: Step;
  /** USD that earlier runs cost. */
  readonly spent: number;
  /** Replies that a script played in earlier runs. */
  readonly played: readonly PlayedReply[];
  /** Steps of earlier runs. */
  readonly steps: number;
  /** Steps that this run did itself, those that failed included. */
  readonly made: number;
  /** Says what a script has played so far; it is written with each step. */
  watch(used: () => readonly PlayedReply[]): void;
  close(): void;
}

const foreign: Readonly<Record<string, string>> = {
  program: 'another program, or this one has been changed since',
  inputs: 'other inputs',
  library: 'other templates: those of the product or of .github/echelon/ have changed since',
  model: 'another model, or another script of replies',
};

/** Cost in an entry of a session that completed, failed, or was paused. */
const cost = z.object({ cost_usd: z.number().nonnegative() });
const notes = z.object({ dataUsage: cost });
const Paid = z.union([
  z.object({ outcome: cost }).transform(each => each.outcome.cost_usd),
  z.object({ error: z.object({ notes }) }).transform(each => each.error.notes.dataUsage.cost_usd),
  z.object({ spent: cost }).transform(each => each.spent.cost_usd),
]);

/**
 * Opens the journal of the program in the file `path`, or begins it. `mask` takes secrets out of what is written. Throws
 * JournalRefused, and what the file system throws.
 */
export function openProgramJournal(
  path: string,
  owner: JournalOwner,
  { mask, clock }: { mask?: (text: string) => string; clock: Pick<Clock, 'now'> },
): ProgramJournal {
  const store = openFileStore(
    path,
    { ...owner },
    {
      foreign: (part, value) =>
        part === 'folder' ? `work in the folder ${value}, not in ${owner.folder}` : (foreign[part] ?? part),
    },
  );
  const before = live(store.entries).filter(entry => entry.t === 'step' || entry.t === 'checkpoint');
  const played = playedReplies(store, clock);
  let made = 0;
  const journal = replay({ entries: store.entries, clock, ...(mask && { mask }), write: played.append });
  return {
    step: (key, make, options) =>
      journal.step(
        key,
        (op, progress) => {
          made++;
          return make(op, progress);
        },
        { ...options, costly: true },
      ),
    spent: before
      .map(entry => Paid.safeParse(entry.t === 'step' ? entry.result : entry.state).data ?? 0)
      .reduce((sum, each) => sum + each, 0),
    played: played.before,
    steps: before.filter(({ t }) => t === 'step').length,
    get made() {
      return made;
    },
    watch: played.watch,
    close: store.close,
  };
}
