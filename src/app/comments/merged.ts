// Comments on an issue whose finished work is merged without a pull request, or could not be.
import { exited, type TestsResult } from './attempt-end.ts';
import { dollars, plural } from './figures.ts';
import { code } from './listing.ts';
import { clip, neutral, neutralLine, titleLine } from './neutral.ts';
import { withCare } from './pull.ts';

/** First line of the merge commit. */
export const mergeTitle = ({ number, title }: { number: number; title: string }) =>
  titleLine(`Merge #${number}: ${title}`);

/** First line of the commit that brings a branch up to the base branch. */
export const takesBase = 'Take up the base branch';

export interface MergedIssue {
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
  const tests = end.tests
    ? `${code(end.tests.command)} ${exited(end.tests)}`
    : 'the repository has no test command; the evaluator judged the change alone';
  return [
    `**Merged into ${code(end.into)}** as ${end.commit}, without review.`,
    clip(neutral(end.summary), 10_000),
    withCare(end.instructions),
    `**Tests**, before it was merged: ${tests}. The evaluator accepted the change after ${plural(end.rounds, 'round')}.`,
    `<sub>${dollars(end.cost_usd)} · branch ${code(end.branch)} · to take it back: ${code(`git revert -m 1 ${end.commit}`)}</sub>`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

export const conflictsInBase = (into: string, files: readonly string[]) =>
  `${into} has changed meanwhile, and the two conflict in ${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more files` : ''}`;

export const mergeRefused = (into: string, why: string) =>
  `GitHub does not have it merged into ${into} (${neutralLine(why)}). Open a pull request of the branch and merge that; or let the App push to ${into} where that is protected`;
