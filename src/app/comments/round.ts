// Texts on a pull request: a round on it, and checks that wait until a person has read the change.
import { attemptEnd, exited, remedies, type TestsResult } from './attempt-end.ts';
import { evidence, someNames, type TestsShown } from './evidence.ts';
import { dollars, folded, hashed } from './figures.ts';
import { isQueued, type RunView } from './view.ts';
import { code, clip, fenced, neutral, neutralLine, quote, titleLine, paragraphs } from './neutral.ts';

/** Rounds that people may have on one pull request. */
export const MAX_ROUNDS = 10;

/** First line of a round's commit. `mends`: it is about failed checks alone. */
export const roundTitle = (
  pull: number | null,
  round: number,
  { others, mends }: { others: readonly string[]; mends: boolean | undefined },
) =>
  others.length > 0
    ? titleLine(`Make #${pull} fit with ${others.join(' and ')}`)
    : `${mends ? 'Mend the checks' : 'Follow the review'} of #${pull}${round > 1 ? `, round ${round}` : ''}`;

/** The answer to a thread. `commit`: where it was done; undefined: nothing was pushed. */
export function threadAnswer(
  { done, answer }: { done: boolean; answer: string },
  commit: string | undefined,
): string {
  const said = clip(neutral(answer.trim() || 'No more was said.'), 4500);
  if (!done) return `Not changed.\n\n${said}`;
  return commit === undefined ? said : `Changed in ${commit}.\n\n${said}`;
}

interface RoundDone {
  round: number;
  /** Names of what it makes the branch fit with. */
  others: readonly string[];
  /** Undefined: nothing had to be changed. */
  commit: string | undefined;
  summary: string;
  tests: TestsShown | null;
  cost_usd: number;
  /** Number of answered threads, and of those without a change. */
  answered: number;
  unchanged: number;
  /** Its checks wait until somebody has read it. */
  held: boolean;
}

export function roundDone(end: RoundDone): string {
  const others = end.others.map(name => (/^#\d+$/.test(name) ? name : code(name))).join(' and ');
  const fit = others && `, which makes it fit with ${others},`;
  const head =
    end.commit === undefined
      ? `**Round ${end.round}** changed nothing.`
      : `**Round ${end.round}**${fit} is pushed as ${end.commit}.`;
  const tests = end.tests ? `Tests: ${code(end.tests.command)} ${exited(end.tests)}.` : '';
  const left = end.unchanged > 0 ? `${end.unchanged} of ${end.answered} threads stay open for you.` : '';
  return paragraphs([
    [head, left, end.held ? checksHeldAgain : ''].filter(Boolean).join(' '),
    clip(neutral(end.summary), 10_000),
    end.commit === undefined ? '' : evidence(known(end.tests)),
    `<sub>${[tests, dollars(end.cost_usd)].filter(Boolean).join(' ')} Request changes or type ${code('/fix ...')} for another round.</sub>`,
  ]);
}

/** Many a round needs no test: that nothing can be told of one is no news. */
function known(tests: TestsShown | null): TestsShown | null {
  if (tests?.without?.state !== 'unknown') return tests;
  const { without: _, ...rest } = tests;
  return rest;
}

interface RoundFailed {
  round: number;
  /** Class of its end, and what was said of it. */
  kind: string;
  detail: string;
  tests: TestsResult | null;
  log: string;
  directive: number;
}

export function roundFailed(end: RoundFailed): string {
  const { kind, detail, tests, log } = end;
  const head = attemptEnd(kind);
  const failing = tests && tests.exit_code !== 0;
  return paragraphs([
    kind === 'push'
      ? `**Round ${end.round} is finished, but not delivered**: ${head}. The branch is as it was.`
      : `**Round ${end.round} came to nothing**: ${head}. The branch is as it was.`,
    failing ? `Tests: ${code(tests.command)} ${exited(tests)}.` : '',
    detail.trim() && detail.trim() !== head ? quote(clip(neutral(detail), 5000)) : '',
    failing && log.trim() ? folded('End of the log', clip(fenced(log), 10_000)) : '',
    remedies.get(kind) ?? '',
    next(kind, end.directive),
  ]);
}

const again = `Type ${code('/fix ...')} here with what would help, or push to the branch yourself.`;

function next(kind: string, directive: number): string {
  if (kind === 'push')
    return `When that is changed, type ${code('/retry')} here: the finished round is delivered as it is, and no model is called.`;
  return kind === 'budget' || kind === 'quota'
    ? `Type ${code('/budget +5')} on #${directive}, then ${code('/fix ...')} here.`
    : again;
}

/** Reasons for beginning no round, each a clause. */
export const noPullHere = `${code('/fix')} belongs on a pull request of this run`;
export const notDelivered = (issue: number) =>
  `#${issue} has no pull request yet: say it there once it is open`;
export const mergedWithoutPull = (issue: number) =>
  `#${issue} is merged, without a pull request: open an issue for what is left`;
export const pullIsMerged = (pull: number) => `#${pull} is merged: open an issue for what is left`;
export const pullIsClosed = (pull: number) => `#${pull} is closed: open it again first`;
export const pullIsWip = (pull: number) =>
  `#${pull} is labelled WIP, a person works on it: take the label off first`;
export const roundsUsedUp = (pull: number) =>
  `#${pull} has had its ${MAX_ROUNDS} rounds: push to its branch yourself, or close it`;

/** For the board: what becomes of a delivered issue. */
export const roundBegins = (round: number) => `round ${round} on its pull request`;
export const pushedMeanwhile = 'somebody pushed to its branch meanwhile: the round is done again on that';
export const nothingWanted = 'nothing of its pull request waits for an answer';
export const roundEnded = (round: number) => `round ${round} is answered`;

/** The branches below have changed, and the two conflict. */
export const standsAskew = (on: number | null, branch: string, files: readonly string[]) =>
  `What this stands on has changed${on === null ? '' : ` (#${on})`}, and the two conflict in ${someNames(files)}. Merge ${code(branch)} into this branch yourself.`;
/** First line of a commit that merges what a branch stands on into it. */
export const takesUp = (pull: number | null) => `Take up what #${pull} has become`;

export const couldNotRetarget = (base: string, why: string) =>
  `What this stands on is merged, so it goes to ${code(base)} now. GitHub did not take that: ${neutralLine(why)}. Change its base by hand.`;

/** For the board: finished work whose pull request is not open yet. */
export const waitsForOwn = (open: readonly number[]) =>
  `waits for the merge or closing of one of ${hashed(open)}, then opens by itself`;
export const waitsForOthers = 'waits for a place among the open pull requests of Echelon here';
/** True if finished work waits for a place that another run may leave. */
export const needsPlace = ({ issues }: RunView): boolean =>
  issues.some(each => isQueued(each) && each.reason === waitsForOthers);

/** For the board. */
export const mergedBy = (by: string) => `merged by ${by}`;
export const pullClosedBy = (by: string) => `its pull request was closed by ${by}`;
export const pullOpenedAgain = 'its pull request was opened again';

/** On a pull request: the head commit keeps the repository's workflows from starting. */
export const checksHeld = `**Checks**: they have not started, because they may use secrets of this repository and nobody has read this change yet. Comment ${code('/checks')}, approve it in a review, or mark it as ready for review; then they start.`;

const checksHeldAgain = `Its checks start when you comment ${code('/checks')}: nobody has read this round yet.`;

/** On a pull request that the token of a workflow's job opened. GitHub's button stands where the checks are shown. */
export const checksWait =
  '**Checks**: they wait for your approval, as a workflow opened this pull request: press "Approve workflows to run". With an App\'s token they wait for `/checks` (`echelon init --help` says how).';

/** `why`: what GitHub says, a clause. */
export const checksNotStarted = (why: string) =>
  `**The checks have not started**: ${neutralLine(why)}. When that is changed, comment ${code('/checks')} again. Or push a commit to the branch, which starts them.`;

/** Reasons for refusing `/checks`, each a clause. */
export const noPullForChecks = `${code('/checks')} belongs on an open pull request of this run`;
export const nothingHeld = 'nothing holds the checks of this pull request';
export const roundUnderWay = 'the engineer is changing it: say it when the round has ended';
export const checksWaitForGitHub =
  'a workflow opened this pull request, so GitHub itself waits for a click: press "Approve workflows to run" on it';

/** On a pull request whose checks failed, and no round mends that. `why`: a clause. */
export const checksAreRed = (names: readonly string[], why: string) =>
  `**Checks have failed**: ${someNames(names)}. No round begins: ${why}. ${again}`;
export const checksAreFlaky =
  '**A check is flaky**: it was red and is green now, at the same commit. Nothing is changed.';
export const redBefore = 'they were red before this change, too';
export const onlyTold = `${code('on_red: tell')} is set`;
export const mendedTwice = 'two rounds have not mended them';
