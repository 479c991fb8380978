// Gives a pull request a review for whoever was let in.
import type { z } from 'zod';
import type { Access } from '../auth.ts';
import { changedFiles, type FileChange } from '../commits.ts';
import { ApiError, invalid, invalidField } from '../errors.ts';
import { repositoryFolder } from '../git.ts';
import { getIssue } from '../store/issues.ts';
import type { Pull, Review, ReviewComment } from '../store/pulls.ts';
import type { User } from '../store/users.ts';
import { checkLength } from './permitted.ts';
import { startOf } from './pulls.ts';
import { type lineComment, placeOf } from './review-place.ts';
import { addReview, addReviewComment, requestReviews, submitReview } from './reviews.ts';

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

export function addLineComment(
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

/** Asks these people for a review, or no longer; 422 for the author. */
export function changeReviewers(access: Access, pull: Pull, users: User[], asked: boolean): void {
  const { author_id } = getIssue(access.core, pull.issue_id);
  if (asked && users.some(user => user.id === author_id))
    throw invalid('PullRequest', 'Review cannot be requested from pull request author.');
  requestReviews(access, pull, users, asked);
}
