// An issue of the GraphQL schema; fields that cost something are functions.
import { pullsClosing } from '../issues/closing-words.ts';
import { type Core, nodeId } from '../core.ts';
import { subIssuesSummary } from '../issues/issue-json.ts';
import { type Issue, parentOf, subIssuesOf } from '../issues/issue-rows.ts';
import { type Asked, listed } from './connection.ts';
import { threadFields } from './thread.ts';

export function issueObject(core: Core, issue: Issue) {
  return {
    ...threadFields(core, issue),
    __typename: 'Issue',
    id: nodeId('I', issue.id),
    state: issue.state.toUpperCase(),
    stateReason: issue.state_reason?.toUpperCase() ?? null,
    isPinned: false,
    parent(_: unknown, asked: Asked) {
      const parent = parentOf(core, issue.id);
      return parent ? asked.thread(parent) : null;
    },
    subIssues: listed('subIssues', (_, asked: Asked) =>
      subIssuesOf(core, issue.id).map(child => asked.thread(child)),
    ),
    subIssuesSummary() {
      const { percent_completed, ...counts } = subIssuesSummary(core, issue);
      return { ...counts, percentCompleted: percent_completed };
    },
    closedByPullRequestsReferences: listed(
      'closedByPullRequestsReferences',
      ({ includeClosedPrs }: { includeClosedPrs?: boolean | null }, asked: Asked) =>
        pullsClosing(core, issue)
          .filter(pull => includeClosedPrs || pull.state === 'open')
          .map(pull => asked.thread(pull)),
    ),
  };
}
