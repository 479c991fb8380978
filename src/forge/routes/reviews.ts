// Reviews of a pull request, comments on its lines, and who is asked for a review.
import { z } from 'zod';
import { actor, type Need } from '../auth.ts';
import {
  addReview,
  addReviewComment,
  findReview,
  findReviewComment,
  requestReviews,
  submitReview,
} from '../changes/reviews.ts';
import { startOf } from '../changes/pulls.ts';
import { changedFiles, type FileChange } from '../commits.ts';
import { ApiError, invalid, invalidField, notFound } from '../errors.ts';
import { page } from '../page.ts';
import { reviewCommentJson, reviewJson, simplePull } from '../render/pull.ts';
import { simpleUser } from '../render/user.ts';
import {
  type Answer,
  created,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { getIssue } from '../store/issues.ts';
import { type Pull, requestedReviewers, type Review, type ReviewComment } from '../store/pulls.ts';
import { assigneesNamed, checkLength } from './issue-input.ts';
import { lineComment, placeOf } from './review-place.ts';
import { pullOf, pullsRead } from './pulls.ts';
import { present } from '../../lib/present.ts';

const anyone: Need = { role: 'read', scopes: ['pull_requests:write'] };
const writers: Need = { role: 'write', scopes: ['pull_requests:write'] };

const events = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;
const event = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);
const newReview = z.object({
  body: z.string().nullish(),
  event: event.optional(),
  commit_id: z.string().optional(),
  comments: z.array(lineComment).default([]),
});
const submission = z.object({ body: z.string().nullish(), event });
const newComment = lineComment.extend({ commit_id: z.string(), in_reply_to: z.int().optional() });
const reply = z.object({ body: z.string() });
const reviewers = z.object({ reviewers: z.array(z.string()).default([]) });

const filesOf = async (call: RepositoryCall, pull: Pull): Promise<FileChange[]> =>
  changedFiles(call.folder, await startOf(call.folder, pull.base_sha, pull.head_sha), pull.head_sha);

function refuseOwn(call: WriteCall, pull: Pull, asked: z.infer<typeof event>): void {
  if (asked === 'COMMENT' || getIssue(call.core, pull.issue_id).author_id !== call.by.user.id) return;
  const what = asked === 'APPROVE' ? 'approve' : 'request changes on';
  throw new ApiError(422, 'Unprocessable Entity', [
    { resource: 'PullRequestReview', code: 'custom', message: `Can not ${what} your own pull request` },
  ]);
}

async function createReview(call: WriteCall): Promise<Answer> {
  const { core, by } = call;
  const { pull } = pullOf(call);
  const input = parse(call, 'PullRequestReview', newReview);
  const body = input.body ?? '';
  checkLength('PullRequestReview', body);
  if (input.event) refuseOwn(call, pull, input.event);
  if (input.event && input.event !== 'APPROVE' && body === '' && input.comments.length === 0)
    throw invalidField('PullRequestReview', 'body', 'missing_field');
  const files = input.comments.length > 0 ? await filesOf(call, pull) : [];
  const commit_id = input.commit_id ?? pull.head_sha;
  const review = addReview(core, by, pull, { body, commit_id });
  for (const comment of input.comments) insertComment(call, review, files, comment);
  if (input.event) submitReview(core, by, pull, review, events[input.event], body);
  return ok(reviewJson(core, call.repository, pull, present(findReview(core, review.id), 'the review')));
}

function insertComment(
  call: WriteCall,
  review: Review,
  files: FileChange[],
  comment: z.infer<typeof lineComment>,
): ReviewComment {
  checkLength('PullRequestReviewComment', comment.body);
  return addReviewComment(call.core, call.by, review, {
    body: comment.body,
    path: comment.path,
    line: comment.line ?? null,
    start_line: comment.start_line ?? null,
    side: comment.side,
    subject_type: comment.subject_type,
    ...placeOf(files, comment),
    commit_id: review.commit_id,
    reply_to: null,
  });
}

/** A comment outside a review gets a review of its own, as on GitHub. */
function comment(
  call: WriteCall,
  pull: Pull,
  commit_id: string,
  add: (review: Review) => ReviewComment,
): Answer {
  const review = addReview(call.core, call.by, pull, { body: '', commit_id });
  const added = add(review);
  submitReview(call.core, call.by, pull, review, 'COMMENTED', '');
  return created(reviewCommentJson(call.core, call.repository, pull, added));
}

async function createComment(call: WriteCall): Promise<Answer> {
  const { pull } = pullOf(call);
  const input = parse(call, 'PullRequestReviewComment', newComment);
  if (input.in_reply_to !== undefined) return replyTo(call, pull, input.in_reply_to, input.body);
  const files = await filesOf(call, pull);
  return comment(call, pull, input.commit_id, review => insertComment(call, review, files, input));
}

function replyTo(call: WriteCall, pull: Pull, id: number, body: string): Answer {
  const first = findReviewComment(call.core, id);
  if (first?.pull_id !== pull.id) throw notFound();
  checkLength('PullRequestReviewComment', body);
  const { path, line, start_line, side, diff_hunk, position, subject_type, commit_id } = first;
  return comment(call, pull, commit_id, review =>
    addReviewComment(call.core, call.by, review, {
      ...{ path, line, start_line, side, diff_hunk, position, subject_type, commit_id, body },
      reply_to: first.reply_to ?? first.id,
    }),
  );
}

/** The review of the path; a pending one only its author knows of. */
function reviewOf(call: RepositoryCall): { pull: Pull; review: Review } {
  const { pull } = pullOf(call);
  const review = findReview(call.core, Number(call.params['review_id']));
  if (review?.pull_id !== pull.id) throw notFound();
  if (review.state === 'PENDING' && actor(call.identity).user.id !== review.author_id) throw notFound();
  return { pull, review };
}

/** A page of the rows that `from ...` finds. */
function listComments(call: RepositoryCall, pull: Pull, condition: string, value: number): Answer {
  const from = `review_comments WHERE ${condition} = ?`;
  return page(call, call.core.db.count(from, value), (limit, offset) =>
    call.core.db
      .all<ReviewComment>(`SELECT * FROM ${from} ORDER BY id LIMIT ? OFFSET ?`, value, limit, offset)
      .map(comment => reviewCommentJson(call.core, call.repository, pull, comment)),
  );
}

function changeReviewers(call: WriteCall, asked: boolean) {
  const { issue, pull } = pullOf(call);
  const users = assigneesNamed(call, parse(call, 'PullRequest', reviewers).reviewers, asked);
  if (asked && users.some(user => user.id === issue.author_id))
    throw invalid('PullRequest', 'Review cannot be requested from pull request author.');
  requestReviews(call.core, call.by, pull, users, asked);
  return simplePull(call.core, call.repository, getIssue(call.core, issue.id));
}

export const reviewRoutes: Route[] = [
  read('/pulls/{pull_number}/reviews', pullsRead, call => {
    const { pull } = pullOf(call);
    const from = "reviews WHERE pull_id = ? AND state <> 'PENDING'";
    return page(call, call.core.db.count(from, pull.id), (limit, offset) =>
      call.core.db
        .all<Review>(`SELECT * FROM ${from} ORDER BY id LIMIT ? OFFSET ?`, pull.id, limit, offset)
        .map(review => reviewJson(call.core, call.repository, pull, review)),
    );
  }),
  write('POST', '/pulls/{pull_number}/reviews', anyone, createReview),
  read('/pulls/{pull_number}/reviews/{review_id}', pullsRead, call => {
    const { pull, review } = reviewOf(call);
    return ok(reviewJson(call.core, call.repository, pull, review));
  }),
  read('/pulls/{pull_number}/reviews/{review_id}/comments', pullsRead, call => {
    const { pull, review } = reviewOf(call);
    return listComments(call, pull, 'review_id', review.id);
  }),
  write('POST', '/pulls/{pull_number}/reviews/{review_id}/events', anyone, call => {
    const { pull, review } = reviewOf(call);
    const input = parse(call, 'PullRequestReview', submission);
    if (review.state !== 'PENDING') throw new ApiError(422, 'Can not submit a review that is not pending');
    refuseOwn(call, pull, input.event);
    submitReview(call.core, call.by, pull, review, events[input.event], input.body ?? review.body);
    return ok(
      reviewJson(call.core, call.repository, pull, present(findReview(call.core, review.id), 'the review')),
    );
  }),
  read('/pulls/{pull_number}/comments', pullsRead, call => {
    const { pull } = pullOf(call);
    return listComments(
      call,
      pull,
      `review_id IN (SELECT id FROM reviews WHERE state <> 'PENDING') AND pull_id`,
      pull.id,
    );
  }),
  write('POST', '/pulls/{pull_number}/comments', anyone, createComment),
  write('POST', '/pulls/{pull_number}/comments/{comment_id}/replies', anyone, call => {
    const { pull } = pullOf(call);
    return replyTo(
      call,
      pull,
      Number(call.params['comment_id']),
      parse(call, 'PullRequestReviewComment', reply).body,
    );
  }),
  read('/pulls/{pull_number}/requested_reviewers', pullsRead, call => {
    const { pull } = pullOf(call);
    const users = requestedReviewers(call.core, pull.id).map(user => simpleUser(call.core, user));
    return ok({ users, teams: [] });
  }),
  write('POST', '/pulls/{pull_number}/requested_reviewers', writers, call =>
    created(changeReviewers(call, true)),
  ),
  write('DELETE', '/pulls/{pull_number}/requested_reviewers', writers, call =>
    ok(changeReviewers(call, false)),
  ),
];
