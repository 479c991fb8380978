// Reactions on issues and comments.
import type { Core } from '../core.ts';
import type { User } from './users.ts';

export const contents = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;
export type ReactionKind = 'issue' | 'comment' | 'review_comment';

export interface Reaction {
  id: number;
  kind: ReactionKind;
  subject_id: number;
  user_id: number;
  content: (typeof contents)[number];
  created_at: string;
}

/** Content -> how often, for the contents that occur. */
export function reactionCounts(core: Core, kind: ReactionKind, subjectId: number): Record<string, number> {
  const rows = core.db.all<{ content: string; n: number }>(
    'SELECT content, count(*) AS n FROM reactions WHERE kind = ? AND subject_id = ? GROUP BY content',
    kind,
    subjectId,
  );
  return Object.fromEntries(rows.map(row => [row.content, row.n]));
}

/** Those who reacted so, in the order they did. */
export const reactorsOf = (
  core: Core,
  kind: ReactionKind,
  subjectId: number,
  content: Reaction['content'],
): User[] =>
  core.db.all<User>(
    `SELECT u.* FROM reactions r JOIN users u ON u.id = r.user_id
     WHERE r.kind = ? AND r.subject_id = ? AND r.content = ? ORDER BY r.id`,
    kind,
    subjectId,
    content,
  );
