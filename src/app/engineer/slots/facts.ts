// People's actions on GitHub besides comments, as signals of a run: each states one present fact.
import { z } from 'zod';
import { assignedBy, labelledWip } from '../../comments/issue-end.ts';
import { sameLabel } from '../../github/issues.ts';
import type { Repository } from '../../github/repository.ts';

/** Numbers of pull requests and issues; `by`: the login of who did it. */
export const factValues = {
  /** A review by somebody with write access. `threads`: how many it began on lines; `commit`: the head that was reviewed. */
  review: z.object({
    pull: z.number(),
    by: z.string(),
    state: z.enum(['COMMENTED', 'APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']),
    body: z.string(),
    threads: z.number(),
    commit: z.string().nullable().default(null),
  }),
  /** It is no draft (any more). */
  marked_ready: z.object({ pull: z.number() }),
  merged: z.object({ pull: z.number(), by: z.string() }),
  /** A pull request that was not merged. */
  pull_closed: z.object({ pull: z.number(), by: z.string() }),
  pull_reopened: z.object({ pull: z.number() }),
  /** Its branch stands at a commit that was not seen before. */
  pushed: z.object({ pull: z.number(), head: z.string() }),
  /** All checks of a head have ended green, or some have failed, the required ones first. `url`: page of its log. */
  check_state: z.object({
    pull: z.number(),
    head: z.string(),
    failed: z.array(z.object({ name: z.string(), url: z.string().nullable(), outcome: z.string() })),
  }),
  /** It conflicts with its base branch, which has moved on. */
  conflict: z.object({ pull: z.number(), head: z.string() }),
  /** The repository has a place for one more pull request, which the run waits for. */
  place: z.object({}),
  issue_closed: z.object({ issue: z.number(), by: z.string() }),
  issue_reopened: z.object({ issue: z.number() }),
  /** It was deleted, or moved to another repository. */
  issue_gone: z.object({ issue: z.number() }),
  /** A person has taken the issue, or has labelled the pull request WIP. `why`: a clause. */
  taken: z.object({ number: z.number(), why: z.string() }),
  given_back: z.object({ number: z.number() }),
  directive_closed: z.object({ by: z.string() }),
};

/** The one that ends the run. */
export const closingName = 'directive_closed';

export type FactName = keyof typeof factValues;
export type FactValues = { [Name in FactName]: z.output<(typeof factValues)[Name]> };

/** Those that are taken while issues are worked, and afterwards. */
export const openFacts = (Object.keys(factValues) as FactName[]).filter(name => name !== closingName);

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
