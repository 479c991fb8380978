// Text of the layers that counts issues by their place in a list, told by the numbers that GitHub gave them.

import type { RunView } from '../comments/view.ts';
import type { TrackedIssue } from '../scheduler/tracked-issue.ts';

/** `issue 1`, `issues 2 and 3`; a number with its `#` means what it says already. */
const counted = /\bissues?\s+\d{1,3}(?:(?:\s*(?:,|&|and|or|to)\s*)+\d{1,3})*(?![\w.]\d|\w)/gi;

/** `issue 1` becomes `issue #12`, for the number of each place from 1; what has none stays as it is. */
const byNumber = (text: string, numbers: ReadonlyMap<number, number | null>): string =>
  text.replace(counted, words =>
    words.replace(/\d+/g, place => {
      const number = numbers.get(Number(place));
      return typeof number === 'number' ? `#${number}` : place;
    }),
  );

/** The plan, and each issue as its engineer reads it, tell numbers from now on. `numbers`: by place, null where there is none. */
export function tellNumbers(
  view: Pick<RunView, 'plan'>,
  made: readonly (TrackedIssue | undefined)[],
  numbers: ReadonlyMap<number, number | null>,
): void {
  for (const issue of made) if (issue) issue.body = byNumber(issue.body, numbers);
  if (view.plan !== undefined) view.plan = byNumber(view.plan, numbers);
}
