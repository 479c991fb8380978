// Changes, withdraws and dismisses reviews that were begun or given, for whoever was let in.
import type { Access } from '../auth.ts';
import { ApiError, forbidden, invalidField } from '../errors.ts';
import { getIssue } from '../store/issues.ts';
import type { Pull, Review } from '../store/pulls.ts';
import { recordEvent, recordMentions } from './history.ts';
import { touch } from './issues.ts';
import { checkLength } from './permitted.ts';
import { emitReview, findReview } from './reviews.ts';
import { present } from '../../lib/present.ts';

const current = ({ core }: Access, { id }: Review): Review => present(findReview(core, id), 'the review');

/** Sets the text of one's own review. */
export function changeReview(access: Access, pull: Pull, review: Review, body: string): Review {
  const { core, by } = access;
  if (review.author_id !== by.user.id) throw forbidden('Only its author can change a review');
  if (body.trim() === '') throw invalidField('PullRequestReview', 'body', 'missing_field');
  checkLength('PullRequestReview', body);
  core.db.update('reviews', review.id, { body });
  if (review.state !== 'PENDING') {
    recordMentions(core, by, getIssue(core, pull.issue_id), body);
    emitReview(core, by, pull, current(access, review), 'edited', {
      changes: { body: { from: review.body } },
    });
  }
  return current(access, review);
}

/** Takes away a review that was begun, with its comments; nobody but its author knew of them. */
export function withdrawReview({ core }: Access, review: Review): void {
  if (review.state !== 'PENDING') throw new ApiError(422, 'Can not delete a non-pending pull request review');
  core.db.run('DELETE FROM review_comments WHERE review_id = ?', review.id);
  core.db.run('DELETE FROM reviews WHERE id = ?', review.id);
}

/** Takes the weight from an approval or a request for changes, which stays to be read. */
export function dismissReview(access: Access, pull: Pull, review: Review, message: string): Review {
  const { core, by } = access;
  if (message.trim() === '') throw invalidField('PullRequestReview', 'message', 'missing_field');
  checkLength('PullRequestReview', message, 'message');
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED')
    throw new ApiError(422, `Can not dismiss a ${review.state.toLowerCase()} pull request review`);
  core.db.update('reviews', review.id, { state: 'DISMISSED' });
  const issue = getIssue(core, pull.issue_id);
  touch(core, issue);
  recordEvent(core, by, issue, 'review_dismissed', {
    dismissed_review: {
      state: review.state.toLowerCase(),
      review_id: review.id,
      dismissal_message: message,
    },
  });
  const dismissed = current(access, review);
  emitReview(core, by, pull, dismissed, 'dismissed');
  return dismissed;
}
