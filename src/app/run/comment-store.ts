// The store of a run in comments of its issue: a chain of segments, the closed ones each in a comment, the open one under
// the board.
import { encodeSegment, type Entry, live, type RunIdentity, segmentDigest } from '@echelon/ground/journal';
import { partComment, plainBoard } from '../comments/board.ts';
import { MAX_BODY } from '../comments/neutral.ts';
import type { Repository } from '../github/repository.ts';

/** Characters of an open segment past which it is closed; with the board it stays under GitHub's 65,536. */
const CLOSE_AT = 55_000;
/** The same for its bytes before they are packed: a reader stops at 1 MB. */
const CLOSE_PLAIN_AT = 700_000;

interface Segments {
  /** Number of the open segment, from 1. */
  seq: number;
  /** Digest of the one before. */
  prev: string;
  closed: Entry[];
  open: Entry[];
}

type Place = Pick<Segments, 'seq' | 'prev'>;

const isLasting = ({ t }: Entry) => t !== 'checkpoint';

/** Writes one run's segments. */
function segmentWriter(identity: RunIdentity, keys: readonly Uint8Array[]) {
  const encode = ({ seq, prev }: Place, entries: readonly Entry[]) =>
    encodeSegment({ identity, seq, prev, entries: live(entries) }, keys);
  return {
    encode,
    /** Encoded, where it is no more than a segment is to hold. */
    fitting(at: Place, entries: readonly Entry[]): string | undefined {
      if (Buffer.byteLength(JSON.stringify(live(entries))) > CLOSE_PLAIN_AT) return undefined;
      const encoded = encode(at, entries);
      return encoded.length <= CLOSE_AT ? encoded : undefined;
    },
    /** Throws where no segment can hold the entries. */
    checkSize(at: Place, entries: readonly Entry[]): void {
      const size = encode(at, entries).length;
      if (size > MAX_BODY - 1000)
        throw new Error(`a step's result is too large for the record (${size} characters packed)`);
    },
  };
}

export interface State extends Segments {
  comment: number | undefined;
  /** The board that stands there now. */
  board: string;
  /** The open segment was to be closed, and it is not known whether it was. */
  closing?: boolean;
}

/** A store for a run that has no record yet. */
export const newRunStore = (access: RecordAccess, identity: RunIdentity): RunStore =>
  commentStore(access, identity, {
    ...{ seq: 1, prev: '-', closed: [], open: [], comment: undefined, board: '' },
  });

export function commentStore(place: RecordAccess, identity: RunIdentity, state: State): RunStore {
  const { fitting, checkSize } = segmentWriter(identity, place.keys);
  const { put, close } = commentWriter(place, identity, state);

  /** Closes the open segment where the entries do not fit into it. */
  async function appendLasting(entries: readonly Entry[], board: string) {
    if (state.closing || fitting(state, [...state.open, ...entries]) === undefined) {
      // Before anything is written: what no segment can hold closes none.
      checkSize(state, entries);
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
      const encoded = state.closing ? undefined : fitting(state, whole);
      if (encoded !== undefined) return await put(board, whole, encoded);
      // A checkpoint is an aid: where it does not fit beside what is open it is left out, and closes nothing.
      state.open = state.open.filter(isLasting);
      const entries = batch.filter(isLasting);
      // A batch that is too large for one segment goes on in the next one.
      if (entries.length > 1 && fitting(state, entries) === undefined) {
        const half = Math.ceil(entries.length / 2);
        await this.append(entries.slice(0, half), board);
        await this.append(entries.slice(half), board);
      } else if (entries.length > 0) await appendLasting(entries, board);
    },
    async redraw(board) {
      // Without a comment there is no record, and none without an entry is begun.
      if (state.comment !== undefined && plainBoard(board) !== plainBoard(state.board))
        await put(board, state.open);
    },
  };
}

/** Posts the segment that is open: under the board, or closed in a comment of its own. */
function commentWriter({ github, keys }: RecordAccess, identity: RunIdentity, state: State) {
  const { encode } = segmentWriter(identity, keys);
  return {
    async put(board: string, open: Entry[], encoded = encode(state, open)) {
      const body = `${board.slice(0, MAX_BODY - encoded.length - 10)}\n\n${encoded}`;
      if (state.comment === undefined) state.comment = await github.comment(identity.issue, body);
      else await github.editComment(state.comment, body);
      Object.assign(state, { board, open });
    },
    async close() {
      const full = encode(state, state.open);
      // If the answer is lost, the segment may exist: the next write posts it again, and a reader takes either.
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

export interface RunStore {
  readonly identity: RunIdentity;
  readonly entries: readonly Entry[];
  /** Database id of the run comment, once there is one. */
  readonly comment: number | undefined;
  /** Makes entries durable, with the board as it stands. */
  append(entries: readonly Entry[], board: string): Promise<void>;
  /** Shows this board, nothing appended; writes only where another one stands there. */
  redraw(board: string): Promise<void>;
}

export interface RecordAccess {
  github: Repository;
  /** Keys of the record: the first signs, all verify. */
  keys: readonly Uint8Array[];
}

/** The record cannot be relied on: nothing is done until a person has looked. */
export interface Trouble {
  kind: 'trouble';
  message: string;
  /** Of the run comment, or of the one that the trouble is with; 0 where there is none. */
  comment: number;
}

export type Loaded = { kind: 'none' } | { kind: 'run'; store: RunStore } | Trouble;
