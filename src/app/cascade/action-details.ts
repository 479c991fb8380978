// Everything that approving an action covers, as the listing shows it.
import { code, issueDetail, verbatim } from '../comments/listing.ts';
import { neutralLine } from '../comments/neutral.ts';
import { domainOf } from '../scheduler/domains.ts';
import type { Action, IssuePlan } from './actions.ts';
import { actionSummary } from './action-summary.ts';

/**
 * Of a `create_issues`: `before`, the places of the listing that stand before its own; `done`, what became of those of
 * its places (from 1) that were tried already: the number of an issue, or null.
 */
export function actionDetails(
  action: Action,
  { before, done }: { before: number; done: ReadonlyMap<number, number | null> } = {
    before: 0,
    done: new Map(),
  },
): string[] {
  switch (action.action) {
    case 'create_issues':
      return action.issues.flatMap((issue, index) =>
        done.has(index + 1)
          ? []
          : issueDetail({
              place: before + index + 1,
              title: issue.title,
              body: issue.body,
              labels: planLabels(issue),
              dependsOn: (issue.depends_on ?? []).map(each => {
                const number = typeof each === 'number' ? done.get(each) : undefined;
                if (number) return `#${number}`;
                return typeof each === 'number' ? `no. ${before + each}` : each;
              }),
              paths: issue.paths ?? [],
              assignee: issue.assignee,
              estimate: issue.estimate_minutes,
            }),
      );
    case 'create_branch':
      return [
        `${code(action.branch_name)}, starting at ${action.from ? code(action.from) : 'the base branch'}`,
      ];
    case 'update_plan':
      return [verbatim(action.plan)];
    default:
      return [`${neutralLine(actionSummary(action))}, in the order their dependencies and domains allow.`];
  }
}

/** The labels that an issue gets: those of its plan, and its domain. */
export const planLabels = (issue: IssuePlan): string[] => [
  ...new Set([...(issue.labels ?? []), `domain:${planDomain(issue)}`]),
];

/** The domain an issue will be scheduled as. */
export const planDomain = (issue: IssuePlan) =>
  domainOf({
    domain: issue.domain,
    title: issue.title,
    labels: issue.labels ?? [],
    body: issue.body,
    paths: issue.paths ?? [],
  }).domain;
