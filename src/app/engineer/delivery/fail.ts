// An issue has failed for good: its last change is kept on a branch, and the issue is told what failed; or it ends
// without work, and is told why.
import { shortReason } from '../../comments/attempt-end.ts';
import { issueEndComment, issueFailedComment, keptUntil } from '../../comments/issue-end.ts';
import { commentOnce } from '../../github/once.ts';
import { firstFailure } from '../../../engine/texts.ts';
import { type EngineerContext, type Reported, type Slot, stepsOf } from '../slots/context.ts';
import { changeIssue, move } from '../slots/slot-changes.ts';
import type { JobReport } from '../jobs/report-spec.ts';
import { testsFailingIn } from '../jobs/test-outcome.ts';
import { keepLastChange } from './unfinished.ts';

/** End of an attempt: its class (see attempt-end.ts) and its message. */
export interface AttemptEnd {
  kind: string;
  detail: string;
}

/** A line for the board: why the attempt with this report ended. */
export const boardReason = ({ kind, detail }: AttemptEnd, report: JobReport): string =>
  shortReason(kind, detail, report.tests, firstFailure(logOf(report)));

const logOf = (report: JobReport) => (report.kind === 'failed' ? report.log_tail : '');

/** Ends the slot as failed. */
export async function failIssue(ctx: EngineerContext, reported: Reported, end: AttemptEnd): Promise<void> {
  const { slot, report } = reported;
  const log = logOf(report);
  const said = {
    ...end,
    issue: slot.issue.number,
    directive: ctx.view.issue,
    tests: report.tests,
    failing: testsFailingIn(log),
    failure: firstFailure(log),
    log,
    attempts: slot.attempt,
    rounds: report.rounds,
    cost_usd: slot.view.cost_usd,
    engine: report.engine,
    finished: slot.undelivered !== undefined,
  };
  const kept = await keepLastChange(ctx, reported, said);
  changeIssue(ctx, slot, { kept: kept && 'branch' in kept ? kept.branch : undefined });
  move(ctx, slot, 'failed', `${boardReason(end, report)}${keptUntil(kept)}`);
  await commentOnce(ctx.step, ctx.github, {
    key: `${stepsOf(slot)}/told-failed`,
    issue: said.issue,
    body: issueFailedComment({ ...said, kept }),
  });
}

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
