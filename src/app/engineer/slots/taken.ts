// Detects that a person has taken an issue: it is assigned to somebody by a person, or labelled WIP.
import { assignedBy, labelledWip } from '../../comments/issue-end.ts';
import { sameLabel } from '../../github/issues.ts';
import type { Repository } from '../../github/repository.ts';

/** Keeps engineers off an issue, and rounds off a pull request. */
export const isWip = (label: string): boolean => sameLabel(label, 'WIP');

/** Reason for leaving an issue to a person now, as a clause; undefined: none. The bot's own assignments are in the plan. */
export async function whyTaken(
  github: Pick<Repository, 'assigner'>,
  number: number,
  { labels, assignees }: { labels: readonly string[]; assignees: readonly string[] },
): Promise<string | undefined> {
  if (labels.some(isWip)) return labelledWip;
  for (const to of assignees) {
    const by = await github.assigner(number, to);
    if (by !== undefined) return assignedBy(to, by);
  }
  return undefined;
}
