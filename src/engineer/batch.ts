// A batch of issues worked side by side: fill the free slots, wait for a report, settle it, fill again.
import { issueEndComment } from '../comments/issue-end.ts';
import { commentOnce } from '../github/once.ts';
import { admit } from '../scheduler/admit.ts';
import { activeStates } from '../scheduler/slots.ts';
import { startAttempt } from './attempt.ts';
import { type Batch, type EngineerContext, jobSignalName, move, scheduled, type Slot } from './context.ts';
import { settle } from './settle.ts';

/** Works every issue of the batch to its end. Deterministic over the journal. */
export async function workBatch(ctx: EngineerContext, batch: Batch): Promise<void> {
  const maxParallel = Math.min(ctx.settings.maxParallel, batch.maxParallel ?? ctx.settings.maxParallel);
  const slots = batch.issues.map((issue): Slot => {
    const view = ctx.view.issues.find(each => each.number === issue.number)!;
    return { issue, view, state: 'pending', attempt: 1, previous: null };
  });
  for (;;) {
    const decision = admit(slots.map(scheduled), maxParallel);
    for (const { number, reason } of decision.blocked)
      await giveUp(ctx, find(slots, number), 'blocked', reason);
    if (decision.blocked.length > 0) continue;
    for (const { number, reason } of decision.waiting) find(slots, number).view.reason = reason;
    let changed = false;
    for (const number of decision.start) {
      const slot = find(slots, number);
      const started = await startAttempt(ctx, slot, slots);
      if (started.kind === 'started') continue;
      await giveUp(ctx, slot, started.kind, started.reason);
      changed = true;
    }
    if (changed) continue;
    if (!slots.some(slot => activeStates.has(slot.state))) return;
    await settle(ctx, slots, await ctx.signal([jobSignalName]));
  }
}

const find = (slots: readonly Slot[], number: number) => slots.find(slot => slot.issue.number === number)!;

/** An end without work: the issue is told why. */
async function giveUp(
  ctx: EngineerContext,
  slot: Slot,
  to: 'blocked' | 'skipped' | 'cancelled',
  reason: string,
) {
  move(ctx, slot, to, reason);
  await commentOnce(ctx.step, ctx.github, {
    key: `issue/${slot.issue.number}/told-${to}-${slot.attempt}`,
    issue: slot.issue.number,
    body: issueEndComment(to, reason),
  });
}
