// Comments of issues and pull requests, with every revision of their text, and reactions.
import { type Core, now } from '../core.ts';
import type { Act } from '../emit.ts';
import type { User } from '../apps/users.ts';

export interface Comment {
  id: number;
  issue_id: number;
  author_id: number;
  app_id: number | null;
  body: string;
  created_at: string;
  updated_at: string;
  edited_at: string | null;
  editor_id: number | null;
  minimized_reason: string | null;
}

export const findComment = (core: Core, id: number): Comment | undefined =>
  core.db.find<Comment>('comments', { id });

export const commentCount = (core: Core, issueId: number): number =>
  core.db.count('comments WHERE issue_id = ?', issueId);

export const commentsOf = (core: Core, issueId: number, limit: number, offset: number): Comment[] =>
  core.db.all<Comment>(
    'SELECT * FROM comments WHERE issue_id = ? ORDER BY id LIMIT ? OFFSET ?',
    issueId,
    limit,
    offset,
  );

export type EditedKind = 'comment' | 'issue';

/** One revision of a text: who wrote it, when, and the whole text as of then. */
interface Edit {
  id: number;
  editor_id: number;
  edited_at: string;
  body: string;
}

type Text = Pick<Comment, 'id' | 'author_id' | 'created_at'> & { body: string | null };

/** Keeps a revision, by now. The text first written is kept too, once there is a second one. */
export function recordEdit({ core, by }: Act, kind: EditedKind, before: Text, body: string | null): void {
  const subject = { kind, subject_id: before.id };
  const first = { editor_id: before.author_id, edited_at: before.created_at, body: before.body ?? '' };
  const next = { editor_id: by.user.id, edited_at: now(core), body: body ?? '' };
  const known = core.db.find('edits', subject);
  for (const edit of known ? [next] : [first, next]) core.db.insert('edits', { ...subject, ...edit });
}

/** All revisions, oldest first; none for a text that was never edited. */
export const editsOf = (core: Core, kind: EditedKind, subjectId: number): Edit[] =>
  core.db.rows<Edit>('edits', { kind, subject_id: subjectId });

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
