// Buttons that replace typing a command, where the pages of an issue are the product's own.
import { openOn, runOfBoard } from './board.ts';
import { askedAt } from './headline.ts';
import { decisionsIn } from './listing.ts';
import { questionHead } from './question.ts';

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

type Offers = readonly (readonly [number, readonly QuickReply[]])[];

/**
 * By the id of a comment: what it asks for. Only while the newest board waits for that, and a listing only unchanged:
 * what is approved is what was shown.
 */
export function quickReplies(thread: readonly Shown[]): ReadonlyMap<number, readonly QuickReply[]> {
  const ours = thread.filter(({ byBot }) => byBot);
  const board = ours.findLast(({ body }) => runOfBoard(body) !== undefined);
  if (!board) return new Map();
  return new Map([...goingOn(board), ...deciding(board, ours), ...answering(board, ours)]);
}

/** Commands in the first line of a status comment, with the names of their buttons. */
const ways = new Map([
  ['/resume', 'Go on'],
  ['/retry', 'Try again'],
  ['/budget +5', 'Raise the limit by $5'],
]);

function goingOn({ id, body }: Shown): Offers {
  const [first = ''] = body.split('\n', 1);
  const offered = [...ways].filter(([line]) => first.includes(`\`${line}\``));
  return offered.length === 0 ? [] : [[id, offered.map(([line, label]) => ({ label, line }))]];
}

function deciding(board: Shown, ours: readonly Shown[]): Offers {
  const asked = askedAt(board.body);
  if (asked === undefined) return [];
  // A long listing has several comments, of which the board names the first and the last one says what to type.
  const listing = ours.find(({ id, body }) => id >= asked && decisionsIn(body) !== undefined);
  const decisions = listing && decisionsIn(listing.body);
  if (!decisions || listing.edited) return [];
  const { approve, reject, several } = decisions;
  const first: QuickReply = { label: 'Approve', line: approve, main: true };
  const field = several ? 'Reason to reject (after a1: only that)' : 'Reason to reject';
  return [[listing.id, [first, { label: 'Reject', line: reject, field }]]];
}

/** Questions that are open, where they were asked. */
const answering = (board: Shown, ours: readonly Shown[]): Offers =>
  openOn(board.body).flatMap(({ question, comment }) => {
    const asks = ours.find(({ id }) => id === comment);
    if (!asks || asks.edited || !asks.body.startsWith(questionHead(question))) return [];
    const answer = {
      label: 'Answer',
      line: `/answer ${question}`,
      field: 'Your answer',
      main: true as const,
    };
    return [[comment, [answer]] as const];
  });
