// Evidence of a test run for a round's judge and reviewers: which tests ran, and whether they failed before.
import type { CommandResult } from '@echelon/ground/workspace';
import { evidence } from '../../comments/evidence.ts';
import { estimateTokens, LOG_TOKENS, quoted, quoteForModel } from '../../../engine/texts.ts';
import type { Tests } from '../jobs/report-spec.ts';
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
    ...((ran.count ?? ran.names.length) > 0 && { ran }),
    ...(replayed !== undefined && { replayed }),
    ...(without && { without }),
    ...(removed.length > 0 && { removed }),
  };
}

/** The same for an evaluator, quoted: about 600 tokens at most. A `log` that it is shown whole has the names of what passed. */
export function evidenceText(tests: Tests, log: string): string {
  const { ran } = tests;
  const isCut = estimateTokens(log) > LOG_TOKENS;
  const shown = isCut && ran ? `Named as passed: ${ran.names.join(', ').slice(0, MAX_LIST)}` : '';
  return quoted(quoteForModel([evidence(tests), shown].filter(Boolean).join('\n')).text);
}

/** Characters of the names that are listed for a model. */
const MAX_LIST = 600;
