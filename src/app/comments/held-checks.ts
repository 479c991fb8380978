// Texts about checks that wait until a person has read a change.
import { code } from './listing.ts';
import { neutralLine } from './neutral.ts';

/** On a pull request: the head commit keeps the repository's workflows from starting. */
export const checksHeld = `**Checks**: they have not started, because they may use secrets of this repository and nobody has read this change yet. Comment ${code('/checks')}, approve it in a review, or mark it as ready for review; then they start.`;

export const checksHeldAgain = `Its checks start when you comment ${code('/checks')}: nobody has read this round yet.`;

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
