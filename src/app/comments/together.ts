// Texts about delivered branches: merge order, branches that do not fit together, merges without a pull request.
import { code, neutralLine, clip, neutral, titleLine, paragraphs } from './neutral.ts';
import { isDelivered, type IssueView, type RunView, type TogetherView } from './view.ts';
import type { TestsResult } from './attempt-end.ts';
import { someNames } from './evidence.ts';
import { dollars, plural } from './figures.ts';
import { withCare, testsLine } from './pull.ts';

/** Reason for not testing them. */
export const noTestCommand = 'no test command is known';

/** Meaning of `/fix #9` alone. */
export const makeItFit = 'Make it fit together with what it is merged with.';
/** Reason for refusing `/fix #9` alone if no fault is known, as a clause. */
export const sayWhat = `say what should be fixed, as in \`/fix #9 the empty list should give 0\``;

/** Reason for not delivering a round, as a clause. */
export const stillMarked = (files: readonly string[]) =>
  `both sides stand between conflict marks still in ${files.join(', ')}`;

type Trouble = Extract<TogetherView, { cause: number[] }>;

/** The conflict or failure; undefined if there is none, or no branch can be named for it. */
export function troubleOf({ together }: Pick<RunView, 'together'>): Trouble | undefined {
  return together && 'cause' in together && together.cause.length > 0 ? together : undefined;
}

/** Command to type at the end; empty if there is none. */
export function toFix(view: RunView): string {
  const trouble = troubleOf(view);
  return trouble ? fixTogether(view, trouble) : '';
}

/** One line for the board; empty where nothing is wrong. */
export function togetherLine(view: RunView): string {
  return troubleOf(view) ? togetherEnd(view) : '';
}

/** The sentences of the end. */
export function togetherEnd(view: RunView): string {
  const { together } = view;
  switch (together?.state) {
    case 'green':
      return `${allMerged} passes the tests.`;
    case 'untested':
      return `${allMerged} does not conflict. It was not tested so: ${neutralLine(together.why, 300)}.`;
    case 'conflict':
      return `**${doNotFit(view, together)}**, in ${someNames(together.files)}. ${remedy(view, together)}`;
    case 'red': {
      const how = exits(together);
      if (together.cause.length === 0) return `${allMerged} is as red as the base is (${how}).`;
      return `**${doNotFit(view, together)}** (${how}). ${remedy(view, together)}`;
    }
    default:
      return '';
  }
}

const allMerged = 'Merged into the base branch as it is now, the work';

/** `#8 and #9 conflict`: what goes wrong with which pull requests. */
export function doNotFit(view: RunView, { state, cause }: Trouble): string {
  const names = cause.map(issue => {
    const pull = view.issues.find(({ number }) => number === issue)?.pull;
    return typeof pull === 'number' ? `#${pull}` : `the branch of #${issue}`;
  });
  const last = names.pop() ?? '';
  if (names.length === 0)
    return state === 'conflict'
      ? `${last} conflicts with the base branch as it is now`
      : `${last} fails the tests on the base branch as it is now`;
  const all = `${names.join(', ')} and ${last}`;
  return state === 'conflict' ? `${all} conflict` : `${all} pass alone and fail together`;
}

/** Command to type; empty if no pull request can be named. */
export function fixTogether({ issues }: RunView, { cause }: Trouble): string {
  const pull = issues.find(({ number }) => number === cause.at(-1))?.pull;
  // As it stands, to be copied: `code` would part the word from the number, which close an issue elsewhere.
  return typeof pull === 'number' ? `\`/fix #${pull}\`` : '';
}

function remedy(view: RunView, trouble: Trouble): string {
  if (view.issues.find(({ number }) => number === trouble.cause.at(-1))?.state === 'running')
    return 'A round makes the last one fit.';
  const fix = fixTogether(view, trouble);
  if (fix === '') return 'Merge the branches yourself.';
  return `Type ${fix} here to have it made to fit, or do so yourself when you merge.`;
}

function exits({ exit_code, failing }: Extract<TogetherView, { state: 'red' }>): string {
  return `exit code ${exit_code}${failing.length > 0 ? `: ${someNames(failing)}` : ''}`;
}

/** Delivered issues whose pull request is to be merged; what stands on nothing of them comes first, then by number. */
export function mergeOrder(issues: readonly IssueView[]): IssueView[] {
  const left = new Map(
    issues.filter(each => isDelivered(each) && !each.merged).map(each => [each.number, each]),
  );
  const order: IssueView[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ standsOn = [] }) => !standsOn.some(on => left.has(on)));
    // Records that hold each other leave nothing ready; then all are named.
    for (const each of (ready.length > 0 ? ready : [...left.values()]).toSorted(
      (a, b) => a.number - b.number,
    )) {
      left.delete(each.number);
      order.push(each);
    }
  }
  return order;
}

/** First line of the merge commit. */
export const mergeTitle = ({ number, title }: { number: number; title: string }) =>
  titleLine(`Merge #${number}: ${title}`);

/** First line of the commit that brings a branch up to the base branch. */
export const takesBase = 'Take up the base branch';

interface MergedIssue {
  into: string;
  /** Of the merge. */
  commit: string;
  branch: string;
  summary: string;
  tests: TestsResult | null;
  rounds: number;
  /** The changed files that a reader should know of. */
  instructions: readonly string[];
  /** Of all attempts. */
  cost_usd: number;
}

export function mergedComment(end: MergedIssue): string {
  return paragraphs([
    `**Merged into ${code(end.into)}** as ${end.commit}, without review.`,
    clip(neutral(end.summary), 10_000),
    withCare(end.instructions),
    `**Tests**, before it was merged: ${testsLine(end.tests)}. The evaluator accepted the change after ${plural(end.rounds, 'round')}.`,
    `<sub>${dollars(end.cost_usd)} · branch ${code(end.branch)} · to take it back: ${code(`git revert -m 1 ${end.commit}`)}</sub>`,
  ]);
}

export const conflictsInBase = (into: string, files: readonly string[]) =>
  `${into} has changed meanwhile, and the two conflict in ${someNames(files)}`;

export const mergeRefused = (into: string, why: string) =>
  `GitHub does not have it merged into ${into} (${neutralLine(why)}). Open a pull request of the branch and merge that; or let the App push to ${into} where that is protected`;

/** Answer to `/ready` and `/merge`: pull requests, and those that stay as they are, each with a clause. */
export const pullsReport = (
  what: 'Ready for review' | 'Merged',
  { done, left, next }: { done: number[]; left: { pull: number; why: string }[]; next?: string },
): string =>
  paragraphs([
    done.length > 0 && `**${what}**: ${done.map(pull => `#${pull}`).join(', ')}.`,
    left.map(({ pull, why }) => `- **Not #${pull}**: ${why}.`).join('\n'),
    next,
  ]);

export const mergeNext = {
  waiting: `It goes on when that is over; ${code('/merge')} has it look at once.`,
  stopped: `When that is changed, type ${code('/merge')} again.`,
};

/** Reasons for not merging a pull request, or not marking it as ready, each a clause. */
export const checksRed = (failed: readonly { name: string; outcome: string }[]) =>
  `its checks are red (${someNames(failed.map(({ name, outcome }) => `${name}: ${outcome}`))})`;
export const checksPending = (names: readonly string[]) => `its checks have not ended (${someNames(names)})`;
export const checksBegin = 'its checks have not begun';
export const checksAreHeld = `its checks have not started: read the change, and type ${code('/checks')} on it`;
export const hasChanged = 'it has changed meanwhile: look at that first';
export const notMarked = 'GitHub does not let it be marked as ready for review';
export const mayNotMerge = 'its merge needs maintain access, which you do not have any more';
export const goesElsewhere = 'it goes to another branch: merge first what it builds on';
export const mergeNotTaken = (why: string, base: string) =>
  `GitHub does not merge it (${neutralLine(why)}); where it conflicts with ${code(base)}, type ${code('/fix ...')} there`;
export const inQueue = 'it is in the merge queue';

/** Reasons for refusing `/ready` and `/merge`, each a clause. */
export const nothingDelivered = 'no pull request of this run is open';
export const pausedMerge = `the run is paused: type ${code('/resume')} first`;
