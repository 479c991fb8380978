// An end without work: the slot moves to it, and the issue is told why.
import { issueEndComment } from '../../comments/issue-end.ts';
import { commentOnce } from '../../github/once.ts';
import { type EngineerContext, move, type Slot } from './context.ts';

export async function giveUp(
  ctx: EngineerContext,
  slot: Slot,
  to: 'blocked' | 'skipped' | 'cancelled',
  reason: string,
): Promise<void> {
  move(ctx, slot, to, reason);
  if (to === 'skipped') slot.left = (slot.left ?? 0) + 1;
  await commentOnce(ctx.step, ctx.github, {
    key: `issue/${slot.issue.number}/told-${to}-${slot.attempt}`,
    issue: slot.issue.number,
    body: issueEndComment(to, reason),
  });
}
