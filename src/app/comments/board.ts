// The run comment: who waits for whom, how far it has come, and its issues. Drawn from the view; on Actions with the calls counted.
import { withoutReview } from './listing.ts';
import { code, clip, neutral, neutralLine, paragraphs } from './neutral.ts';
import { layerName } from '../layers.ts';
import { baseTestsNote, checksRefused, guessedLine } from './base-tests.ts';
import { spentOf } from './budget.ts';
import { dollars, folded, table } from './figures.ts';
import { headline, linkTo, phases } from './headline.ts';
import { cell, costsOf, graph, issueTable } from './issue-table.ts';
import { openQuestions } from './question.ts';
import { answeredInstead, unwellSessions } from './session.ts';
import { togetherLine } from './together.ts';
import { type CallsUsed, type IssueView, isQueued, type RunView } from './view.ts';

/** Characters the board may take: the open segment of the record stands below it in the same comment. */
const MAX_BOARD = 9000;
/** The same of an answer to `/status`, which is a comment of its own. */
const MAX_STATUS = 60_000;

/** Values on the status comment that are in no record. */
interface Beside {
  /** API calls used this hour. Set only for tokens with a low rate limit (GitHub Actions). */
  calls?: CallsUsed | undefined;
  /** Latest progress of its jobs, a line each. */
  doing?: readonly string[] | undefined;
}

export const board = (view: RunView, beside: Beside = {}): string => within(view, MAX_BOARD, beside);

/** A board as GitHub's pages may give it back, without what changes by being written. */
export const plainBoard = (text: string) =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/Calls to GitHub this hour: \d+ of [\d,]+\.\n*/, '')
    .trim();

/** The answer to `/status`: the board with all that it may leave out, and the sessions that were not healthy. */
export function statusReply(view: RunView): string {
  return paragraphs([
    within(view, MAX_STATUS),
    unwellSessions(view.sessions),
    answeredInstead(view.sessions),
  ]);
}

/** Room for the words that say what was left out (characters). */
const LEFT_OUT = 150;

function within(view: RunView, room: number, { calls, doing = [] }: Beside = {}): string {
  const parts = [`### ${headline(view)}`, ...stand(view)].filter(Boolean);
  // Few of them: who wants to know more looks at the logs.
  if (doing.length > 0) parts.push(`At work: ${neutralLine(doing.slice(0, 8).join('; '), 600)}`);
  const left = () => room - LEFT_OUT - parts.reduce((sum, { length }) => sum + length + 2, 0);
  if (view.issues.length > 0) parts.push(issueTable(view, left()), reasons(view.issues));
  const missing: string[] = [];
  for (const [name, text] of further(view, calls))
    if (text.length <= left()) parts.push(text);
    else missing.push(name);
  if (missing.length > 0)
    parts.push(`Left out for want of room: ${missing.join(', ')}. \`/status\` shows more.`);
  return clip(parts.filter(Boolean).join('\n\n'), room);
}

/** Text above the table; it mentions only what is not well. */
function stand(view: RunView): string[] {
  const open = openQuestions(view);
  return [
    guessedLine(view.guessed),
    `${phases(view)}  \n${money(view)}`,
    view.scripted
      ? '_The scripted model is playing: every reply comes from a file, no language model is asked._'
      : '',
    view.mergesInto === undefined ? '' : withoutReview(view.mergesInto),
    view.note ? clip(neutral(view.note), 2000) : '',
    view.baseTests ? baseTestsNote(view.baseTests) : '',
    view.checksRefused === undefined ? '' : checksRefused(view.checksRefused),
    togetherLine(view),
    open
      .map(
        ({ id, from, text, comment }) => `- ${linkTo(id, view, comment)}, ${from}: ${neutralLine(text, 300)}`,
      )
      .join('\n'),
  ];
}

/** The questions that a board says are open, and the comments that ask them. Only boards of the bot may be asked. */
export const openOn = (text: string): { question: string; comment: number }[] =>
  [...text.matchAll(/^- \[(Q\d{1,4})\]\([^()\s]*#issuecomment-(\d{1,15})\), /gm)].map(
    ([, question = '', comment]) => ({ question, comment: Number(comment) }),
  );

/** `$0.42 of $50.00 spent, about $0.90 estimated`. */
const money = (view: RunView) =>
  `${spentOf(view)}${view.flatPlan ? '' : ' spent'}${view.estimate ? `, about ${dollars(view.estimate.usd.likely)} estimated` : ''}`;

/** Reasons of issues that ended without delivery, and the places of their last change. */
function reasons(issues: readonly IssueView[]): string {
  const rows = issues
    .filter(({ state, reason }) => reason && ['failed', 'blocked', 'skipped'].includes(state))
    .map(issue => `- #${issue.number}: ${neutralLine(issue.reason ?? '', 300)}${keptOn(issue)}`);
  return rows.length > 0 ? clip(rows.join('\n'), 2500) : '';
}

/** Place of a failed issue's last change, or of finished work that waits. */
export function keptOn(issue: IssueView): string {
  const { state, kept, unfinished, branch } = issue;
  if (isQueued(issue)) return ` (on ${code(branch ?? '')})`;
  if (state !== 'failed' || !kept) return '';
  return unfinished === undefined ? ` (kept on ${code(kept)})` : ` (unfinished in #${unfinished})`;
}

/** Optional sections, each with the name used in the 'left out' line. */
function further(view: RunView, calls: CallsUsed | undefined): [string, string][] {
  return [
    ['the graph', graph(view.issues)],
    [
      'the layers',
      folded(
        'Layers and ids',
        `${layersTable(view)}\n\n${calls ? `Calls to GitHub this hour: ${calls.used} of ${calls.limit.toLocaleString('en')}.\n\n` : ''}${ids(view)}`,
      ),
    ],
    ['the plan', view.plan ? folded('Plan', clip(neutral(view.plan), 3000)) : ''],
  ];
}

function layersTable(view: RunView): string {
  const costs = costsOf(view).layers;
  const rows = view.layers.map(({ id, status, waitsFor, error, turns }, index) => [
    layerName(id),
    error ? `${status}: ${cell(error)}` : waitsFor ? `${status} for ${waitsFor}` : status,
    String(turns),
    dollars(costs[index] ?? 0),
  ]);
  return table(['Layer', 'Status', 'Model calls', 'Cost'], rows);
}

const ids = ({ run, isolation, pending }: RunView) =>
  [
    `Run ${code(run)}${isolation ? `, isolation ${code(isolation)}` : ''}.`,
    ...pending.map(({ id, title }) => `- ${code(id)} ${neutralLine(title)}`),
  ].join('\n');

export const partComment = (seq: number, encoded: string) =>
  `<details><summary>Record, part ${seq}</summary>\n\nEchelon keeps its record in comments. Please leave this one as it is.\n\n</details>\n\n<!-- echelon:part -->\n${encoded}`;

export const restoredNotice = (editor: string) =>
  `The run comment was edited by ${code(editor)}. It holds the run's record, so the text before was put back.`;

export const troubleNotice = (why: string) =>
  `The record of this run cannot be relied on: ${neutralLine(why)}. Nothing more is done here. Remove the label and put it on again to begin a new run.`;

/** The run whose board and record a comment is; parts of a record begin otherwise. */
export const runOfBoard = (body: string): string | undefined =>
  body.startsWith('### ')
    ? /<!-- echelon:record [^>\n]*?\brun=([a-z0-9]{1,32})\b/.exec(body)?.[1]
    : undefined;

/** Early versions could keep a record on a branch; the run comment then named its newest commit. */
export const isRecordOnBranch = (body: string): boolean =>
  /<!-- echelon:record commit=\d+ head=[0-9a-f]{40} /.test(body);

/** For `troubleNotice`. */
export const recordOnBranch = 'it stands on a branch, which this version of Echelon does not read';
