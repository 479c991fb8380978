// Everything that approving an action covers, as the listing shows it.
import { code } from '../comments/neutral.ts';
import { issueDetail, type ListedIssue, verbatim } from '../comments/listing.ts';
import { folded, plural } from '../comments/figures.ts';
import type { IssueEstimate } from '../comments/view.ts';
import { domainOf } from '../scheduler/domains.ts';
import type { Action, IssuePlan } from './issue-plan.ts';
import { layerName } from '../layers.ts';

/**
 * Of a `create_issues`: `before`, the places of the listing that stand before its own; `done`, what became of those of
 * its places (from 1) that were tried already: the number of an issue, or null; `estimates`, what is known by such places.
 */
interface Places {
  before: number;
  done: ReadonlyMap<number, number | null>;
  estimates?: ReadonlyMap<number, IssueEstimate> | undefined;
}

/** The issues that an action would create now. */
export const listedIssues = (action: Action, { before, done, estimates }: Places): ListedIssue[] =>
  action.action !== 'create_issues'
    ? []
    : action.issues.flatMap((issue, index) =>
        done.has(index + 1)
          ? []
          : {
              place: before + index + 1,
              existing: issue.existing,
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
              estimate: estimates?.get(index + 1),
            },
      );

export function actionDetails(action: Action, places: Places = { before: 0, done: new Map() }): string[] {
  switch (action.action) {
    case 'create_issues':
      return listedIssues(action, places).flatMap(issueDetail);
    case 'create_branch':
      return [
        `${code(action.branch_name)}, starting at ${action.from ? code(action.from) : 'the base branch'}`,
      ];
    case 'request_review':
      return [
        `A comment on #${action.pr_number} asks for it; the review is posted there, with comments on lines.`,
        ...(action.focus === undefined ? [] : [folded('What is to be looked at', verbatim(action.focus))]),
      ];
    case 'update_plan':
      return [folded('The plan', verbatim(action.plan))];
    default:
      return ['In the order that their dependencies and domains allow.'];
  }
}

/** The labels that an issue gets: those of its plan, and its domain. One that is there keeps its own. */
export const planLabels = (issue: IssuePlan): string[] => {
  const { labels = [], existing } = issue;
  return existing === undefined ? [...new Set([...labels, `domain:${domainOf(issue)}`])] : [...labels];
};

/** `done`: the places of a `create_issues` (from 1) that were tried already. */
export function actionSummary(action: Action, done: ReadonlyMap<number, unknown> = new Map()): string {
  switch (action.action) {
    case 'update_plan':
      return 'replace the plan';
    case 'create_issues': {
      const left = action.issues.filter((_issue, at) => !done.has(at + 1));
      const made = left.filter(({ existing }) => existing === undefined).length;
      const there = left.length - made;
      const both = [
        there > 0 ? `take up ${plural(there, 'issue')}` : '',
        made > 0 || there === 0 ? `create ${plural(made, 'issue')}` : '',
      ];
      return both.filter(Boolean).join(', ');
    }
    case 'schedule': {
      const which = action.issues
        ? `issues ${action.issues.map(each => (typeof each === 'number' ? `no. ${each}` : each)).join(', ')}`
        : action.label
          ? `the issues labelled ${action.label}`
          : 'all issues of this run';
      return `work on ${which}${action.max_parallel ? `, at most ${action.max_parallel} at a time` : ''}`;
    }
    case 'create_branch':
      return `create the branch ${action.branch_name} from ${action.from ?? 'the base branch'}`;
    case 'request_review':
      return `ask for a review of pull request ${action.pr_number}`;
    case 'request_info':
      return `ask the ${action.target === 'ceo' ? 'person' : layerName(action.target)} a question`;
    case 'escalate':
      return 'ask the person to decide';
  }
}
