// What can be hidden: a comment, a review, and a comment of one.
import { findReviewComment } from '../changes/reviews.ts';
import { type Core, idOfNode } from '../core.ts';
import { findComment } from '../store/comments.ts';
import { getIssue } from '../store/issues.ts';
import type { Pull, Review, ReviewComment } from '../store/pulls.ts';
import { unknownNode } from './nodes.ts';
import { lineCommentObject, reviewObject } from './reviews.ts';
import { commentObject } from './thread.ts';

/** `shown`: as GraphQL shows it, once it is hidden for this reason. Throws where the id names none. */
export function hideable(core: Core, node: string) {
  const comment = findComment(core, idOfNode('IC', node));
  if (comment) {
    const { id, issue_id } = comment;
    const shown = (minimized_reason: string): object => commentObject(core, { ...comment, minimized_reason });
    return { table: 'comments', id, repository_id: getIssue(core, issue_id).repository_id, shown };
  }
  const line = findReviewComment(core, idOfNode('PRRC', node));
  if (line) return onPull(core, 'review_comments', line, lineCommentObject);
  const review = core.db.one<Review>('SELECT * FROM reviews WHERE id = ?', idOfNode('PRR', node));
  if (!review) throw unknownNode(node);
  return onPull(core, 'reviews', review, reviewObject);
}

function onPull<T extends Review | ReviewComment>(
  core: Core,
  table: string,
  row: T,
  show: (core: Core, pull: Pull, row: T) => object,
) {
  const pull = core.db.the<Pull>('SELECT * FROM pulls WHERE id = ?', row.pull_id);
  const shown = (minimized_reason: string) => show(core, pull, { ...row, minimized_reason });
  return { table, id: row.id, repository_id: pull.repository_id, shown };
}
