// The last comment of a run: what was delivered and in which order to merge it, what was not and why, and what it cost.
import { keptOn } from './board.ts';
import { spentOf } from './budget.ts';
import { between, cents, dollars, estimated, folded, plural, seconds, table, whole } from './figures.ts';
import { costsOf, countStates, stateOf } from './issue-table.ts';
import { mergeOrder, togetherEnd, togetherLine } from './together.ts';
import { code, clip, neutral, neutralLine, paragraphs } from './neutral.ts';
import { endStates, isDelivered, type IssueView, type Range, type RunView } from './view.ts';

/** Characters that the rows of issues take at most, so that what layers said fits beside them. */
const ROWS = 20_000;

export function runEndComment(view: RunView): string {
  const { status } = view;
  const inOrder = endStates.flatMap(state => view.issues.filter(issue => issue.state === state));
  const heads: Partial<Record<RunView['status'], string>> = {
    completed: 'The run is completed.',
    failed: 'The run has failed.',
    cancelled: 'The run was cancelled.',
  };
  const trouble = status === 'completed' ? togetherLine(view) : '';
  const head = heads[status] ?? `The run is ${status}.`;
  return paragraphs([
    `${head} ${view.issues.length > 0 ? `Of ${plural(view.issues.length, 'issue')}: ${countStates(inOrder)}.` : nobodyWorked(view)}`,
    view.note ? neutral(view.note) : '',
    view.issues.length === 0 && (status === 'cancelled' || !view.note) && status !== 'completed' ? anew : '',
    // Before anybody merges.
    trouble,
    deliveries(view),
    trouble === '' && status === 'completed' ? togetherEnd(view) : '',
    undelivered(view),
    money(view),
    estimateAndActual(view),
  ]);
}

/** Deliveries to merge, in merge order. */
function deliveries({ issues, status, mergesInto }: RunView): string {
  const order = mergeOrder(issues);
  const pullOf = new Map(order.map(({ number, pull }) => [number, pull]));
  const rows = order.map(({ number, pull, title, standsOn = [] }) => {
    const below = standsOn.flatMap(on => pullOf.get(on) ?? []).map(on => `#${on}`);
    return `#${pull} for #${number}, ${neutralLine(title, 120)}${below.length > 0 ? ` (stands on ${below.join(', ')})` : ''}`;
  });
  const merged = issues.filter(each => each.merged && each.pull === null).map(({ number }) => `#${number}`);
  const isAll = status === 'completed' && issues.every(isDelivered);
  return [
    merged.length > 0
      ? `**Merged into ${code(mergesInto ?? '')}, without review**: ${merged.join(', ')}.${isAll ? ' This issue can be closed.' : ''}`
      : '',
    rows.length > 1
      ? `**Review, then merge in this order:**\n\n${rows.map((row, at) => `${at + 1}. ${row}`).join('\n')}`
      : rows.map(row => `**Review, then merge** ${row}.`).join(''),
    rows.length > 0 && isAll ? 'When all of it is merged, this issue can be closed.' : '',
  ]
    .filter(Boolean)
    .map(text => clip(text, ROWS))
    .join('\n\n');
}

/** Undelivered issues with the reason and the command to type. */
function undelivered({ issues, status }: RunView): string {
  const left = issues.filter(each => !isDelivered(each));
  if (left.length === 0) return '';
  const rows = left.map(issue => {
    const why =
      issue.reason && (!['cancelled', 'done'].includes(issue.state) || status !== 'cancelled')
        ? `: ${neutralLine(issue.reason)}`
        : '';
    return `- #${issue.number} ${stateOf(issue)}${why}${keptOn(issue)}`;
  });
  return clip(paragraphs([`**Not delivered:**\n\n${rows.join('\n')}`, next(left, status)]), ROWS);
}

function next(left: readonly IssueView[], status: RunView['status']): string {
  if (status === 'cancelled') return anew;
  const again = left.filter(({ state }) => state === 'failed' || state === 'blocked');
  const [first] = again;
  if (!first) return '';
  return again.length === 1
    ? `Type ${code(`/retry #${first.number}`)} to have it tried again.`
    : `Type ${code('/retry')} to have all of these tried again, ${code(`/retry #${first.number}`)} for one.`;
}

/** `It cost $1.20 of $50.00 (estimated: about $0.90 (0.40 to 2.10), 40 minutes) and took 12 min 3 s.` */
function money(view: RunView): string {
  const { estimate, started, updated, scripted } = view;
  const expected = estimate ? `; estimated were ${estimated(estimate)}` : '';
  const played = scripted ? ' It was played by the scripted model.' : '';
  return `It cost ${spentOf(view)} and took ${seconds(updated - started)}${expected}.${played}`;
}

const anew = 'Take the label off and put it on again to begin anew.';

export const runSaidEnough = (most: number) =>
  `It was stopped: it has written ${most} comments, the most that a run may (\`limits.comments\`). Take the label off and put it on again to begin anew`;

/** A run that fails without an issue has not failed by itself: nothing was scheduled, or nothing approved. */
function nobodyWorked({ status, note, reviewed }: RunView): string {
  if (reviewed !== undefined)
    return `It has reviewed ${plural(reviewed, 'pull request')}; no issue was worked on.`;
  if (status === 'completed')
    return 'It was a dry run: nothing was created. What the layers would do is below. Put the label on again to have it done, without `/dry-run` before it and without `dry_run` in `.github/echelon.yml`.';
  const why =
    status === 'failed' && !note
      ? ' The layers scheduled none, or what they asked for was not approved.'
      : '';
  return `No issue was worked on.${why}`;
}

/** Of a run whose issues were estimated: the sum, and a folded row for each. Else empty. */
function estimateAndActual(view: RunView): string {
  const { estimate, issues, work, cost_usd } = view;
  if (!estimate) return '';
  const costs = costsOf(view);
  const rows = issues.flatMap(({ number, estimate: own, ms }, at) =>
    own
      ? [[`#${number}`, inDollars(own.usd), dollars(costs.issues[at] ?? 0), inMinutes(own.minutes), took(ms)]]
      : [],
  );
  if (rows.length === 0) return '';
  const planned = costs.layers.reduce((all, each) => all + each, 0);
  const planning = ['Planning', dollars(estimate.planning), dollars(planned), '', ''];
  const all = [
    '**In all**',
    inDollars(estimate.usd),
    dollars(cost_usd),
    inMinutes(estimate.minutes),
    work ? took(work.to - work.from) : '',
  ];
  return folded(
    'Estimated and actual, by issue',
    table(['Issue', 'Estimated', 'Cost', 'Estimated', 'Took'], [...rows, planning, all]),
  );
}

const took = (ms: number) => (ms === 0 ? '' : `${whole(ms / 60_000)} min`);

/** `$0.30 (0.12 to 0.80)`. */
const inDollars = (usd: Range): string => `${dollars(usd.likely)} (${between(usd, cents)})`;

/** `9 min (4 to 20)`. */
const inMinutes = (minutes: Range): string => `${whole(minutes.likely)} min (${between(minutes, whole)})`;
