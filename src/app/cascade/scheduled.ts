// Finds the issues of a `schedule` among those that a run created.
import { hasLabel } from '../github/labels.ts';
import type { TrackedIssue } from '../scheduler/tracked-issue.ts';

/**
 * What a `schedule` names of the issues that were created; without a name all of them, in the order of creation. A
 * number is a place from 1, as its listing showed it, whatever of that listing was rejected.
 */
export function scheduled(
  action: { label?: string | undefined; issues?: (number | string)[] | undefined },
  places: readonly (TrackedIssue | undefined)[],
  created: readonly TrackedIssue[],
): { issues: TrackedIssue[]; problems: string[] } {
  const problems: string[] = [];
  const made = created.toSorted((a, b) => a.number - b.number);
  const byPlace = (action.issues ?? []).flatMap(each => {
    const found =
      typeof each === 'number' ? places[each - 1] : made.find(issue => `#${issue.number}` === each);
    if (!found)
      problems.push(
        `${typeof each === 'number' ? `no. ${each}` : each} was not created by this run, so it is not worked on`,
      );
    return found ? [found] : [];
  });
  if (action.issues) return { issues: byPlace, problems };
  const { label } = action;
  return { issues: made.filter(issue => !label || hasLabel(issue.labels, label)), problems };
}
