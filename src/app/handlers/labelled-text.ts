// Checks that an issue's text is still the one that was labelled, and whether somebody with the right
// wants a dry run.
import { changedAfterLabel } from '../comments/replies.ts';
import { TooLong } from '../github/pages.ts';
import type { Repository } from '../github/repository.ts';
import { spokenIn, suffices } from '../run/receive-signals.ts';
import { runOfBoard } from '../comments/record.ts';
import type { Thread } from '../github/thread.ts';

/**
 * Returns the reason that a run must not begin with the present text, otherwise undefined. The text counts if everyone
 * who changed the title or the description since the label was added has write access, or added the label. GitHub
 * dates the label and the changes by the second, so a change within the label's second counts as later. The text must
 * have been read before.
 */
export async function whyNotThisText(
  github: Pick<Repository, 'editsSince' | 'permission'>,
  issue: number,
  { by, at }: { by: string; at: number },
): Promise<string | undefined> {
  const mayWrite = new Set([by]);
  try {
    for (const edit of await github.editsSince(issue, at)) {
      if (mayWrite.has(edit.by)) continue;
      // Nobody can be asked for the rights of an account that is gone.
      if (edit.by === 'ghost' || !suffices(await github.permission(edit.by), 'write'))
        return changedAfterLabel(edit);
      mayWrite.add(edit.by);
    }
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return `${error.message}, so nobody can tell who changed the text since the label was put on. Open a new issue`;
  }
  return undefined;
}

/**
 * `/dry-run` counts for one run: that of the label (`at`, milliseconds since the epoch) after it, unless another
 * one began since. Nobody's rights are asked for where nobody says it.
 */
export async function askedDry(
  github: Pick<Repository, 'bot' | 'permission'>,
  thread: Thread,
  at: number,
): Promise<boolean> {
  const board = thread.comments.findLast(
    ({ author, body }) => author === github.bot && runOfBoard(body) !== undefined,
  );
  for (const comment of spokenIn(thread, board?.id ?? 0)) {
    // GitHub dates both by the second.
    if (comment.createdAt > at || !comment.commands.some(({ name }) => name === 'dry-run')) continue;
    if (suffices(await github.permission(comment.author), 'write')) return true;
  }
  return false;
}
