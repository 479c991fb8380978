// Reads the record of a run out of the comments of its issue: what the bot wrote, whole and in order, mended where it was edited.
import {
  decodeSegment,
  type Entry,
  RecordError,
  type RunIdentity,
  type Segment,
  segmentDigest,
} from '@echelon/ground/journal';
import type { Comment, Thread } from '../github/thread.ts';
import { sayOnce, markOf, operationKey } from '../github/once.ts';
import type { Repository } from '../github/repository.ts';
import { isRecordOnBranch, recordOnBranch, restoredNotice } from '../comments/board.ts';
import { commentStore, type State, type Loaded, type RecordAccess, type Trouble } from './comment-store.ts';

/**
 * The record of the newest run in the comments of an issue. Only what the bot wrote, and edited last, counts. Reads nothing
 * but the thread, unless a comment of the bot's was edited. `looks`: edited comments are not put back.
 */
export async function loadRun(
  thread: Thread,
  access: RecordAccess,
  { looks = false }: { looks?: boolean } = {},
): Promise<Loaded> {
  const { github } = access;
  const found = await readRecords(thread, access);
  const chosen = newestRun(found, thread, github);
  if (chosen.kind !== 'run') return chosen;
  const store = commentStore(access, chosen.identity, chosen.state);
  if (looks || found.tampered.length === 0) return { kind: 'run', store };
  const known = new Set(
    store.entries.flatMap(entry => (entry.t === 'signal' ? [] : [operationKey(store.identity, entry.key)])),
  );
  // A comment that a step of the run made and the journal knows nothing of: the journal is an old one.
  const missed = thread.comments.find(({ id, author, body }) => {
    const op = id > (store.comment ?? 0) && author === github.bot ? markOf(body) : undefined;
    return op !== undefined && !known.has(op);
  });
  if (missed) return trouble(missed, 'what could be put back is older than what the run did since');
  // The bot's own text is put back, and that is said once for each edit.
  for (const { comment, body } of found.tampered) {
    await sayOnce(github, thread, {
      key: `restored/${comment.id}/${comment.editedAt}/${comment.editedBy}`,
      body: restoredNotice(comment.editedBy ?? 'ghost'),
    });
    await github.editComment(comment.id, body);
  }
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
async function readRecords(thread: Thread, place: RecordAccess): Promise<Records> {
  const { github, keys } = place;
  const where = { repository: github.id, issue: thread.number };
  const records: Records = { segments: [], tampered: [], troubles: [] };
  for (const comment of thread.comments) {
    if (comment.author !== github.bot) continue;
    const edited = comment.editedBy !== null && comment.editedBy !== github.bot;
    if (!edited && !comment.body.includes('<!-- echelon:record')) continue;
    try {
      // The bot's last version counts, not what stands there now.
      const body = edited ? await untampered(comment, place, where) : comment.body;
      if (body === undefined) continue;
      if (isRecordOnBranch(body)) records.troubles.push(trouble(comment, recordOnBranch));
      if (edited) records.tampered.push({ comment, body });
      const found = decodeSegment(body, where, keys);
      if (found) records.segments.push({ ...found, comment, part: body.includes('<!-- echelon:part -->') });
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
): { kind: 'none' } | Trouble | { kind: 'run'; identity: RunIdentity; state: State } {
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
  return { kind: 'run', identity: segment.identity, state };
}

/**
 * The last comment of a run's steps, when the run comment was deleted and nothing records how far the run had come. (A
 * run's own steps also comment on the sub-issues it created.)
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

const trouble = (comment: Comment, why: string): Trouble => ({
  kind: 'trouble',
  message: why,
  comment: comment.id,
});

/**
 * The bot's own newest text of a comment that someone else edited; undefined where it never held a record. The newest
 * is the one whose entries reach furthest: no order of revisions has to be relied on.
 */
async function untampered(
  comment: Comment,
  { github, keys }: RecordAccess,
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
