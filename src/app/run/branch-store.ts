// The store of a run on a branch of its own: each write a commit on the one before, with a lease; a comment shows the board.
import { plainBoard } from '../comments/board.ts';
import { keysOrNone } from '../../journal/codec.ts';
import type { RunIdentity } from '../../journal/journal.ts';
import { withHeadMark } from '../comments/record.ts';
import { answered } from '../github/octokit.ts';
import { BranchMoved } from '../github/record-branch.ts';
import type { Thread } from '../github/thread.ts';
import { filesOf } from './branch-files.ts';
import { groundFor } from './begin-branch.ts';
import { type FoundLease, newHolds, throwWhereHeld } from './lease.ts';
import { namedHead } from './named-head.ts';
import { type RecordAccess, type RunStore, WrittenElsewhere } from './run-store.ts';
import { entriesOf, type Laid, lay, noSegments, type Segments, segmentWriter } from './segments.ts';

export interface BranchState {
  segments: Segments;
  /** Number of the newest commit. */
  commit: number;
  /** The newest commit; undefined: the run is still to begin there. */
  head: string | undefined;
  /** As it was found; null where nobody has one, or this process. */
  lease: FoundLease | null;
  comment: number | undefined;
  /** The board that stands in the comment now, and the commit that it names. */
  board: string;
  named: string | undefined;
}

/** A store for a run that has no record yet. */
export const newBranchStore = (thread: Thread, access: RecordAccess, identity: RunIdentity): RunStore =>
  branchStore(thread, access, identity, {
    ...{ segments: noSegments(), commit: 0, head: undefined, lease: null },
    ...{ comment: undefined, board: '', named: undefined },
  });

export function branchStore(
  thread: Thread,
  access: RecordAccess,
  identity: RunIdentity,
  state: BranchState,
): RunStore {
  const { github, clock, holder } = access;
  const { issue, run } = identity;
  const writer = segmentWriter(identity, keysOrNone(access.keys));
  const holds = newHolds(state.lease?.holder === holder ? state.lease : null);
  let isPosted = false;

  /** One commit on the one that this process knows: where another one stands there, nothing of it is done. */
  async function commit({ written, next }: Laid) {
    const now = clock.now();
    const { head } = state;
    const ground =
      head === undefined
        ? await groundFor(access, identity, thread)
        : { head, commit: state.commit, names: [] };
    // Nobody else is to begin a run here meanwhile.
    if (head === undefined) holds.wants(run, undefined, now);
    const seconds = holds.needed(entriesOf(next), now);
    const lease = seconds > 0 ? { holder, seconds } : null;
    const record = { run, commit: ground.commit + 1, segments: next.seq, lease };
    const write = filesOf(record, written);
    const remove = ground.names.filter(name => !write.has(name));
    const message = `commit ${record.commit} of run ${run}`;
    const made = await github.commitRecord(issue, { head: ground.head, message, write, remove });
    Object.assign(state, { head: made, commit: record.commit, segments: next, lease: null });
    holds.written(now, seconds);
  }

  const writing = async <T>(write: () => Promise<T>): Promise<T> => {
    await throwWhereHeld(state.lease, access, issue);
    state.lease = null;
    return await write().catch((error: unknown) => {
      throw error instanceof BranchMoved ? new WrittenElsewhere(undefined, error) : error;
    });
  };

  async function show(board: string) {
    const { head } = state;
    if (head === undefined) return;
    const body = withHeadMark(board, { commit: state.commit, head, run });
    // One that was posted without an answer may be there.
    if (isPosted) state.comment ??= await postedBefore();
    if (state.comment !== undefined)
      await github.editComment(state.comment, body).catch((error: unknown) => {
        // Somebody deleted it: it is shown anew, and nothing is lost.
        if (!answered(error, 404)) throw error;
        state.comment = undefined;
      });
    isPosted = true;
    state.comment ??= await github.comment(issue, body);
    Object.assign(state, { board, named: head });
  }

  async function postedBefore() {
    const named = await namedHead(await github.thread(issue), github);
    return named?.run === run ? named.comment : undefined;
  }

  const isShown = (board: string) =>
    state.comment !== undefined && plainBoard(board) === plainBoard(state.board);

  return {
    identity,
    get entries() {
      return entriesOf(state.segments);
    },
    get comment() {
      return state.comment;
    },
    async append(batch, board) {
      await writing(async () => {
        const laid = lay(writer, state.segments, batch);
        if (laid.written.size > 0) await commit(laid);
        else state.segments = laid.next;
      });
      // What an effect rests on is named before the effect, so that nobody can set the branch back behind it unseen.
      if (!isShown(board) || batch.some(({ t }) => t === 'intent'))
        // The entries are durable: what could not be shown is shown with the next ones, or when the run comes to rest.
        await show(board).catch(() => {});
    },
    async redraw(board) {
      if (!isShown(board) || state.named !== state.head) await show(board);
    },
    async hold(key, ms) {
      await writing(async () => {
        if (state.head === undefined || !holds.wants(key, ms, clock.now())) return;
        await commit({ written: new Map(), next: state.segments });
      });
    },
  };
}
