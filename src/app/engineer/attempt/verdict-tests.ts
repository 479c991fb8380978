// Evidence of a test run for a round's judge and reviewers: which tests ran, and whether they failed before.
import type { CommandResult } from '@echelon/ground/workspace';
import { quoteForModel, quoted } from '../../../engine/language/quote.ts';
import { estimateTokens, LOG_TOKENS } from '../../../engine/language/trim.ts';
import type { Tests, WithoutChange } from '../jobs/report-spec.ts';
import { replayedIn } from '../jobs/result-caches.ts';
import { fromRoot, MAX_NAME, MOST_NAMES, testsPassingIn } from '../jobs/test-outcome.ts';
import { testsWithout } from './without-change.ts';
import type { Workplace } from './workplace.ts';

/** The report of a run on the tree that the director left. Where it was green, its tests run once without the change. */
export async function verdictTests(
  { exit_code, stdout, stderr, timed_out, duration_ms }: CommandResult,
  command: string,
  place: Workplace,
): Promise<Tests> {
  const tree = place.state.tree ?? '';
  const green = exit_code === 0 && !timed_out;
  const tried = green ? await testsWithout(place, { command, tree, took: duration_ms }) : undefined;
  const without = tried?.found;
  const removed = tried?.removed.slice(0, MOST_NAMES).map(path => path.slice(0, MAX_NAME)) ?? [];
  const log = fromRoot(`${stdout}\n${stderr}`, place.checkout.tree);
  // Tests that failed without the change come first.
  const ran = testsPassingIn(log, without?.state === 'fails' ? without.failing : []);
  const replayed = replayedIn(log);
  return {
    ...{ command, exit_code, tree },
    ...(ran.count > 0 && { ran }),
    ...(replayed !== undefined && { replayed }),
    ...(without && { without }),
    ...(removed.length > 0 && { removed }),
  };
}

/**
 * The same for an evaluator; what runners and files are called is quoted. At most about 600 tokens. `log`: what it is
 * shown as well: where that is whole, the names of what passed stand in it.
 */
export function evidenceText({ ran, replayed, without, removed }: Tests, log: string): string {
  const isCut = estimateTokens(log) > LOG_TOKENS;
  return [
    replayed !== undefined && `A result is not of this run, its runner had kept it:\n${list([replayed])}`,
    without && `The change's test files without the rest of it: ${withoutText(without)}`,
    removed && `Test files that are there no more (moved, or taken away):\n${list(removed)}`,
    isCut && ran && `Named as passed, ${ran.count} in all:\n${list(ran.names)}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Characters of the names that are listed for a model. */
const MAX_LIST = 600;

const list = (names: readonly string[]) => quoted(quoteForModel(names.join('\n')).text.slice(0, MAX_LIST));

function withoutText(without: WithoutChange): string {
  if (without.state === 'passes') return 'they pass as well, so they prove nothing of the change.';
  if (without.state === 'unknown') return `cannot be told: ${without.why}.`;
  const { exit_code, failing, said } = without;
  return `they fail (exit code ${exit_code}), as they should:\n${list(failing.length > 0 ? failing : [said])}`;
}
