// A job has reported: deliver what it made, try again, or end with the reason.
import { issueEndComment, retryReason } from '../comments/issue-end.ts';
import { noteSession } from '../comments/view.ts';
import { commentOnce } from '../github/once.ts';
import { type EngineerContext, type JobSignal, move, type Slot } from './context.ts';
import { deliver } from './deliver.ts';
import type { JobReport } from './job-spec.ts';
import { postQuestion } from './questions.ts';

/** Settles one report. A report of a job that no slot waits for any more changes nothing. */
export async function settle(
  ctx: EngineerContext,
  slots: readonly Slot[],
  { value: { op, report }, at }: JobSignal,
): Promise<void> {
  const slot = slots.find(each => each.op === op && (each.state === 'running' || each.state === 'stuck'));
  ctx.outstanding.delete(op);
  if (!slot) return;
  slot.view.cost_usd += report.cost_usd;
  slot.view.model_calls += report.model_calls;
  slot.view.rounds = report.rounds;
  slot.view.tests = report.tests && { command: report.tests.command, exit_code: report.tests.exit_code };
  ctx.view.cost_usd += report.cost_usd;
  for (const session of report.sessions) noteSession(ctx.view, session);
  ctx.emit({
    type: 'cost_update',
    of: `#${slot.issue.number}`,
    usd: report.cost_usd,
    total: ctx.view.cost_usd,
  });
  if (report.kind === 'failed') {
    if (report.class === 'time') move(ctx, slot, 'killed', 'the hard time limit has passed');
    await again(ctx, slot, report, retryReason(report.class, report.feedback));
    return;
  }
  if (report.kind === 'question') return await postQuestion(ctx, slot, report);
  move(ctx, slot, 'merging', 'the engineer succeeded with changes');
  const refused = await deliver(ctx, slot, slots, report, at);
  if (refused) await again(ctx, slot, report, refused);
}

async function again(ctx: EngineerContext, slot: Slot, report: JobReport, reason: string): Promise<void> {
  const kind = report.kind === 'failed' ? report.class : 'rejected';
  slot.failedWith = kind;
  // Whose share is used up goes on when there is money again; a provider that wants money wants it at every try.
  const unpaid = kind === 'budget';
  if (unpaid || (kind !== 'quota' && slot.tries <= ctx.settings.retries)) {
    move(ctx, slot, 'retrying', reason);
    slot.previous = reason;
    slot.attempt += 1;
    if (!unpaid) slot.tries += 1;
    delete slot.usedMs;
    move(ctx, slot, 'pending', `attempt ${slot.attempt} is next`);
    return;
  }
  move(ctx, slot, 'failed', reason);
  await commentOnce(ctx.step, ctx.github, {
    key: `issue/${slot.issue.number}/attempt-${slot.attempt}/told-failed`,
    issue: slot.issue.number,
    body: issueEndComment('failed', reason, report.kind === 'failed' ? report.log_tail : ''),
  });
}
