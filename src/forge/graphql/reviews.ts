// Reviews of a pull request as GraphQL shows them: the reviews, and the threads on its lines.
import { type Core, nodeId } from '../core.ts';
import {
  type Pull,
  type Review,
  type ReviewComment,
  submittedComments,
  submittedReviews,
} from '../store/pulls.ts';
import { connection, type Window } from './connection.ts';
import { int, userOfId } from './accounts.ts';

/** What a pull request has that an issue has not. */
export const reviewFields = (core: Core, pull: Pull) => ({
  reviews: listed('reviews', () => submittedReviews(core, pull.id).map(each => reviewObject(core, each))),
  reviewThreads: listed('reviewThreads', () =>
    submittedComments(core, pull.id)
      .filter(({ reply_to }) => reply_to === null)
      .map(first => threadObject(core, first)),
  ),
});

/** A list that is read whole: the reviews of one pull request are few. */
const listed =
  <T>(name: string, all: () => T[]) =>
  (window: Window) => {
    const items = all();
    return connection(name, window, items.length, (limit, offset) => items.slice(offset, offset + limit));
  };

/** A thread is known by its first comment. */
export const threadObject = (core: Core, first: ReviewComment) => ({
  __typename: 'PullRequestReviewThread',
  id: nodeId('PRRT', first.id),
  path: first.path,
  line: first.line,
  originalLine: first.original_line ?? first.line,
  startLine: first.start_line,
  isOutdated: first.line === null && first.original_line !== null,
  diffSide: first.side,
  isResolved: first.resolved_by !== null,
  resolvedBy: () => userOfId(core, first.resolved_by),
  comments: listed('comments', () =>
    submittedComments(core, first.pull_id)
      .filter(({ id, reply_to }) => id === first.id || reply_to === first.id)
      .map(comment => commentObject(core, comment)),
  ),
});

const commentObject = (core: Core, comment: ReviewComment): object => ({
  __typename: 'PullRequestReviewComment',
  id: nodeId('PRRC', comment.id),
  databaseId: int(comment.id),
  fullDatabaseId: String(comment.id),
  body: comment.body,
  diffHunk: comment.diff_hunk,
  createdAt: comment.created_at,
  author: () => userOfId(core, comment.author_id),
  replyTo: () =>
    found(submittedComments(core, comment.pull_id), comment.reply_to, each => commentObject(core, each)),
  pullRequestReview: () =>
    found(submittedReviews(core, comment.pull_id), comment.review_id, each => reviewObject(core, each)),
});

const reviewObject = (core: Core, review: Review): object => ({
  __typename: 'PullRequestReview',
  id: nodeId('PRR', review.id),
  databaseId: int(review.id),
  fullDatabaseId: String(review.id),
  state: review.state,
  body: review.body,
  submittedAt: review.submitted_at,
  author: () => userOfId(core, review.author_id),
  comments: listed('comments', () =>
    submittedComments(core, review.pull_id)
      .filter(({ review_id }) => review_id === review.id)
      .map(comment => commentObject(core, comment)),
  ),
});

function found<T extends { id: number }, Shown>(
  all: T[],
  id: number | null,
  show: (one: T) => Shown,
): Shown | null {
  const one = all.find(each => each.id === id);
  return one ? show(one) : null;
}
