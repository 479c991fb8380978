// Evidence of a delivered change's tests: failing without it, tests that ran, and tests that did not.
import type { TestsResult } from './attempt-end.ts';
import { folded, plural, seconds } from './figures.ts';
import { code, neutralLine } from './neutral.ts';

/** Result of the change's tests without the rest of it. `why`, `said`: text of others, without a full stop. */
export type WithoutChangeView =
  | {
      state: 'fails';
      exit_code: number | null;
      failing: readonly string[];
      said: string;
      /** Test files that do not compile or load without it. */
      unloaded?: readonly string[];
    }
  /** In milliseconds: how long they were waited for, and took with the change. */
  | { state: 'hangs'; ms: number; took: number; said: string }
  | { state: 'passes' }
  | { state: 'unknown'; why: string };

export interface TestsShown extends TestsResult {
  /** Passed tests: their number, if the runner counts them, and some names. */
  ran?: { count?: number; names: readonly string[] };
  /** The line by which a result is one that the runner had kept. */
  replayed?: string;
  without?: WithoutChangeView;
  /** Test files that are there no more. */
  removed?: readonly string[];
}

/** Names that stand in a line. */
const MAX_NAMES = 5;

/** Some of these names as code, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(name => code(neutralLine(name, 120)));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A paragraph; empty where nobody has looked. */
export function evidence(tests: TestsShown | null): string {
  const { without, replayed, removed = [] } = tests ?? {};
  const sentences = [
    without && withoutChange(without),
    removed.length > 0 && `Test files that are there no more: ${someNames(removed)}.`,
    replayed !== undefined &&
      `A result was not made anew, the runner had kept it: ${code(neutralLine(replayed))}.`,
  ].filter(Boolean);
  return sentences.length > 0 ? `**Evidence**: ${sentences.join(' ')}` : '';
}

function withoutChange(without: WithoutChangeView): string {
  if (without.state === 'passes')
    return 'the tests that it adds or changes pass without the change as well, so they show nothing of it.';
  if (without.state === 'unknown')
    return `whether its tests fail without the change is not known: ${neutralLine(without.why)}.`;
  if (without.state === 'hangs') {
    const last = without.said === '' ? '' : `, after the line ${code(neutralLine(without.said))}`;
    return `the tests that it adds or changes do not end without the change: they were stopped after ${seconds(without.ms)}${last}. With it they pass in ${seconds(without.took)}.`;
  }
  const { exit_code, failing, said, unloaded } = without;
  const exit = `(exit ${exit_code ?? 'by a signal'})`;
  if (!unloaded) {
    const named =
      failing.length > 0 ? `: ${someNames(failing)}` : said === '' ? '' : `: ${code(neutralLine(said))}`;
    return `the tests that it adds or changes fail without the change ${exit}${named}. With it they pass.`;
  }
  const rest =
    failing.length > 0
      ? `Of the others these fail there: ${someNames(failing)}`
      : 'No other test is named as failing there';
  return `test files that it adds or changes do not compile or load without the change ${exit}, so none of their tests ran there: ${someNames(unloaded)}. ${rest}. With it they pass.`;
}

/** The tests that passed, folded where the runner names some. */
export function testsThatRan(tests: TestsShown | null): string {
  if (!tests?.ran) return '';
  const { count, names } = tests.ran;
  const head = count === undefined ? 'Named as passed' : `${plural(count, 'test')} passed`;
  if (names.length === 0) return `${head}.`;
  return folded(head, names.map(name => `- ${neutralLine(name)}`).join('\n'));
}
