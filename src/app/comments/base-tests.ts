// Texts about the project's tests at the base, and the check on a commit.
import { folded, plural } from './figures.ts';
import { code, clip, fenced, neutralLine, titleLine, paragraphs } from './neutral.ts';
import type { BaseTestsView, Guesses } from './view.ts';
import { exited, type TestsResult } from './attempt-end.ts';
import { beforeLine, type PullText } from './pull.ts';

/** Characters of the tests' output that a listing shows. */
const SHOWN = 2500;

const retry =
  'Then comment `/retry`: it reads these settings again from the default branch, and the plan so far is kept';

const remedy =
  'Set `test` in `.github/echelon.yml` to a command that works in a fresh checkout, and `setup` to the command that installs what it needs; `test: ""` goes on without tests';

/** Remedy for dependencies that could not be installed. */
export const setupRemedy =
  'Set `setup` in `.github/echelon.yml` to a command that works in a fresh checkout, or to `""` if nothing has to be installed';

/** The comment that says why planning stopped. */
export const testsCannotRun = (tests: BaseTestsView): string =>
  paragraphs([
    '### The tests cannot run, so planning stopped',
    `${baseTestsNote(tests)} No model is called before they can run.`,
    ended(tests.tail),
  ]);

/** The part of a listing about the tests, where a test command is known, and about what is installed before them. */
export const baseTestsSection = (tests: BaseTestsView | undefined, setup?: string): string =>
  [
    ...(setup === undefined ? [] : [`Every job starts from what ${code(setup)} installs at the base.`]),
    testsSection(tests),
  ].join('\n\n');

function testsSection(tests: BaseTestsView | undefined): string {
  if (!tests)
    return 'No test command is known here, so the evaluator judges the diff alone. `test` in `.github/echelon.yml` names one.';
  const { command, state, exit_code, failing, tail } = tests;
  const head = `The tests at the base (${code(command)})`;
  if (state === 'green') return `${head} are green.`;
  const names = failing.map(name => `- ${neutralLine(name)}`).join('\n');
  const sentence = `**${head} are red: they exit ${exit_code}${failing.length > 0 ? `, ${plural(failing.length, 'test')} failing or more` : ''}.** An issue counts as done only when they exit 0 with its change, so approve this only where that is what the work is about.`;
  return paragraphs([sentence, names, ended(tail)]);
}

const ended = (tail: string) => (tail === '' ? '' : folded('What they printed', clip(fenced(tail), SHOWN)));

/** Characters of a guessed command on the board. */
const MAX_GUESS = 300;

/** The commands that were guessed, each with its source, in one line for the board. */
export function guessedLine({ test, setup }: Guesses = {}): string {
  const named = { Tests: test, Setup: setup };
  return Object.entries(named)
    .flatMap(([what, guess]) => {
      if (!guess) return [];
      const { command, source } = guess;
      const short = command.length > MAX_GUESS ? `${command.slice(0, MAX_GUESS).toWellFormed()}…` : command;
      return `${what}: ${code(short)} (from ${code(source)})`;
    })
    .join('. ');
}

/** For the board; empty while nothing is wrong. */
export function baseTestsNote({ state, command, exit_code, why, setup, sandbox }: BaseTestsView): string {
  const head = `The tests at the base (${code(command)})`;
  if (state === 'red') return `${head} are red (exit ${exit_code}).`;
  if (state !== 'cannot_run') return '';
  const fix = setup === undefined ? `${remedy}. ` : `${setupRemedy}. `;
  return `**${head} cannot run: ${neutralLine(why)}.** ${sandbox === undefined ? fix : ''}${retry}.`;
}

/** Characters of a title (what a commit status holds), of a message, and of the log. */
const MAX_TITLE = 140;
const MAX_MESSAGE = 500;
const MAX_LOG = 10_000;

interface CheckText {
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
  paragraphs([
    `The engineer of #${issue} had ${code(tests.command)} run on these files in a checkout of its own: it ${exited(tests)}${beforeLine({ before, tests })}.`,
    tests.exit_code !== 0 && log.trim() ? clip(fenced(log), MAX_LOG) : '',
  ]);

export const annotationTitle = 'The tests failed here';

/** Plain text; what a runner prints is a text of others. */
export const annotationMessage = (said: string): string => titleLine(said, MAX_MESSAGE) || annotationTitle;

/** On the board, once for all issues. */
export const checksRefused = (why: string): string =>
  `Branches get no check of their tests, because GitHub refuses it: ${neutralLine(why, 300)}. An App needs the permission Checks (read and write), which the owner of its installation accepts on GitHub; a workflow the ones that \`echelon init\` writes.`;
