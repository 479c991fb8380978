// Changes in reviews: the review itself, comments on lines, requests for one.
import { type Core, nodeId, now } from '../core.ts';
import { pullJson, reviewCommentJson, reviewJson, simplePull } from './pull-json.ts';
import { userOfId, type User } from '../apps/users.ts';
import { getIssue, type Issue } from '../issues/issue-rows.ts';
import {
  getPull,
  type Pull,
  requestedReviewers,
  type Review,
  type ReviewComment,
  reviewCommentsOf,
} from './pull-rows.ts';
import { type Act, emit, recordEvent } from '../emit.ts';
import { touch } from '../issues/issue-changes.ts';
import { z } from 'zod';
import type { FileChange } from '../repositories/commits.ts';
import { invalid, invalidField } from '../errors.ts';

export const lineComment = z.object({
  path: z.string(),
  body: z.string(),
  line: z.int().positive().optional(),
  start_line: z.int().positive().optional(),
  side: z.enum(['LEFT', 'RIGHT']).default('RIGHT'),
  subject_type: z.enum(['line', 'file']).default('line'),
});

interface Place {
  /** The hunk down to the line. */
  diff_hunk: string;
  /** Lines below the file's first @@. */
  position: number | null;
}

/** Position of a line in the diff; 422 for a line or file that the diff does not have. */
export function placeOf(files: FileChange[], comment: z.infer<typeof lineComment>): Place {
  const file = files.find(each => each.path === comment.path);
  if (!file) throw invalidField('PullRequestReviewComment', 'path', 'invalid');
  if (comment.subject_type === 'file') return { diff_hunk: '', position: null };
  if (comment.start_line !== undefined && comment.start_line >= (comment.line ?? 0))
    throw invalid(
      'PullRequestReviewComment',
      'start_line must precede the end line.',
      'pull_request_review_thread.start_line',
    );
  let hunk: string[] = [];
  let line = 0;
  for (const [position, text] of (file.patch ?? '').split('\n').entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
    if (header) {
      hunk = [text];
      line = Number(comment.side === 'LEFT' ? header[1] : header[2]);
      continue;
    }
    hunk.push(text);
    if (text.startsWith(comment.side === 'LEFT' ? '+' : '-') || text.startsWith('\\')) continue;
    if (line++ === comment.line) return { diff_hunk: hunk.join('\n'), position };
  }
  throw invalidField('PullRequestReviewComment', 'line', 'invalid');
}

export const findReviewComment = (core: Core, id: number): ReviewComment | undefined =>
  core.db.find<ReviewComment>('review_comments', { id });

/** The issue row of the pull request that a comment on a line belongs to. */
export const issueOfReview = (core: Core, { pull_id }: ReviewComment): Issue =>
  getIssue(core, core.db.get<Pull>('pulls', pull_id).issue_id);

/** Resolves the thread that begins with this comment, or opens it again. A resolved one stays whoever's it was. */
export function resolveThread(act: Act, first: ReviewComment, resolved: boolean): void {
  const { core, by, repository } = act;
  if ((first.resolved_by !== null) === resolved) return;
  core.db.update('review_comments', first.id, { resolved_by: resolved ? by.user.id : null });
  const issue = issueOfReview(core, first);
  const pull = getPull(core, issue.id);
  const action = resolved ? 'resolved' : 'unresolved';
  emit(act, 'pull_request_review_thread', action, core => ({
    thread: {
      node_id: nodeId('PRRT', first.id),
      comments: reviewCommentsOf(core, pull.id)
        .filter(({ id, reply_to }) => id === first.id || reply_to === first.id)
        .map(comment => reviewCommentJson(core, repository, pull, comment)),
    },
    pull_request: simplePull(core, repository, issue),
  }));
}

/** Begins a review, which `submitReview` ends within the same call. */
export function addReview({ core, by }: Act, pull: Pull, review: Pick<Review, 'body' | 'commit_id'>): Review {
  const row = { ...review, pull_id: pull.id, author_id: by.user.id, state: 'PENDING' };
  return core.db.add<Review>('reviews', row);
}

/** Submits a review and tells of it and of its comments. */
export function submitReview(
  act: Act,
  pull: Pull,
  begun: Review,
  state: Review['state'],
  body: string,
): void {
  const { core, by, repository } = act;
  core.db.update('reviews', begun.id, { state, body, submitted_at: now(core) });
  core.db.remove('review_requests', { pull_id: pull.id, user_id: by.user.id });
  const issue = getIssue(core, pull.issue_id);
  touch(core, issue);
  const review = core.db.get<Review>('reviews', begun.id);
  emit(act, 'pull_request_review', 'submitted', core => ({
    // In webhooks the state is in small letters.
    review: { ...reviewJson(core, repository, pull, review), state: review.state.toLowerCase() },
    pull_request: simplePull(core, repository, getIssue(core, pull.issue_id)),
  }));
  for (const comment of core.db.rows<ReviewComment>('review_comments', { review_id: begun.id }))
    emit(act, 'pull_request_review_comment', 'created', core => ({
      comment: reviewCommentJson(core, repository, pull, comment),
      pull_request: simplePull(core, repository, issue),
    }));
}

export function addReviewComment(
  { core, by }: Act,
  review: Review,
  comment: Partial<ReviewComment> & Pick<ReviewComment, 'body' | 'path' | 'side' | 'diff_hunk' | 'commit_id'>,
): ReviewComment {
  const time = now(core);
  return core.db.add<ReviewComment>('review_comments', {
    ...comment,
    pull_id: review.pull_id,
    review_id: review.id,
    author_id: by.user.id,
    resolved_by: null,
    created_at: time,
    updated_at: time,
  });
}

/** Asks these people for a review, or no longer; 422 for the author. */
export function changeReviewers(act: Act, pull: Pull, users: User[], asked: boolean): void {
  const { core, by, repository } = act;
  const issue = getIssue(core, pull.issue_id);
  if (asked && users.some(user => user.id === issue.author_id))
    throw invalid('PullRequest', 'Review cannot be requested from pull request author.');
  const event = asked ? 'review_requested' : 'review_request_removed';
  const before = requestedReviewers(core, pull.id);
  for (const user of users) {
    if (before.some(each => each.id === user.id) === asked) continue;
    if (asked) core.db.insert('review_requests', { pull_id: pull.id, user_id: user.id });
    else core.db.remove('review_requests', { pull_id: pull.id, user_id: user.id });
    recordEvent(act, issue, event, {
      review_requester_id: by.user.id,
      requested_reviewer_id: user.id,
    });
    emit(act, 'pull_request', event, core => ({
      number: issue.number,
      pull_request: pullJson(core, repository, issue),
      requested_reviewer: userOfId(core, user.id),
    }));
  }
}
