// Text of a commit's check about its tests, and of the status comment if checks cannot be shown.
import { exited, type TestsResult } from './attempt-end.ts';
import { code } from './listing.ts';
import { clip, fenced, neutralLine, titleLine } from './neutral.ts';
import { beforeLine, type PullText } from './pull.ts';

/** As GitHub lists it beside the checks of others. */
export const checkName = 'echelon/tests';

/** Characters of a title (what a commit status holds), of a message, and of the log. */
const MAX_TITLE = 140;
const MAX_MESSAGE = 500;
const MAX_LOG = 10_000;

export interface CheckText {
  issue: number;
  tests: TestsResult;
  before: PullText['before'];
  /** The end of what they printed; empty where that is not known. */
  log: string;
}

/** Plain text. */
export const checkTitle = ({ command, exit_code }: TestsResult): string => {
  const end = ` ${exited({ exit_code })}`;
  return titleLine(command, MAX_TITLE - end.length) + end;
};

export const checkSummary = ({ issue, tests, before, log }: CheckText): string =>
  [
    `The engineer of #${issue} had ${code(tests.command)} run on these files in a checkout of its own: it ${exited(tests)}${beforeLine({ before, tests })}.`,
    tests.exit_code !== 0 && log.trim() ? clip(fenced(log), MAX_LOG) : '',
  ]
    .filter(Boolean)
    .join('\n\n');

export const annotationTitle = 'The tests failed here';

/** Plain text; what a runner prints is a text of others. */
export const annotationMessage = (said: string): string => titleLine(said, MAX_MESSAGE) || annotationTitle;

/** On the board, once for all issues. */
export const checksRefused = (why: string): string =>
  `Branches get no check of their tests, because GitHub refuses it: ${neutralLine(why, 300)}. An App needs the permission Checks (read and write), which the owner of its installation accepts on GitHub; a workflow the ones that \`echelon init\` writes.`;
