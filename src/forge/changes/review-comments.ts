// What happens to comments on lines once they are said.
import { type Core, now } from '../core.ts';
import { reviewCommentJson, simplePull } from '../render/pull.ts';
import { getPull, type ReviewComment } from '../store/pulls.ts';
import { getRepository } from '../store/repositories.ts';
import { type By, emit } from './emit.ts';
import { recordMentions } from './history.ts';
import { findReviewComment, issueOfReview } from './reviews.ts';
import { present } from '../../lib/present.ts';

function tell(
  core: Core,
  by: By,
  comment: ReviewComment,
  action: string,
  part: Record<string, unknown> = {},
): void {
  const issue = issueOfReview(core, comment);
  const repository = getRepository(core, issue.repository_id);
  const pull = getPull(core, issue.id);
  emit(core, by, repository, 'pull_request_review_comment', action, core => ({
    ...part,
    comment: reviewCommentJson(core, repository, pull, comment),
    pull_request: simplePull(core, repository, issue),
  }));
}

/** Sets the text. The same text again is no edit. */
export function editReviewComment(core: Core, by: By, comment: ReviewComment, body: string): ReviewComment {
  if (body === comment.body) return comment;
  core.db.update('review_comments', comment.id, { body, updated_at: now(core) });
  const edited = present(findReviewComment(core, comment.id), 'the comment');
  recordMentions(core, by, issueOfReview(core, edited), body);
  tell(core, by, edited, 'edited', { changes: { body: { from: comment.body } } });
  return edited;
}

/** Takes it away. Its thread goes on with the oldest of its replies. */
export function deleteReviewComment(core: Core, by: By, comment: ReviewComment): void {
  tell(core, by, comment, 'deleted');
  const heir = core.db.one<ReviewComment>(
    'SELECT * FROM review_comments WHERE reply_to = ? ORDER BY id LIMIT 1',
    comment.id,
  );
  if (heir) {
    core.db.update('review_comments', heir.id, { reply_to: null, resolved_by: comment.resolved_by });
    core.db.run('UPDATE review_comments SET reply_to = ? WHERE reply_to = ?', heir.id, comment.id);
  }
  core.db.run("DELETE FROM reactions WHERE kind = 'review_comment' AND subject_id = ?", comment.id);
  core.db.run('DELETE FROM review_comments WHERE id = ?', comment.id);
}
