// Text of the layers that counts issues by their place in a list: told by the numbers that GitHub gave them, or by their
// places in another list.
import type { RunView } from '../comments/view.ts';
import type { TrackedIssue } from '../scheduler/tracked-issue.ts';

/**
 * `issue 1`, `issues 2 and 3`; a number with its `#` means what it says already. White space and words between numbers are
 * bounded, so that the time is linear.
 */
const counted = /\bissues?\s{1,3}\d{1,3}(?:(?:\s{0,3}(?:,|&|and|or|to)){1,2}\s{0,3}\d{1,3})*(?![\w.]\d|\w)/gi;

const recounted = (text: string, told: (place: number) => string): string =>
  text.replace(counted, words => words.replace(/\d+/g, place => told(Number(place))));

/** `issue 1` becomes `issue #12`, for the number of each place from 1; what has none stays as it is. */
const byNumber = (text: string, numbers: ReadonlyMap<number, number | null>): string =>
  recounted(text, place => {
    const number = numbers.get(place);
    return typeof number === 'number' ? `#${number}` : `${place}`;
  });

/** References to drafts become places in the list that takes them; one that is not taken is called a draft. */
export const byPlace = (text: string, places: ReadonlyMap<number, number>): string =>
  recounted(text, draft => `${places.get(draft) ?? `draft ${draft}`}`);

/** The plan, and each issue as its engineer reads it, tell numbers from now on. `numbers`: by place, null where there is none. */
export function tellNumbers(
  view: Pick<RunView, 'plan'>,
  made: readonly (TrackedIssue | undefined)[],
  numbers: ReadonlyMap<number, number | null>,
): void {
  for (const issue of made) if (issue) issue.body = byNumber(issue.body, numbers);
  if (view.plan !== undefined) view.plan = byNumber(view.plan, numbers);
}
