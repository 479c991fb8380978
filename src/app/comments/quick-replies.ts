// What a person may click in the place of typing it, where the pages of an issue are the product's own.
import { askedAt } from './headline.ts';
import { decisionsIn } from './listing-foot.ts';
import { runOfBoard } from './record.ts';

/** A comment, as whoever shows it knows it. */
interface Shown {
  /** Database id; later comments have higher ones. */
  id: number;
  /** Written by the App's bot, as the site that shows it says. */
  byBot: boolean;
  /** Changed after it was written. */
  edited: boolean;
  body: string;
}

/** A line to say. `field`: something is to be filled in, which stands behind the line; this is asked for it. */
interface QuickReply {
  label: string;
  line: string;
  field?: string;
  main?: true;
}

/**
 * By the id of a comment: what decides on it. Only while the board waits for that, and never for a text that was
 * changed: what is approved is what was shown.
 */
export function quickReplies(thread: readonly Shown[]): ReadonlyMap<number, readonly QuickReply[]> {
  const ours = thread.filter(({ byBot }) => byBot);
  const board = ours.findLast(({ body }) => runOfBoard(body) !== undefined);
  const asked = board && askedAt(board.body);
  if (asked === undefined) return new Map();
  // A long listing has several comments, of which the board names the first and the last one says what to type.
  const listing = ours.find(({ id, body }) => id >= asked && decisionsIn(body) !== undefined);
  const decisions = listing && decisionsIn(listing.body);
  if (!decisions || listing.edited) return new Map();
  const { approve, reject, several } = decisions;
  const replies: QuickReply[] = [
    ...(approve === undefined ? [] : [{ label: 'Approve', line: approve, main: true as const }]),
    {
      label: 'Reject',
      line: reject,
      field: several ? 'Reason (a1 before it: only a1)' : 'Reason',
    },
  ];
  return new Map([[listing.id, replies]]);
}
