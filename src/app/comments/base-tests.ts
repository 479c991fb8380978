// What people are told of the project's tests at the base.
import { folded, plural } from './figures.ts';
import { code } from './listing.ts';
import { clip, fenced, neutralLine } from './neutral.ts';
import type { BaseTestsView } from './view.ts';

/** Characters of the tests' output that a listing shows. */
const SHOWN = 2500;

const remedy =
  'Set `test` in `.github/echelon.yml` to a command that works in a fresh checkout (and `setup` to a command that installs what it needs), then `/cancel`, and put the label on again. Where the machine was at fault, `/retry` runs the same command again';

/** What to do where what jobs start from could not be installed. */
export const setupRemedy =
  'Set `setup` in `.github/echelon.yml` to a command that works in a fresh checkout, or to `""` where nothing has to be installed, then `/cancel`, and put the label on again. Where the machine was at fault, `/retry` runs the same command again';

const remedyOf = ({ setup }: BaseTestsView) => (setup === undefined ? remedy : setupRemedy);

/** The part of a listing about the tests, where a test command is known, and about what is installed before them. */
export const baseTestsSection = (tests: BaseTestsView | undefined, setup?: string): string =>
  [...(tests?.setup === undefined ? installed(setup) : []), testsSection(tests)].join('\n\n');

const installed = (setup: string | undefined) =>
  setup === undefined ? [] : [`Every job starts from what ${code(setup)} installs at the base.`];

function testsSection(tests: BaseTestsView | undefined): string {
  if (!tests)
    return 'No test command is known here, so the evaluator judges the diff alone. `test` in `.github/echelon.yml` names one.';
  const { command, state, exit_code, failing, why, tail } = tests;
  const head = `The tests at the base (${code(command)})`;
  if (state === 'green') return `${head} are green.`;
  if (state === 'cannot_run')
    return [
      `**${head} cannot run: ${neutralLine(why)}.** No engineer is started. ${remedyOf(tests)}.`,
      ended(tail),
    ]
      .filter(Boolean)
      .join('\n\n');
  const names = failing.map(name => `- ${neutralLine(name)}`).join('\n');
  const sentence = `**${head} are red: they exit ${exit_code}${failing.length > 0 ? `, ${plural(failing.length, 'test')} failing or more` : ''}.** An issue counts as done only when they exit 0 with its change, so approve this only where that is what the work is about.`;
  return [sentence, names, ended(tail)].filter(Boolean).join('\n\n');
}

const ended = (tail: string) => (tail === '' ? '' : folded('What they printed', clip(fenced(tail), SHOWN)));

/** Why `/approve` starts no engineer. `rest`: ids of what can be approved all the same. */
export function cannotTest(tests: BaseTestsView, rest: readonly string[]): string {
  const other = rest.length > 0 ? `. \`/approve ${rest.join(' ')}\` approves the rest` : '';
  return `the tests cannot run at the base: ${neutralLine(tests.why)}. ${remedyOf(tests)}${other}`;
}

/** One line for the board. */
export function baseTestsLine({ state, command, exit_code, why }: BaseTestsView): string {
  const what = {
    running: 'are running',
    green: 'are green',
    red: `are red (exit ${exit_code})`,
    cannot_run: `cannot run: ${neutralLine(why)}`,
  };
  return `The tests at the base (${code(command)}) ${what[state]}.`;
}
