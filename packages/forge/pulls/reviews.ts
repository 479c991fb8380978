// Reviews of a pull request, and comments on its lines.
import { z } from 'zod';
import type { Access } from '../auth.ts';
import { checkLength } from '../permitted.ts';
import {
  lineComment,
  addReview,
  addReviewComment,
  findReviewComment,
  submitReview,
  placeOf,
} from './review-changes.ts';
import { notFound, ApiError, invalidField } from '../errors.ts';
import { pageOfRows } from '../page.ts';
import { reviewCommentJson, reviewJson } from './pull-json.ts';
import { created, ok, parse, read, type WriteCall, write } from '../route.ts';
import type { Pull, Review, ReviewComment } from './pull-rows.ts';
import { anyone, pullOf, pullsRead } from './pull-routes.ts';
import { changedFiles, type FileChange } from '../repositories/commits.ts';
import { repositoryFolder } from '../repositories/git.ts';
import { getIssue } from '../issues/issue-rows.ts';
import { startOf } from './pull-changes.ts';

const states = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;
export type ReviewEvent = keyof typeof states;
type LineComment = z.infer<typeof lineComment>;

export const filesOf = async ({ core, repository }: Pick<Access, 'core' | 'repository'>, pull: Pull) => {
  const folder = repositoryFolder(core, repository);
  return changedFiles(folder, await startOf(folder, pull.base_sha, pull.head_sha), pull.head_sha);
};

function refuseOwn({ core, by }: Access, pull: Pull, event: ReviewEvent): void {
  if (event === 'COMMENT' || getIssue(core, pull.issue_id).author_id !== by.user.id) return;
  const what = event === 'APPROVE' ? 'approve' : 'request changes on';
  throw new ApiError(422, 'Unprocessable Entity', [
    { resource: 'PullRequestReview', code: 'custom', message: `Can not ${what} your own pull request` },
  ]);
}

interface NewReview {
  body?: string | null | undefined;
  event: ReviewEvent;
  commit_id?: string | undefined;
  comments: LineComment[];
}

/** 422 for a review that says nothing, one of one's own work, and comments on lines that the diff has not. */
export async function giveReview(access: Access, pull: Pull, input: NewReview): Promise<Review> {
  const { core } = access;
  const body = input.body ?? '';
  checkLength('PullRequestReview', body);
  refuseOwn(access, pull, input.event);
  if (input.event !== 'APPROVE' && body === '' && input.comments.length === 0)
    throw invalidField('PullRequestReview', 'body', 'missing_field');
  const files = input.comments.length > 0 ? await filesOf(access, pull) : [];
  const review = addReview(access, pull, { body, commit_id: input.commit_id ?? pull.head_sha });
  for (const comment of input.comments) addLineComment(access, review, files, comment);
  submitReview(access, pull, review, states[input.event], body);
  return core.db.get<Review>('reviews', review.id);
}

function addLineComment(
  access: Access,
  review: Review,
  files: FileChange[],
  comment: LineComment,
): ReviewComment {
  checkLength('PullRequestReviewComment', comment.body);
  return addReviewComment(access, review, {
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

const event = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);
const newReview = z.object({
  body: z.string().nullish(),
  event,
  commit_id: z.string().optional(),
  comments: z.array(lineComment).default([]),
});
const newComment = lineComment.extend({ commit_id: z.string(), in_reply_to: z.int().optional() });
const reply = z.object({ body: z.string() });

async function createReview(call: WriteCall) {
  const { pull } = pullOf(call);
  const review = await giveReview(call, pull, parse(call, 'PullRequestReview', newReview));
  return ok(reviewJson(call.core, call.repository, pull, review));
}

/** A comment outside a review gets a review of its own, as on GitHub. */
function comment(call: WriteCall, pull: Pull, commit_id: string, add: (review: Review) => ReviewComment) {
  const review = addReview(call, pull, { body: '', commit_id });
  const added = add(review);
  submitReview(call, pull, review, 'COMMENTED', '');
  return created(reviewCommentJson(call.core, call.repository, pull, added));
}

async function createComment(call: WriteCall) {
  const { pull } = pullOf(call);
  const input = parse(call, 'PullRequestReviewComment', newComment);
  if (input.in_reply_to !== undefined) return replyTo(call, pull, input.in_reply_to, input.body);
  const files = await filesOf(call, pull);
  return comment(call, pull, input.commit_id, review => addLineComment(call, review, files, input));
}

function replyTo(call: WriteCall, pull: Pull, id: number, body: string) {
  const first = findReviewComment(call.core, id);
  if (first?.pull_id !== pull.id) throw notFound();
  checkLength('PullRequestReviewComment', body);
  const { id: _, minimized_reason: __, ...place } = first;
  return comment(call, pull, first.commit_id, review =>
    addReviewComment(call, review, { ...place, body, reply_to: first.reply_to ?? first.id }),
  );
}

export const reviewRoutes = [
  read('/pulls/{pull_number}/reviews', pullsRead, call => {
    const { pull } = pullOf(call);
    const rows = { from: 'reviews WHERE pull_id = ?', values: [pull.id] };
    return pageOfRows<Review>(call, rows, review => reviewJson(call.core, call.repository, pull, review));
  }),
  write('POST', '/pulls/{pull_number}/reviews', anyone, createReview),
  read('/pulls/{pull_number}/comments', pullsRead, call => {
    const { pull } = pullOf(call);
    const rows = { from: 'review_comments WHERE pull_id = ?', values: [pull.id] };
    return pageOfRows<ReviewComment>(call, rows, comment =>
      reviewCommentJson(call.core, call.repository, pull, comment),
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
];
