// Pull requests, reviews and review comments as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import { commentCount } from '../issues/comment-rows.ts';
import { getIssue, type Issue } from '../issues/issue-rows.ts';
import { getPull, type Pull, requestedReviewers, type Review, type ReviewComment } from './pull-rows.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import { association, reactionRollup, threadJson } from '../issues/issue-json.ts';
import { repositoryJson, repositoryPage, repositoryUrl } from '../repositories/repository-json.ts';
import { simpleUser, userOfId, userOrNull } from '../apps/users.ts';

/** GitHub's `pull-request-simple`, as lists show it. */
export function simplePull(core: Core, repository: Repository, issue: Issue) {
  const pull = getPull(core, issue.id);
  const repositoryAddress = repositoryUrl(core, repository);
  const url = `${repositoryAddress}/pulls/${issue.number}`;
  const issueUrl = `${repositoryAddress}/issues/${issue.number}`;
  const page = `${repositoryPage(core, repository)}/pull/${issue.number}`;
  const commits = `${url}/commits`;
  const statuses = `${repositoryAddress}/statuses/${pull.head_sha}`;
  const whole = repositoryJson(core, repository);
  const end = (ref: string, sha: string) => ({
    label: `${repository.owner}:${ref}`,
    ref,
    sha,
    user: whole.owner,
    repo: whole,
  });
  return {
    url,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issueUrl,
    commits_url: commits,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repositoryAddress}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statuses,
    ...threadJson(core, repository, issue),
    merged_at: pull.merged_at,
    merge_commit_sha: pull.merge_sha,
    requested_reviewers: requestedReviewers(core, pull.id).map(user => simpleUser(core, user)),
    requested_teams: [],
    head: end(pull.head_ref, pull.head_sha),
    base: end(pull.base_ref, pull.base_sha),
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: issueUrl },
      comments: { href: `${issueUrl}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${repositoryAddress}/pulls/comments{/number}` },
      commits: { href: commits },
      statuses: { href: statuses },
    },
    auto_merge: null,
    draft: pull.draft === 1,
  };
}

/** GitHub's `pull-request`. Whether it can be merged takes git to find out; null is GitHub's "not known yet". */
export function pullJson(core: Core, repository: Repository, issue: Issue, mergeable: boolean | null = null) {
  const pull = getPull(core, issue.id);
  return {
    ...simplePull(core, repository, issue),
    merged: pull.merged_at !== null,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeableState(pull, mergeable),
    merged_by: userOrNull(core, pull.merged_by),
    comments: commentCount(core, issue.id),
    review_comments: core.db.count('review_comments WHERE pull_id = ?', pull.id),
    maintainer_can_modify: false,
    commits: pull.commits,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changed_files,
  };
}

/** REST's `mergeable_state`. `mergeable` is git's result. */
export function mergeableState(pull: Pull, mergeable: boolean | null): string {
  if (mergeable === null) return 'unknown';
  if (!mergeable) return 'dirty';
  return pull.draft ? 'draft' : 'clean';
}

const issueOf = (core: Core, pull: Pull): Issue => getIssue(core, pull.issue_id);

/** GitHub's `pull-request-review`. */
export function reviewJson(core: Core, repository: Repository, pull: Pull, review: Review) {
  const number = issueOf(core, pull).number;
  const pullUrl = `${repositoryUrl(core, repository)}/pulls/${number}`;
  const page = `${repositoryPage(core, repository)}/pull/${number}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: userOfId(core, review.author_id),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pullUrl,
    _links: { html: { href: page }, pull_request: { href: pullUrl } },
    ...(review.submitted_at !== null && { submitted_at: review.submitted_at }),
    commit_id: review.commit_id,
    author_association: association(core, repository, review.author_id),
  };
}

/** GitHub's `pull-request-review-comment`. */
export function reviewCommentJson(core: Core, repository: Repository, pull: Pull, comment: ReviewComment) {
  const number = issueOf(core, pull).number;
  const pullUrl = `${repositoryUrl(core, repository)}/pulls/${number}`;
  const url = `${repositoryUrl(core, repository)}/pulls/comments/${comment.id}`;
  const page = `${repositoryPage(core, repository)}/pull/${number}#discussion_r${comment.id}`;
  const original_line = comment.original_line ?? comment.line;
  return {
    url,
    id: comment.id,
    node_id: nodeId('PRRC', comment.id),
    pull_request_review_id: comment.review_id,
    diff_hunk: comment.diff_hunk,
    path: comment.path,
    commit_id: comment.commit_id,
    original_commit_id: comment.original_commit_id ?? comment.commit_id,
    ...(comment.reply_to !== null && { in_reply_to_id: comment.reply_to }),
    user: userOfId(core, comment.author_id),
    body: comment.body,
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    html_url: page,
    pull_request_url: pullUrl,
    author_association: association(core, repository, comment.author_id),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl } },
    start_line: comment.start_line,
    original_start_line: comment.original_start_line ?? comment.start_line,
    start_side: comment.start_line === null ? null : comment.side,
    ...(comment.line !== null && { line: comment.line }),
    ...(original_line !== null && { original_line }),
    side: comment.side,
    position: comment.position ?? 1,
    original_position: comment.position ?? 1,
    subject_type: comment.subject_type,
    reactions: reactionRollup(core, url, 'review_comment', comment.id),
  };
}
