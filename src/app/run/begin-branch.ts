// Where a run begins on its issue's branch: one that is made, or the one of a run before, whose files go with its first commit.
import { RecordError } from '../../journal/codec.ts';
import type { RunIdentity } from '../../journal/journal.ts';
import type { Thread } from '../github/thread.ts';
import { type Files, type Head, readHead } from './branch-files.ts';
import { throwWhereHeld } from './lease.ts';
import { namedHead } from './named-head.ts';
import { type RecordAccess, WrittenElsewhere } from './run-store.ts';

export interface Ground {
  /** The commit that the first one of the run is to stand on. */
  head: string;
  /** Number of the newest commit of the record so far. */
  commit: number;
  /** Files of the run before. */
  names: string[];
}

/** Throws WrittenElsewhere and BranchMoved where another process begins or goes on with a run. */
export async function groundFor(
  access: RecordAccess,
  { issue, run }: RunIdentity,
  thread: Thread,
): Promise<Ground> {
  const { github } = access;
  const named = (await namedHead(thread, github))?.commit ?? 0;
  const branch = await github.recordBranch(issue);
  const before = branch?.isOwn ? headIn(branch.files) : undefined;
  if (!branch || (!before && branch.files.size > 0)) {
    // What somebody else put there cannot be built on.
    const head = await github.clearRecordBranch(issue, branch?.head);
    return { head, commit: named, names: [] };
  }
  if (!before) return { head: branch.head, commit: named, names: [] };
  if (before.run === run) throw new WrittenElsewhere();
  await throwWhereHeld(before.lease && { ...before.lease, at: branch.at }, access, issue);
  return { head: branch.head, commit: Math.max(named, before.commit), names: [...branch.files.keys()] };
}

function headIn(files: Files): Head | undefined {
  try {
    return readHead(files);
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}
