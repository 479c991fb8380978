// Reads the record of a run from its branch: what GitHub signed for the bot, whole, and no older than what was seen of it.
import { z } from 'zod';
import { keysOrNone, RecordError } from '../../journal/codec.ts';
import { recordBranch } from '../github/place.ts';
import type { RecordBranch } from '../github/record-branch.ts';
import type { Thread } from '../github/thread.ts';
import { readHead, readSegments } from './branch-files.ts';
import { branchStore } from './branch-store.ts';
import { type NamedHead, namedHead } from './named-head.ts';
import { unknownStep } from './read-comments.ts';
import type { Loaded, RecordAccess, RunStore, Trouble } from './run-store.ts';

/** The run on an issue's branch. One call where there is a branch, none where there is none. */
export async function runInBranch(thread: Thread, access: RecordAccess): Promise<Loaded> {
  const { github } = access;
  const named = await namedHead(thread, github);
  const branch = thread.hasRecordBranch ? await github.recordBranch(thread.number) : undefined;
  // One that is empty was made for a run that has not begun.
  if (!named && !branch?.files.size) return { kind: 'none' };
  const trouble = (message: string): Trouble => ({
    kind: 'trouble',
    message,
    comment: named?.comment ?? 0,
  });
  const name = recordBranch(thread.number);
  if (!branch) return trouble(`the branch ${name}, on which it stands, was deleted`);
  if (!branch.isOwn)
    return trouble(`the newest commit of the branch ${name} is none that GitHub signed for ${github.bot}`);
  try {
    return (
      storeOf(thread, access, branch, named) ?? trouble(`the branch ${name} was set back to an older commit`)
    );
  } catch (error) {
    if (error instanceof RecordError) return trouble(error.message);
    throw error;
  }
}

/** Undefined: the branch is older than what was seen of it. Throws RecordError. */
function storeOf(
  thread: Thread,
  access: RecordAccess,
  { head, at, files }: RecordBranch,
  named: NamedHead | undefined,
): Extract<Loaded, { kind: 'run' }> | undefined {
  const { github, keys } = access;
  const record = readHead(files);
  if (named && (record.commit < named.commit || (record.commit === named.commit && head !== named.head)))
    return undefined;
  const where = { repository: github.id, issue: thread.number };
  const identity = { ...where, run: record.run };
  const segments = readSegments(files, record, where, keysOrNone(keys));
  const own = named?.run === record.run ? named : undefined;
  const store = branchStore(thread, access, identity, {
    segments,
    commit: record.commit,
    head,
    lease: record.lease && { ...record.lease, at },
    comment: own?.comment,
    board: own?.board ?? '',
    named: own?.head,
  });
  // The head that is named may lag behind; what the run said on the issue is never older than its record.
  const missed = unknownStep(thread, github, store, store.comment ?? sinceIn(store));
  return missed ? undefined : { kind: 'run', store };
}

const Begun = z.object({ since: z.number() });

/** Comments of older ids belong to runs before; where the record does not say, none is asked. */
function sinceIn({ entries }: RunStore): number {
  const start = entries.find(entry => entry.t === 'step');
  return Begun.safeParse(start?.t === 'step' && start.result).data?.since ?? Number.POSITIVE_INFINITY;
}
