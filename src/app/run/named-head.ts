// Which commit of a record's branch the bot named last in a run comment: no branch that is older than that counts.
import { type HeadMark, headMarkOf } from '../comments/record.ts';
import type { Repository } from '../github/repository.ts';
import type { Comment, Thread } from '../github/thread.ts';

export interface NamedHead extends HeadMark {
  comment: number;
  /** The board above it; empty where somebody else edited it. */
  board: string;
}

/** The newest head that the bot named on the issue, whatever somebody else made of its comment. */
export async function namedHead(
  { comments, hasRecordBranch }: Thread,
  github: Repository,
): Promise<NamedHead | undefined> {
  let newest: NamedHead | undefined;
  for (const comment of comments) {
    if (comment.author !== github.bot) continue;
    const isEdited = comment.editedBy !== null && comment.editedBy !== github.bot;
    // Without a branch it is not worth a call: there is nothing that could be older than what was named.
    if (isEdited && !hasRecordBranch) continue;
    for (const body of isEdited ? await ownTexts(comment, github) : [comment.body]) {
      const mark = headMarkOf(body);
      if (!mark || (newest && mark.commit < newest.commit)) continue;
      newest = { ...mark, comment: comment.id, board: isEdited ? '' : mark.board };
    }
  }
  return newest;
}

const ownTexts = async (comment: Comment, github: Repository): Promise<string[]> =>
  (await github.revisions(comment)).filter(({ editor }) => editor === github.bot).map(({ body }) => body);
