// The store of a run in comments of its issue: closed segments each in a comment, the open one under the board.
import type { Comment, Thread } from '../github/thread.ts';
import { sayOnce } from '../github/once.ts';
import type { Repository } from '../github/repository.ts';
import {
  decodeSegment,
  encodeSegment,
  RecordError,
  type Segment,
  segmentDigest,
} from '../../journal/codec.ts';
import { markOf, operationKey } from '../github/marker.ts';
import type { Entry, RunIdentity } from '../../journal/journal.ts';
import { MAX_BODY } from '../comments/limits.ts';
import { partComment, restoredNotice } from '../comments/record.ts';

/** Characters of an open segment past which it is closed; with the board it stays under GitHub's 65,536. */
const CLOSE_AT = 55_000;
/** The same for its bytes before they are packed: a reader stops at 1 MB. */
const CLOSE_PLAIN_AT = 700_000;

export interface RunStore {
  readonly identity: RunIdentity;
  readonly entries: readonly Entry[];
  /** Database id of the run comment, once there is one. */
  readonly comment: number | undefined;
  /** Makes entries durable, with the board as it stands above them. */
  append(entries: readonly Entry[], board: string): Promise<void>;
  /** Shows this board, nothing appended; writes only where another one stands there. */
  redraw(board: string): Promise<void>;
}

export type Loaded =
  | { kind: 'none' }
  | { kind: 'run'; store: RunStore }
  /** The record cannot be relied on: nothing is done until a person has looked. */
  | { kind: 'trouble'; message: string; comment: number };

interface Place {
  github: Repository;
  keys: readonly Uint8Array[];
}

/** The record of the newest run on an issue. Only what the bot wrote, and edited last, counts. */
export async function loadRun(thread: Thread, place: Place): Promise<Loaded> {
  const { github, keys } = place;
  const where = { repository: github.id, issue: thread.number };
  const segments: { segment: Segment; encoded: string; comment: Comment; part: boolean }[] = [];
  const restored: { comment: Comment; body: string }[] = [];
  const troubles: Extract<Loaded, { kind: 'trouble' }>[] = [];
  for (const comment of thread.comments) {
    if (comment.author !== github.bot) continue;
    const edited = comment.editedBy !== null && comment.editedBy !== github.bot;
    if (!edited && !comment.body.includes('<!-- echelon:record')) continue;
    try {
      let body = comment.body;
      if (edited) {
        // Whatever stands there now, what counts is what the bot wrote last.
        const before = await untampered(comment, place, where);
        if (before === undefined) continue;
        body = before;
        restored.push({ comment, body });
      }
      const found = decodeSegment(body, where, keys);
      if (found) segments.push({ ...found, comment, part: isPart(body) });
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      troubles.push(trouble(comment, error.message));
    }
  }
  const newest = segments.findLast(each => !each.part);
  // Trouble that is older than a good run comment belongs to a run before.
  const worst = troubles.findLast(each => !newest || each.comment > newest.comment.id);
  if (worst) return worst;
  if (!newest) {
    // What steps of a run made, without the run comment: it was deleted, and nothing says how far the run had come.
    // (A sub-issue that a run created is spoken on by steps of that run.)
    const ofRun = thread.author === github.bot && markOf(thread.body) !== undefined;
    const orphan =
      segments.at(-1)?.comment ??
      (ofRun
        ? undefined
        : thread.comments.findLast(({ author, body }) => author === github.bot && markOf(body)));
    return orphan ? trouble(orphan, 'the run comment was deleted') : { kind: 'none' };
  }
  const identity = newest.segment.identity;
  const own = segments.filter(each => each.segment.identity.run === identity.run);
  const closed: Entry[] = [];
  let prev = '-';
  let seq = 1;
  // A part with the run comment's own number was posted just before a crash: it holds the same entries.
  for (; ; seq++) {
    const part = own.find(each => each.part && each.segment.seq === seq && each.segment.prev === prev);
    if (!part) break;
    closed.push(...part.segment.entries);
    prev = segmentDigest(part.encoded);
  }
  const { segment } = newest;
  if (segment.seq > seq || (segment.seq === seq && segment.prev !== prev))
    return trouble(newest.comment, `part ${seq} of the record is missing`);
  const open = segment.seq === seq ? segment.entries : [];
  const board = newest.comment.body.split('<!-- echelon:record')[0]!;
  const store = commentStore(place, identity, { comment: newest.comment.id, seq, prev, closed, open, board });
  if (restored.length > 0) {
    const missed = unknownStep(thread, github, identity, newest.comment.id, store.entries);
    if (missed) return trouble(missed, 'what could be put back is older than what the run did since');
    for (const { comment, body } of restored) {
      await sayOnce(github, thread, {
        key: `restored/${comment.id}/${comment.editedAt}/${comment.editedBy}`,
        body: restoredNotice(comment.editedBy ?? 'ghost'),
      });
      await github.editComment(comment.id, body);
    }
  }
  return { kind: 'run', store };
}

/** A comment that a step of the run made and the journal knows nothing of: the journal is an old one. */
function unknownStep(
  thread: Thread,
  github: Repository,
  identity: RunIdentity,
  since: number,
  entries: readonly Entry[],
): Comment | undefined {
  const known = new Set(
    entries.flatMap(entry => (entry.t === 'signal' ? [] : [operationKey(identity, entry.key)])),
  );
  return thread.comments.find(({ id, author, body }) => {
    const op = id > since && author === github.bot ? markOf(body) : undefined;
    return op !== undefined && !known.has(op);
  });
}

const trouble = (comment: Comment, why: string): Extract<Loaded, { kind: 'trouble' }> => ({
  kind: 'trouble',
  message: why,
  comment: comment.id,
});

const isPart = (body: string) => body.includes('<!-- echelon:part -->');

/**
 * The bot's own newest text of a comment that someone else edited; undefined where it never held a record. A segment
 * only grows, so the newest is the one with the most entries: no order of revisions has to be relied on.
 */
async function untampered(
  comment: Comment,
  { github, keys }: Place,
  where: { repository: number; issue: number },
): Promise<string | undefined> {
  let best: { body: string; seq: number; length: number } | undefined;
  for (const { body, editor } of await github.revisions(comment)) {
    if (editor !== github.bot) continue;
    const found = decodeSegment(body, where, keys);
    if (!found) continue;
    const { seq, entries } = found.segment;
    if (!best || seq > best.seq || (seq === best.seq && entries.length > best.length))
      best = { body, seq, length: entries.length };
  }
  return best?.body;
}

/** A store for a run that has no comment yet. */
export const newRunStore = (place: Place, identity: RunIdentity): RunStore =>
  commentStore(place, identity, { comment: undefined, seq: 1, prev: '-', closed: [], open: [], board: '' });

interface State {
  comment: number | undefined;
  seq: number;
  prev: string;
  closed: Entry[];
  open: Entry[];
  /** The board that stands there now. */
  board: string;
}

function commentStore({ github, keys }: Place, identity: RunIdentity, state: State): RunStore {
  const encode = (entries: Entry[]) =>
    encodeSegment({ identity, seq: state.seq, prev: state.prev, entries }, keys);

  /** Encoded, where it is no more than a segment is to hold. */
  const fitting = (entries: Entry[]) => {
    if (Buffer.byteLength(JSON.stringify(entries)) > CLOSE_PLAIN_AT) return undefined;
    const encoded = encode(entries);
    return encoded.length <= CLOSE_AT ? encoded : undefined;
  };

  async function put(board: string, encoded: string) {
    const body = `${board.slice(0, MAX_BODY - encoded.length - 10)}\n\n${encoded}`;
    if (state.comment === undefined) state.comment = await github.comment(identity.issue, body);
    else await github.editComment(state.comment, body);
    state.board = board;
  }

  return {
    identity,
    get entries() {
      return [...state.closed, ...state.open];
    },
    get comment() {
      return state.comment;
    },
    async append(entries, board) {
      // A batch that is too large for one segment goes on in the next one.
      if (entries.length > 1 && fitting([...entries]) === undefined) {
        const half = Math.ceil(entries.length / 2);
        await this.append(entries.slice(0, half), board);
        await this.append(entries.slice(half), board);
        return;
      }
      let encoded = fitting([...state.open, ...entries]);
      if (encoded === undefined) {
        // Before anything is written: what no segment can hold closes none.
        const size = encode([...entries]).length;
        if (size > MAX_BODY - 1000)
          throw new Error(`a step's result is too large for the record (${size} characters packed)`);
        if (state.open.length > 0) {
          const full = encode(state.open);
          await github.comment(identity.issue, partComment(state.seq, full));
          state.closed.push(...state.open);
          state.open = [];
          state.prev = segmentDigest(full);
          state.seq += 1;
        }
        encoded = encode([...entries]);
      }
      await put(board, encoded);
      state.open = [...state.open, ...entries];
    },
    async redraw(board) {
      // Where nothing stands there is no record either, and none without an entry is begun.
      if (state.comment !== undefined && plain(board) !== plain(state.board))
        await put(board, encode(state.open));
    },
  };
}

const plain = (text: string) => text.replace(/\r\n/g, '\n').trim();
