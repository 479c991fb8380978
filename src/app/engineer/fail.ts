// An issue has failed for good: its last change is kept on a branch, and the issue is told what failed.
import { shortReason } from '../comments/attempt-end.ts';
import { type IssueFailed, issueFailedComment, type Kept } from '../comments/issue-end.ts';
import { commentOnce } from '../github/once.ts';
import { firstFailure } from '../../engine/language/trim.ts';
import { unfinishedBranchName } from '../scheduler/branches.ts';
import { type EngineerContext, move, type Reported, stepsOf } from './context.ts';
import type { JobReport } from './job-spec.ts';
import { commitBundle, pushBranch } from './push.ts';
import { showTests } from './show-tests.ts';

/** How an attempt ended: the class of its end (see attempt-end.ts), and what was said of it. */
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
  const kept = await keepLastChange(ctx, reported, end);
  if (kept && 'branch' in kept) slot.view.kept = kept.branch;
  else delete slot.view.kept;
  move(ctx, slot, 'failed', boardReason(end, report));
  const { number } = slot.issue;
  const log = logOf(report);
  const said: IssueFailed = {
    ...end,
    issue: number,
    directive: ctx.view.issue,
    tests: report.tests,
    failure: firstFailure(log),
    log,
    attempts: slot.attempt,
    rounds: report.rounds,
    cost_usd: slot.view.cost_usd,
    engine: report.engine,
    kept,
  };
  await commentOnce(ctx.step, ctx.github, {
    key: `${stepsOf(slot)}/told-failed`,
    issue: number,
    body: issueFailedComment(said),
  });
}

/** What the last attempt left behind, under the same checks as what is delivered; no pull request is opened. */
async function keepLastChange(
  ctx: EngineerContext,
  { slot, report, at }: Reported,
  end: AttemptEnd,
): Promise<Kept> {
  const unmerged = end.kind === 'merge' || end.kind === 'conflict';
  if (unmerged && slot.pushed !== undefined && slot.view.branch) return { branch: slot.view.branch };
  if (!(report.kind === 'failed' ? report.partial : unmerged)) return null;
  const made = await commitBundle(ctx, slot, at);
  if ('refused' in made) return made;
  const { number, title } = slot.issue;
  const branch = unfinishedBranchName(ctx.view.run, number, title, slot.attempt);
  const key = `${stepsOf(slot)}/push-unfinished`;
  const pushed = await pushBranch(ctx, slot, { key, name: branch, commit: made.commit }, at);
  if ('refused' in pushed) return pushed;
  await showTests(ctx, slot, report, made);
  return { branch };
}
