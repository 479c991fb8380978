// Everything that approving an action covers, as the listing shows it.
import { code, issueDetail, verbatim } from '../comments/listing.ts';
import { neutralLine } from '../comments/neutral.ts';
import { domainOf } from '../scheduler/domains.ts';
import type { Action, IssuePlan } from './actions.ts';
import { outline } from './outline.ts';

/** `before`: places of the listing that stand before those of a `create_issues`. */
export function detail(action: Action, before = 0): string[] {
  switch (action.action) {
    case 'create_issues':
      return action.issues.flatMap((issue, index) =>
        issueDetail({
          place: before + index + 1,
          title: issue.title,
          body: issue.body,
          labels: planLabels(issue),
          dependsOn: (issue.depends_on ?? []).map(each =>
            typeof each === 'number' ? `no. ${before + each}` : each,
          ),
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
      return [`${neutralLine(outline(action))}, in the order their dependencies and domains allow.`];
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
