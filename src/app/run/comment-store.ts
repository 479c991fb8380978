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
import { type Entry, live, type RunIdentity } from '../../journal/journal.ts';
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

/** The record cannot be relied on: nothing is done until a person has looked. */
interface Trouble {
  kind: 'trouble';
  message: string;
  comment: number;
}

export type Loaded = { kind: 'none' } | { kind: 'run'; store: RunStore } | Trouble;

interface StoreAccess {
  github: Repository;
  keys: readonly Uint8Array[];
}

/** The record of the newest run on an issue. Only what the bot wrote, and edited last, counts. */
export async function loadRun(thread: Thread, place: StoreAccess): Promise<Loaded> {
  const found = await readRecords(thread, place);
  const chosen = newestRun(found, thread, place.github);
  if (chosen.kind !== 'run') return chosen;
  const { identity, state } = chosen;
  const store = commentStore(place, identity, state);
  if (found.tampered.length === 0) return { kind: 'run', store };
  const missed = unknownStep(thread, place.github, identity, chosen.comment, store.entries);
  if (missed) return trouble(missed, 'what could be put back is older than what the run did since');
  await putBack(thread, place.github, found.tampered);
  return { kind: 'run', store };
}

/** A segment, and whether its comment is one of its own instead of the run's. */
interface Kept {
  segment: Segment;
  encoded: string;
  comment: Comment;
  part: boolean;
}

/** The bot's own text of a comment that someone else edited. */
interface Tampered {
  comment: Comment;
  body: string;
}

interface Records {
  segments: Kept[];
  tampered: Tampered[];
  troubles: Trouble[];
}

/** Every segment that the bot wrote on an issue, of whatever run, in the order of the comments. */
async function readRecords(thread: Thread, place: StoreAccess): Promise<Records> {
  const { github, keys } = place;
  const where = { repository: github.id, issue: thread.number };
  const records: Records = { segments: [], tampered: [], troubles: [] };
  for (const comment of thread.comments) {
    if (comment.author !== github.bot) continue;
    const edited = comment.editedBy !== null && comment.editedBy !== github.bot;
    if (!edited && !comment.body.includes('<!-- echelon:record')) continue;
    try {
      // Whatever stands there now, what counts is what the bot wrote last.
      const body = edited ? await untampered(comment, place, where) : comment.body;
      if (body === undefined) continue;
      if (edited) records.tampered.push({ comment, body });
      const found = decodeSegment(body, where, keys);
      if (found) records.segments.push({ ...found, comment, part: isPart(body) });
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      records.troubles.push(trouble(comment, error.message));
    }
  }
  return records;
}

/** The run whose comment is the newest, where its record is whole. */
function newestRun(
  { segments, troubles }: Records,
  thread: Thread,
  github: Repository,
): { kind: 'none' } | Trouble | { kind: 'run'; comment: number; identity: RunIdentity; state: State } {
  const newest = segments.findLast(each => !each.part);
  // Trouble that is older than a good run comment belongs to a run before.
  const worst = troubles.findLast(each => !newest || each.comment > newest.comment.id);
  if (worst) return worst;
  if (!newest) {
    const orphan = segments.at(-1)?.comment ?? madeByRun(thread, github);
    return orphan ? trouble(orphan, 'the run comment was deleted') : { kind: 'none' };
  }
  const { segment, comment } = newest;
  const { closed, prev, seq } = chainOf(segments, segment.identity.run);
  if (segment.seq > seq || (segment.seq === seq && segment.prev !== prev))
    return trouble(comment, `part ${seq} of the record is missing`);
  const open = segment.seq === seq ? segment.entries : [];
  const board = comment.body.split('<!-- echelon:record')[0]!;
  const state = { comment: comment.id, seq, prev, closed, open, board };
  return { kind: 'run', comment: comment.id, identity: segment.identity, state };
}

/**
 * What steps of a run made, without the run comment: it was deleted, and nothing says how far the run had come.
 * (A sub-issue that a run created is spoken on by steps of that run.)
 */
function madeByRun(thread: Thread, github: Repository): Comment | undefined {
  if (thread.author === github.bot && markOf(thread.body) !== undefined) return undefined;
  return thread.comments.findLast(({ author, body }) => author === github.bot && markOf(body));
}

/** A run's closed segments as far as each fits on the one before; `seq`: number of the one that follows. */
function chainOf(segments: readonly Kept[], run: string): Pick<State, 'closed' | 'prev' | 'seq'> {
  const parts = segments.filter(({ part, segment }) => part && segment.identity.run === run);
  const closed: Entry[] = [];
  let prev = '-';
  // A part with the run comment's own number was posted just before a crash: it holds the same entries.
  for (let seq = 1; ; seq++) {
    const part = parts.find(({ segment }) => segment.seq === seq && segment.prev === prev);
    if (!part) return { closed, prev, seq };
    closed.push(...part.segment.entries);
    prev = segmentDigest(part.encoded);
  }
}

/** Puts the bot's own text back, and says so once for each edit. */
async function putBack(thread: Thread, github: Repository, tampered: readonly Tampered[]): Promise<void> {
  for (const { comment, body } of tampered) {
    await sayOnce(github, thread, {
      key: `restored/${comment.id}/${comment.editedAt}/${comment.editedBy}`,
      body: restoredNotice(comment.editedBy ?? 'ghost'),
    });
    await github.editComment(comment.id, body);
  }
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

const trouble = (comment: Comment, why: string): Trouble => ({
  kind: 'trouble',
  message: why,
  comment: comment.id,
});

const isPart = (body: string) => body.includes('<!-- echelon:part -->');

/**
 * The bot's own newest text of a comment that someone else edited; undefined where it never held a record. The newest
 * is the one whose entries reach furthest: no order of revisions has to be relied on.
 */
async function untampered(
  comment: Comment,
  { github, keys }: StoreAccess,
  where: { repository: number; issue: number },
): Promise<string | undefined> {
  let best: { body: string; reach: readonly number[] } | undefined;
  for (const { body, editor } of await github.revisions(comment)) {
    if (editor !== github.bot) continue;
    const found = decodeSegment(body, where, keys);
    if (!found) continue;
    const { seq, entries } = found.segment;
    const newest = Math.max(0, ...entries.map(entry => (entry.t === 'intent' ? 0 : entry.at)));
    const reach = [seq, newest, entries.length];
    if (!best || isFurther(reach, best.reach)) best = { body, reach };
  }
  return best?.body;
}

/** By the first figure in which the two differ. */
function isFurther(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((figure, index) => figure !== other[index]);
  return at >= 0 && one[at]! > other[at]!;
}

/** A store for a run that has no comment yet. */
export const newRunStore = (place: StoreAccess, identity: RunIdentity): RunStore =>
  commentStore(place, identity, { comment: undefined, seq: 1, prev: '-', closed: [], open: [], board: '' });

interface State {
  comment: number | undefined;
  seq: number;
  prev: string;
  closed: Entry[];
  open: Entry[];
  /** The board that stands there now. */
  board: string;
  /** The open segment was to be closed, and it is not known whether it was. */
  closing?: boolean;
}

function commentStore({ github, keys }: StoreAccess, identity: RunIdentity, state: State): RunStore {
  const encode = (entries: readonly Entry[]) =>
    encodeSegment({ identity, seq: state.seq, prev: state.prev, entries: live(entries) }, keys);

  /** Encoded, where it is no more than a segment is to hold. */
  const fitting = (entries: readonly Entry[]) => {
    if (Buffer.byteLength(JSON.stringify(live(entries))) > CLOSE_PLAIN_AT) return undefined;
    const encoded = encode(entries);
    return encoded.length <= CLOSE_AT ? encoded : undefined;
  };

  async function put(board: string, encoded: string) {
    const body = `${board.slice(0, MAX_BODY - encoded.length - 10)}\n\n${encoded}`;
    if (state.comment === undefined) state.comment = await github.comment(identity.issue, body);
    else await github.editComment(state.comment, body);
    state.board = board;
  }

  /** Closes the open segment where the entries do not fit into it. */
  async function appendLasting(entries: readonly Entry[], board: string) {
    let encoded = state.closing ? undefined : fitting([...state.open, ...entries]);
    if (encoded === undefined) {
      // Before anything is written: what no segment can hold closes none.
      const size = encode(entries).length;
      if (size > MAX_BODY - 1000)
        throw new Error(`a step's result is too large for the record (${size} characters packed)`);
      if (state.open.length > 0) {
        const full = encode(state.open);
        // Where the answer is lost the part may be there: the next write posts it again, and a reader takes either.
        state.closing = true;
        await github.comment(identity.issue, partComment(state.seq, full));
        state.closing = false;
        state.closed.push(...state.open);
        state.open = [];
        state.prev = segmentDigest(full);
        state.seq += 1;
      }
      encoded = encode(entries);
    }
    await put(board, encoded);
    state.open = [...state.open, ...entries];
  }

  return {
    identity,
    get entries() {
      return live([...state.closed, ...state.open]);
    },
    get comment() {
      return state.comment;
    },
    async append(batch, board) {
      const whole = [...state.open, ...batch];
      const encoded = state.closing ? undefined : fitting(whole);
      if (encoded !== undefined) {
        await put(board, encoded);
        state.open = whole;
        return;
      }
      // A checkpoint is an aid: where it does not fit beside what is open it is left out, and closes nothing.
      state.open = state.open.filter(isLasting);
      const entries = batch.filter(isLasting);
      // A batch that is too large for one segment goes on in the next one.
      if (entries.length > 1 && fitting(entries) === undefined) {
        const half = Math.ceil(entries.length / 2);
        await this.append(entries.slice(0, half), board);
        await this.append(entries.slice(half), board);
      } else if (entries.length > 0) await appendLasting(entries, board);
    },
    async redraw(board) {
      // Where nothing stands there is no record either, and none without an entry is begun.
      if (state.comment !== undefined && plain(board) !== plain(state.board))
        await put(board, encode(state.open));
    },
  };
}

const isLasting = ({ t }: Entry) => t !== 'checkpoint';

const plain = (text: string) => text.replace(/\r\n/g, '\n').trim();
