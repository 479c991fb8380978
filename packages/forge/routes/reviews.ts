// Reviews of a pull request, and comments on its lines.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { addLineComment, filesOf, giveReview } from '../changes/give-review.ts';
import { checkLength } from '../changes/permitted.ts';
import { lineComment } from '../changes/review-place.ts';
import { addReview, addReviewComment, findReviewComment, submitReview } from '../changes/reviews.ts';
import { notFound } from '../errors.ts';
import { pageOfRows } from '../page.ts';
import { reviewCommentJson, reviewJson } from '../render/pull.ts';
import { type Answer, created, ok, parse, type Route, read, type WriteCall, write } from '../route.ts';
import type { Pull, Review, ReviewComment } from '../store/pulls.ts';
import { pullOf, pullsRead } from './pulls.ts';

const anyone: Need = { role: 'read', scopes: ['pull_requests:write'] };

const event = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);
const newReview = z.object({
  body: z.string().nullish(),
  event,
  commit_id: z.string().optional(),
  comments: z.array(lineComment).default([]),
});
const newComment = lineComment.extend({ commit_id: z.string(), in_reply_to: z.int().optional() });
const reply = z.object({ body: z.string() });

async function createReview(call: WriteCall): Promise<Answer> {
  const { pull } = pullOf(call);
  const review = await giveReview(call, pull, parse(call, 'PullRequestReview', newReview));
  return ok(reviewJson(call.core, call.repository, pull, review));
}

/** A comment outside a review gets a review of its own, as on GitHub. */
function comment(
  call: WriteCall,
  pull: Pull,
  commit_id: string,
  add: (review: Review) => ReviewComment,
): Answer {
  const review = addReview(call, pull, { body: '', commit_id });
  const added = add(review);
  submitReview(call, pull, review, 'COMMENTED', '');
  return created(reviewCommentJson(call.core, call.repository, pull, added));
}

async function createComment(call: WriteCall): Promise<Answer> {
  const { pull } = pullOf(call);
  const input = parse(call, 'PullRequestReviewComment', newComment);
  if (input.in_reply_to !== undefined) return replyTo(call, pull, input.in_reply_to, input.body);
  const files = await filesOf(call, pull);
  return comment(call, pull, input.commit_id, review => addLineComment(call, review, files, input));
}

function replyTo(call: WriteCall, pull: Pull, id: number, body: string): Answer {
  const first = findReviewComment(call.core, id);
  if (first?.pull_id !== pull.id) throw notFound();
  checkLength('PullRequestReviewComment', body);
  const { id: _, minimized_reason: __, ...place } = first;
  return comment(call, pull, first.commit_id, review =>
    addReviewComment(call, review, { ...place, body, reply_to: first.reply_to ?? first.id }),
  );
}

export const reviewRoutes: Route[] = [
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
