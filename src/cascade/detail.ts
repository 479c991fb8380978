// Everything that approving an action covers, as the listing shows it.
import { code, issueDetail, verbatim } from '../comments/listing.ts';
import { neutralLine } from '../comments/neutral.ts';
import { domainOf } from '../scheduler/domains.ts';
import type { Action, IssuePlan } from './actions.ts';
import { outline } from './outline.ts';

export function detail(action: Action): string[] {
  switch (action.action) {
    case 'create_issues':
      return action.issues.flatMap((issue, index) =>
        issueDetail({
          place: index + 1,
          title: issue.title,
          body: issue.body,
          domain: planDomain(issue),
          labels: issue.labels ?? [],
          dependsOn: (issue.depends_on ?? []).map(each => (typeof each === 'number' ? `no. ${each}` : each)),
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
      return verbatim(action.plan);
    default:
      return [`${neutralLine(outline(action))}, in the order their dependencies and domains allow.`];
  }
}

/** The domain an issue will be scheduled as. */
export const planDomain = (issue: IssuePlan) =>
  domainOf({
    domain: issue.domain,
    title: issue.title,
    labels: issue.labels ?? [],
    body: issue.body,
    paths: issue.paths ?? [],
  }).domain;
