// Whether the text of an issue is still what the person meant who put the label on.
import { changedAfterLabel } from '../comments/replies.ts';
import { TooLong } from '../github/pages.ts';
import type { Repository } from '../github/repository.ts';
import { suffices } from '../run/receive-signals.ts';

/**
 * Why a run must not begin with the present text; undefined where it may. Title and description as they stand now
 * count when whoever changed them since the label was put on may write, or put it on. GitHub dates the label and the
 * changes by the second, so a change within the label's second counts as later. The text must have been read before.
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
