// Handles people's actions on a delivered pull request: merged, closed, reopened, pushed to.
import { mergedBy, pullClosedBy, pullOpenedAgain } from '../../comments/round.ts';
import { type BatchContext, type Slot, slotOf, startedOf, stepsOf } from '../slots/context.ts';
import { changeIssue, move, stopJob, withdrawQuestion } from '../slots/slot-changes.ts';
import type { FactValues } from '../slots/facts.ts';
import { takePushedHead } from './release-checks.ts';
import { carryUp, moveDown } from './stacked.ts';

/** Its issue is done for good; what stands on it goes to where it was merged. */
export async function takeMerged(
  ctx: BatchContext,
  { pull, by }: FactValues['merged'],
  /** Time at which it was read (milliseconds since the epoch). */
  at: number,
): Promise<void> {
  const slot = slotOf(ctx, pull);
  if (!slot || slot.view.merged) return;
  await stopRound(ctx, slot);
  delete slot.wants;
  changeIssue(ctx, slot, { merged: true });
  if (slot.state !== 'done') move(ctx, slot, 'done', mergedBy(by));
  else changeIssue(ctx, slot, { reason: mergedBy(by) });
  await moveDown(ctx, slot, at);
}

/** Closed without being merged: the issue is not delivered, and stays so until a person opens it again. */
export async function takePullClosed(
  ctx: BatchContext,
  { pull, by }: FactValues['pull_closed'],
): Promise<void> {
  const slot = slotOf(ctx, pull);
  if (!slot || slot.view.merged || slot.state === 'failed') return;
  await stopRound(ctx, slot);
  delete slot.wants;
  slot.failedWith = 'closed';
  move(ctx, slot, 'failed', pullClosedBy(by));
}

export function takePullReopened(ctx: BatchContext, { pull }: FactValues['pull_reopened']): void {
  const slot = slotOf(ctx, pull);
  if (slot?.state !== 'failed' || slot.failedWith !== 'closed') return;
  delete slot.failedWith;
  move(ctx, slot, 'done', pullOpenedAgain);
}

/** Somebody pushed to its branch: that is kept, and what stands on it takes it up. */
export async function takePushed(
  ctx: BatchContext,
  { pull, head }: FactValues['pushed'],
  at: number,
): Promise<void> {
  const slot = slotOf(ctx, pull);
  if (!slot?.delivered || slot.delivered.commit === head) return;
  slot.delivered = { ...slot.delivered, commit: head };
  slot.theirs = head;
  await takePushedHead(ctx, slot);
  await carryUp(ctx, slot, at);
}

/** A round that is under way ends at once; what it asked is open no more. */
async function stopRound(ctx: BatchContext, slot: Slot): Promise<void> {
  if (!slot.round) return;
  const { op } = startedOf(slot);
  await stopJob(ctx, { key: `${stepsOf(slot)}/stopped`, op, issue: slot.issue.number });
  withdrawQuestion(ctx, slot);
  delete slot.round;
  delete slot.usedMs;
}
