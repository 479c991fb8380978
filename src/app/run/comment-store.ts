// The store of a run in comments of its issue: closed segments each in a comment, the open one under the board.
import type { Repository } from '../github/repository.ts';
import { encodeSegment, segmentDigest } from '../../journal/codec.ts';
import { type Entry, live, type RunIdentity } from '../../journal/journal.ts';
import { MAX_BODY } from '../comments/neutral.ts';
import { partComment } from '../comments/record.ts';

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

export interface StoreAccess {
  github: Repository;
  keys: readonly Uint8Array[];
}

/** A store for a run that has no comment yet. */
export const newRunStore = (place: StoreAccess, identity: RunIdentity): RunStore =>
  commentStore(place, identity, { comment: undefined, seq: 1, prev: '-', closed: [], open: [], board: '' });

export interface State {
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

export function commentStore(place: StoreAccess, identity: RunIdentity, state: State): RunStore {
  const { encode, fitting, put, close } = segmentWriter(place, identity, state);

  /** Closes the open segment where the entries do not fit into it. */
  async function appendLasting(entries: readonly Entry[], board: string) {
    if (state.closing || fitting([...state.open, ...entries]) === undefined) {
      // Before anything is written: what no segment can hold closes none.
      const size = encode(entries).length;
      if (size > MAX_BODY - 1000)
        throw new Error(`a step's result is too large for the record (${size} characters packed)`);
      if (state.open.length > 0) await close();
    }
    await put(board, [...state.open, ...entries]);
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
      if (encoded !== undefined) return await put(board, whole, encoded);
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
      if (state.comment !== undefined && plain(board) !== plain(state.board)) await put(board, state.open);
    },
  };
}

/** Packs entries as the segment that is open, and posts it: under the board, or closed in a comment of its own. */
function segmentWriter({ github, keys }: StoreAccess, identity: RunIdentity, state: State) {
  const encode = (entries: readonly Entry[]) =>
    encodeSegment({ identity, seq: state.seq, prev: state.prev, entries: live(entries) }, keys);

  return {
    encode,
    /** Encoded, where it is no more than a segment is to hold. */
    fitting(entries: readonly Entry[]): string | undefined {
      if (Buffer.byteLength(JSON.stringify(live(entries))) > CLOSE_PLAIN_AT) return undefined;
      const encoded = encode(entries);
      return encoded.length <= CLOSE_AT ? encoded : undefined;
    },
    async put(board: string, open: Entry[], encoded = encode(open)) {
      const body = `${board.slice(0, MAX_BODY - encoded.length - 10)}\n\n${encoded}`;
      if (state.comment === undefined) state.comment = await github.comment(identity.issue, body);
      else await github.editComment(state.comment, body);
      Object.assign(state, { board, open });
    },
    async close() {
      const full = encode(state.open);
      // Where the answer is lost the part may be there: the next write posts it again, and a reader takes either.
      state.closing = true;
      await github.comment(identity.issue, partComment(state.seq, full));
      state.closing = false;
      state.closed.push(...state.open);
      state.open = [];
      state.prev = segmentDigest(full);
      state.seq += 1;
    },
  };
}

const isLasting = ({ t }: Entry) => t !== 'checkpoint';

const plain = (text: string) => text.replace(/\r\n/g, '\n').trim();
