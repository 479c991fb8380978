// The texts that can be hidden: a comment, a review, and a review comment.
import { type Core, idOfNode } from '../core.ts';
import { unknownNode } from './nodes.ts';

const kinds = [
  ['IC', 'IssueComment', 'comments', 'JOIN issues AS it ON it.id = hideable.issue_id'],
  ['PRRC', 'PullRequestReviewComment', 'review_comments', 'JOIN pulls AS it ON it.id = hideable.pull_id'],
  ['PRR', 'PullRequestReview', 'reviews', 'JOIN pulls AS it ON it.id = hideable.pull_id'],
] as const;

/** Table and row that it is kept in. Throws where the id names none. */
export function hideable(core: Core, node: string) {
  for (const [kind, type, table, on] of kinds) {
    const sql = `SELECT hideable.id, it.repository_id FROM ${table} AS hideable ${on} WHERE hideable.id = ?`;
    const found = core.db.one<{ id: number; repository_id: number }>(sql, idOfNode(kind, node));
    if (found) return { ...found, table, type };
  }
  throw unknownNode(node);
}
