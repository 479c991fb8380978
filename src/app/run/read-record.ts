// The record of an issue's newest run, wherever it is kept: nobody else knows that there is more than one store.
import type { RunIdentity } from '../../journal/journal.ts';
import type { Thread } from '../github/thread.ts';
import { newBranchStore } from './branch-store.ts';
import { commentStore } from './comment-store.ts';
import { runInBranch } from './read-branch.ts';
import { runInComments } from './read-comments.ts';
import type { Loaded, RecordAccess, RunStore } from './run-store.ts';
import { noSegments } from './segments.ts';

/**
 * Without a branch this reads nothing but the thread, unless a comment of the bot's was edited. `looks`: what was edited
 * is read as the bot wrote it, and not put back.
 */
export async function loadRun(
  thread: Thread,
  access: RecordAccess,
  { looks = false }: { looks?: boolean } = {},
): Promise<Loaded> {
  const inBranch = await runInBranch(thread, access);
  const inComments = await runInComments(thread, access);
  if (inBranch.kind !== 'none') {
    // A repository may have changed its mind about the store between two runs.
    const isOlder =
      inComments.kind !== 'run' ||
      (inBranch.kind === 'run'
        ? beganAt(inComments.store) <= beganAt(inBranch.store)
        : (inComments.store.comment ?? 0) <= inBranch.comment);
    if (isOlder) return inBranch;
  }
  if (inComments.kind !== 'run') return inComments;
  return (looks ? undefined : await inComments.mend()) ?? { kind: 'run', store: inComments.store };
}

/** A store for a run that has no record yet. Without a key only a branch can be relied on. */
export function newRunStore(
  thread: Thread,
  access: RecordAccess,
  identity: RunIdentity,
  kind: 'comment' | 'branch',
): RunStore {
  return kind === 'branch' || access.keys.length === 0
    ? newBranchStore(thread, access, identity)
    : commentStore(access, identity, { ...noSegments(), comment: undefined, board: '' });
}

const beganAt = ({ entries }: RunStore): number => {
  const first = entries.find(entry => entry.t !== 'intent');
  return first?.at ?? 0;
};
