// Issues, labels, comments, reactions and issue events as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import {
  type Comment,
  commentCount,
  contents,
  type Reaction,
  reactionCounts,
  type ReactionKind,
} from './comment-rows.ts';
import {
  assigneesOf,
  getIssue,
  type Issue,
  type Label,
  labelsOf,
  parentOf,
  subIssueCounts,
} from './issue-rows.ts';
import { getPull } from '../pulls/pull-rows.ts';
import { getRepository, isCollaborator, type Repository } from '../repositories/repository-rows.ts';
import { appOrNull } from '../apps/app-json.ts';
import { repositoryPage, repositoryUrl } from '../repositories/repository-json.ts';
import { simpleUser, userOfId, userOrNull } from '../apps/users.ts';

export function labelJson(core: Core, repository: Repository, label: Label) {
  return {
    id: label.id,
    node_id: nodeId('LA', label.id),
    url: `${repositoryUrl(core, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: label.is_default === 1,
    description: label.description,
  };
}

/** The author's association with the repository. Apps have NONE, as on GitHub. */
export function association(core: Core, repository: Repository, userId: number) {
  if (userId === repository.owner_id) return 'OWNER';
  return isCollaborator(core, repository, userId) ? 'COLLABORATOR' : 'NONE';
}

/** GitHub's `reaction-rollup`; `url` is the address of what was reacted to. */
export function reactionRollup(core: Core, url: string, kind: ReactionKind, subjectId: number) {
  const counts = reactionCounts(core, kind, subjectId);
  return {
    url: `${url}/reactions`,
    total_count: Object.values(counts).reduce((sum, n) => sum + n, 0),
    ...Object.fromEntries(contents.map(content => [content, counts[content] ?? 0])),
  };
}

export function reactionJson(core: Core, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: nodeId('REA', reaction.id),
    user: userOfId(core, reaction.user_id),
    content: reaction.content,
    created_at: reaction.created_at,
  };
}

export const pagePath = (issue: Issue): string => `/${issue.is_pull ? 'pull' : 'issues'}/${issue.number}`;

/** Shared by `issue` and `pull-request-simple`. */
export function threadJson(core: Core, repository: Repository, issue: Issue) {
  const assignees = assigneesOf(core, issue.id).map(user => simpleUser(core, user));
  return {
    number: issue.number,
    state: issue.state,
    locked: issue.locked === 1,
    title: issue.title,
    user: userOfId(core, issue.author_id),
    body: issue.body,
    labels: labelsOf(core, issue.id).map(label => labelJson(core, repository, label)),
    milestone: null,
    active_lock_reason: issue.lock_reason,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    assignee: assignees[0] ?? null,
    assignees,
    author_association: association(core, repository, issue.author_id),
  };
}

/** GitHub's `issue`; a pull request has `pull_request` and `draft` besides. */
export function issueJson(core: Core, repository: Repository, issue: Issue) {
  const repositoryAddress = repositoryUrl(core, repository);
  const url = `${repositoryAddress}/issues/${issue.number}`;
  const page = repositoryPage(core, repository) + pagePath(issue);
  const parent = parentOf(core, issue.id);
  return {
    id: issue.id,
    node_id: nodeId(issue.is_pull ? 'PR' : 'I', issue.is_pull ? getPull(core, issue.id).id : issue.id),
    url,
    repository_url: repositoryAddress,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: page,
    ...threadJson(core, repository, issue),
    state_reason: issue.state_reason,
    comments: commentCount(core, issue.id),
    closed_by: userOrNull(core, issue.closed_by),
    reactions: reactionRollup(core, url, 'issue', issue.id),
    performed_via_github_app: appOrNull(core, issue.app_id),
    ...(issue.is_pull
      ? pullPart(core, repository, issue)
      : { sub_issues_summary: subIssuesSummary(core, issue) }),
    ...(parent && { parent_issue_url: issueUrl(core, parent) }),
  };
}

function pullPart(core: Core, repository: Repository, issue: Issue) {
  const pull = getPull(core, issue.id);
  const page = `${repositoryPage(core, repository)}/pull/${issue.number}`;
  return {
    draft: pull.draft === 1,
    pull_request: {
      url: `${repositoryUrl(core, repository)}/pulls/${issue.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: pull.merged_at,
    },
  };
}

/** GitHub's `sub-issues-summary`. */
export function subIssuesSummary(core: Core, issue: Issue) {
  const { total, completed } = subIssueCounts(core, issue.id);
  return { total, completed, percent_completed: total === 0 ? 0 : Math.floor((100 * completed) / total) };
}

function issueUrl(core: Core, issue: Issue): string {
  return `${repositoryUrl(core, getRepository(core, issue.repository_id))}/issues/${issue.number}`;
}

/** GitHub's `issue-comment`. */
export function commentJson(core: Core, repository: Repository, comment: Comment) {
  const issue = getIssue(core, comment.issue_id);
  const url = `${repositoryUrl(core, repository)}/issues/comments/${comment.id}`;
  return {
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    url,
    html_url: `${repositoryPage(core, repository)}${pagePath(issue)}#issuecomment-${comment.id}`,
    issue_url: `${repositoryUrl(core, repository)}/issues/${issue.number}`,
    user: userOfId(core, comment.author_id),
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    author_association: association(core, repository, comment.author_id),
    body: comment.body,
    reactions: reactionRollup(core, url, 'comment', comment.id),
    performed_via_github_app: appOrNull(core, comment.app_id),
  };
}
