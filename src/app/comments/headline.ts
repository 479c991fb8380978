// The board's first lines: who waits for whom with a link to the one thing to do, and how far the run has come.
import { layerName } from '../layers.ts';
import { code } from './neutral.ts';
import { plural } from './figures.ts';
import { mergeOrder, doNotFit, fixTogether, troubleOf } from './together.ts';
import { openQuestions } from './question.ts';
import { endStates, isDelivered, isQueued, type IssueView, type QuestionView, type RunView } from './view.ts';

/** One line. What follows `Waiting for you` is all that there is to do. */
export function headline(view: RunView): string {
  const asks = openQuestions(view)[0];
  switch (view.status) {
    case 'waiting':
      return `Waiting for ${waitingFor(view, asks)}`;
    case 'paused':
      return `Paused${view.pausedBy === undefined ? '' : ` by ${code(view.pausedBy)}`}: type \`/resume\` to go on`;
    case 'running':
      return `${under(view)}${asks ? `; ${linkTo(`question ${asks.id}`, view, asks.comment)} waits for you` : ''}`;
    case 'completed':
      return `Done: ${done(view)}`;
    case 'failed':
      return `Failed: ${failed(view)}`;
    case 'cancelled':
      return 'Cancelled: nothing more is done here';
  }
}

/** The address of a comment of the directive, from the page of any issue or pull request of its repository. */
export const linkTo = (words: string, { issue }: Pick<RunView, 'issue'>, comment: number | undefined) =>
  comment === undefined ? words : `[${words}](../issues/${issue}#issuecomment-${comment})`;

function waitingFor(view: RunView, asks: QuestionView | undefined): string {
  switch (view.waitingFor) {
    case 'approval':
      return `you: ${linkTo(approve(view), view, view.listing)}`;
    case 'question':
      return `you: ${asks ? linkTo(`answer ${asks.id}`, view, asks.comment) : 'answer'}`;
    case 'tests':
      return `you: ${linkTo('make the tests run', view, view.baseTests?.comment)}, then type \`/retry\``;
    case 'budget':
      return 'you: raise the limit, `/budget +5`';
    default:
      return `${view.waitingFor ?? 'what comes next'}. It goes on by itself`;
  }
}

/** The comment that a board asks somebody to decide on (database id), or nothing. Only boards of the bot may be asked. */
export function askedAt(board: string): number | undefined {
  const [first = ''] = board.split('\n', 1);
  const found = /^### Waiting for you: \[approve[^\]]*\]\([^()\s]*#issuecomment-(\d{1,15})\)$/.exec(first);
  return found ? Number(found[1]) : undefined;
}

function approve({ pending }: RunView): string {
  const issues = pending.reduce((sum, each) => sum + each.issues, 0);
  return `approve ${issues > 0 ? plural(issues, 'issue') : plural(pending.length, 'action')}`;
}

/** Work in progress. */
function under({ phase, layers, issues, baseTests, together }: RunView): string {
  if (phase === 'engineering') {
    if (together?.state === 'running') return 'Building: what is delivered is tested together';
    const at = issues.filter(isUnderWay).length;
    const ready = issues.filter(isDelivered).length;
    const delivered = ready > 0 ? `, ${ready} delivered` : '';
    return `Building: ${at} of ${plural(issues.length, 'issue')} under way${delivered}`;
  }
  const asks = layers.find(({ waitsFor }) => waitsFor !== undefined);
  if (asks) return `Planning: the ${layerName(asks.id)} waits for ${asks.waitsFor}`;
  const thinks = layers.find(({ status }) => status === 'thinking');
  if (thinks) return `Planning: the ${layerName(thinks.id)} is at work`;
  return baseTests?.state === 'running' ? 'Planning: the tests are run as they are now' : 'Planning';
}

const isUnderWay = ({ state }: IssueView) => state !== 'pending' && !endStates.includes(state);

function done(view: RunView): string {
  const { issues } = view;
  if (issues.length === 0) return 'a dry run, nothing was created';
  const pulls = mergeOrder(issues).map(({ pull }) => pull);
  const delivered = issues.filter(isDelivered).length;
  const part =
    delivered < issues.length ? `${delivered} of ${plural(issues.length, 'issue')} delivered; ` : '';
  const [first] = pulls;
  const queued = issues.filter(isQueued).length;
  if (first === undefined && queued > 0)
    return `${part}${queued} finished, waiting for a place among the open pull requests`;
  if (first === undefined && issues.some(({ merged }) => merged)) return `${part}all of it is merged`;
  const trouble = troubleOf(view);
  const fix = trouble && fixTogether(view, trouble);
  if (trouble) return `${part}${doNotFit(view, trouble)}${fix ? `, type ${fix}` : ''}`;
  const which =
    pulls.length > 1 ? `${pulls.length} pull requests, #${first} first` : `pull request #${first}`;
  return `${part}review and merge ${which}`;
}

function failed({ phase, layers, issues }: RunView): string {
  const broken = layers.find(({ status }) => status === 'error');
  if (phase !== 'done' && broken) return `the ${layerName(broken.id)} stopped; type \`/retry\` to go on`;
  if (issues.length === 0) return 'no issue was worked on';
  const none = issues.length === 1 ? 'the issue was' : `none of ${plural(issues.length, 'issue')} was`;
  const again = issues.some(({ state }) => state === 'failed') ? '; `/retry` tries again' : '';
  return `${none} ${issues.length === 1 ? 'not ' : ''}delivered${again}`;
}

const steps = [
  ['plan', 'planned'],
  ['approve', 'approved'],
  ['build', 'built'],
  ['review', 'reviewed'],
  ['merge', 'merged'],
] as const;

/** `planned · approved · **build** · review · merge`: what is past, the present, what is to come. */
export function phases(view: RunView): string {
  const at = present(view);
  return steps
    .flatMap(([todo, past], index) => {
      if (todo === 'approve' && index < at && view.listing === undefined) return [];
      if (todo === 'review' && view.mergesInto !== undefined) return [];
      return index < at ? past : index === at ? `**${todo}**` : todo;
    })
    .join(' · ');
}

function present({ phase, waitingFor, pending, issues }: RunView): number {
  if (phase === 'engineering') return 2;
  if (phase === 'done') {
    if (issues.some(({ merged }) => merged)) return mergeOrder(issues).length > 0 ? 4 : 5;
    return issues.some(({ state }) => state === 'done') ? 3 : issues.length > 0 ? 2 : 0;
  }
  return waitingFor === 'approval' || pending.length > 0 ? 1 : 0;
}
