// Texts of /tell and /redirect: the answers, on the issues that it withdraws, and above the listing that replaces theirs.
import { hashed } from './figures.ts';
import { code, neutralLine } from './neutral.ts';

/** Reason for not working an issue, a clause. */
export const redirectedBy = (by: string) => `${by} redirected the run before its work began`;

/** Reasons for refusing `/tell`, each a clause. */
export const noEngineerHere = `${code('/tell')} belongs on an issue of this run that is worked`;
export const isFinished = (issue: number) =>
  `#${issue} is not worked any more: type ${code('/fix')} on an open pull request`;
export const toldEnough = (issue: number) =>
  `the engineer of #${issue} has been told as much as it may be: edit the issue, or type ${code('/redirect')}`;

const when = {
  now: 'before its next model call',
  next: 'when the issue is worked next',
  again: 'in its next attempt: a job on GitHub Actions hears nothing while it runs',
};
export const engineerIsTold = (issue: number, at: keyof typeof when) =>
  `The engineer of #${issue} knows it ${when[at]}. The approved text of the issue stays what the result is judged by; its pull request says what came of it.`;

/** Issues that are named at most of each kind. */
const MAX_NAMED = 20;

interface Redirected {
  by: string;
  withdrawn: readonly { number: number; title: string }[];
  /** Issues that are worked on, whose engineers hear of it at once, and those that do not. */
  told: readonly number[];
  untold: readonly number[];
  /** Titles of what was planned and not begun. */
  before: readonly string[];
  titles: readonly string[];
}

/** The new listing as a difference to the old one. */
export function redirectNote({ by, withdrawn, told, untold, before, titles }: Redirected): string {
  const rows = [
    ...named(
      'New',
      titles.filter(title => !before.includes(title)),
    ),
    ...named(
      'Planned again',
      titles.filter(title => before.includes(title)),
    ),
    ...named(
      'Not planned any more',
      before.filter(title => !titles.includes(title)),
    ),
  ];
  if (withdrawn.length > 0)
    rows.push(`- Withdrawn, and told so: ${hashed(withdrawn.map(({ number }) => number))}`);
  if (told.length > 0) rows.push(`- Being worked on, and told before the next step: ${hashed(told)}`);
  if (untold.length > 0) rows.push(`- Being worked on, and told only in a next attempt: ${hashed(untold)}`);
  return [`${code(by)} has redirected the run. What is different from before:`, rows.join('\n')].join('\n\n');
}

function named(what: string, titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  const more = titles.length > MAX_NAMED ? ` and ${titles.length - MAX_NAMED} more` : '';
  const shown = titles.slice(0, MAX_NAMED).map(title => `"${neutralLine(title, 100)}"`);
  return [`- ${what}: ${shown.join(', ')}${more}`];
}
