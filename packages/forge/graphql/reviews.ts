// Reviews of a pull request as GraphQL shows them: the reviews, the threads on its lines, and who is asked for one.
import { type Core, nodeId } from '../core.ts';
import { reviewCommentJson, reviewJson } from '../pulls/pull-json.ts';
import {
  type Pull,
  requestedReviewers,
  type Review,
  type ReviewComment,
  reviewCommentsOf,
  reviewsOf,
} from '../pulls/pull-rows.ts';
import { atLeast, getRepository, roleOf } from '../repositories/repository-rows.ts';
import { findUser } from '../apps/users.ts';
import { userObject, userOfId } from './accounts.ts';
import { commitObject } from './commit.ts';
import { listed } from './connection.ts';
import { commentFields } from './thread.ts';

interface ReviewFilter {
  states?: string[] | null;
  author?: string | null;
}

/** Fields of a pull request that an issue lacks. */
export const reviewFields = (core: Core, pull: Pull) => ({
  reviews: listed('reviews', ({ states, author }: ReviewFilter) => {
    const by = typeof author === 'string' ? (findUser(core, author)?.id ?? 0) : undefined;
    return reviewsOf(core, pull.id)
      .filter(({ state }) => states?.includes(state) ?? true)
      .filter(({ author_id }) => by === undefined || author_id === by)
      .map(each => reviewObject(core, pull, each));
  }),
  latestReviews: listed('latestReviews', () =>
    latest(reviewsOf(core, pull.id)).map(each => reviewObject(core, pull, each)),
  ),
  latestOpinionatedReviews: listed('latestOpinionatedReviews', () =>
    opinions(core, pull).map(each => reviewObject(core, pull, each)),
  ),
  /** Of a branch without protection: what those who may write think; null where none of them said. */
  reviewDecision() {
    const repository = getRepository(core, pull.repository_id);
    const states = opinions(core, pull)
      .filter(({ author_id }) => atLeast(roleOf(core, repository, author_id), 'write'))
      .map(({ state }) => state);
    return ['CHANGES_REQUESTED', 'APPROVED'].find(state => states.some(each => each === state)) ?? null;
  },
  reviewThreads: listed('reviewThreads', () =>
    reviewCommentsOf(core, pull.id)
      .filter(({ reply_to }) => reply_to === null)
      .map(first => threadObject(core, pull, first)),
  ),
  reviewRequests: listed('reviewRequests', () =>
    requestedReviewers(core, pull.id).map(user => ({
      id: nodeId('RR', pull.id, user.id),
      requestedReviewer: userObject(core, user),
    })),
  ),
});

/** The last review of each author. */
const latest = (reviews: Review[]): Review[] => [
  ...new Map(reviews.map(review => [review.author_id, review])).values(),
];
const opinions = (core: Core, pull: Pull) =>
  latest(reviewsOf(core, pull.id).filter(({ state }) => state !== 'COMMENTED'));

/** A thread is known by its first comment. */
export const threadObject = (core: Core, pull: Pull, first: ReviewComment) => ({
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
    reviewCommentsOf(core, pull.id)
      .filter(({ id, reply_to }) => id === first.id || reply_to === first.id)
      .map(comment => lineCommentObject(core, pull, comment)),
  ),
});

function lineCommentObject(core: Core, pull: Pull, comment: ReviewComment): object {
  const repository = getRepository(core, pull.repository_id);
  return {
    ...commentFields(core, repository, 'review_comment', comment),
    __typename: 'PullRequestReviewComment',
    id: nodeId('PRRC', comment.id),
    path: comment.path,
    diffHunk: comment.diff_hunk,
    url: () => reviewCommentJson(core, repository, pull, comment).html_url,
    replyTo: () =>
      found(reviewCommentsOf(core, pull.id), comment.reply_to, each => lineCommentObject(core, pull, each)),
    pullRequestReview: () =>
      found(reviewsOf(core, pull.id), comment.review_id, each => reviewObject(core, pull, each)),
  };
}

export function reviewObject(core: Core, pull: Pull, review: Review): object {
  const repository = getRepository(core, pull.repository_id);
  const time = review.submitted_at ?? repository.created_at;
  return {
    ...commentFields(core, repository, null, { ...review, created_at: time, updated_at: time }),
    __typename: 'PullRequestReview',
    id: nodeId('PRR', review.id),
    state: review.state,
    url: () => reviewJson(core, repository, pull, review).html_url,
    submittedAt: review.submitted_at,
    commit: () => commitObject(core, repository, review.commit_id),
    comments: listed('comments', () =>
      reviewCommentsOf(core, pull.id)
        .filter(({ review_id }) => review_id === review.id)
        .map(comment => lineCommentObject(core, pull, comment)),
    ),
  };
}

function found<T extends { id: number }, Shown>(
  all: T[],
  id: number | null,
  show: (one: T) => Shown,
): Shown | null {
  const one = all.find(each => each.id === id);
  return one ? show(one) : null;
}
