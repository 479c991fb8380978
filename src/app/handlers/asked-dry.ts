// Whether somebody who may wants the run that begins now to be a dry run.
import { runOfBoard } from '../comments/record.ts';
import type { Repository } from '../github/repository.ts';
import type { Thread } from '../github/thread.ts';
import { commandsIn, spokenIn, suffices } from '../run/receive-signals.ts';

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
    if (comment.createdAt > at || !commandsIn(comment).some(({ name }) => name === 'dry-run')) continue;
    if (suffices(await github.permission(comment.author), 'write')) return true;
  }
  return false;
}
