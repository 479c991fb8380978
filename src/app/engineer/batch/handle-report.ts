// A job has reported: deliver what it made, try again, or end with the reason.
import { attemptEnd, toldNext } from '../../comments/attempt-end.ts';
import { takeCheckState } from './round.ts';
import { issueIsShut } from '../../comments/issue-end.ts';
import { openQuestion } from '../../comments/question.ts';
import { postQuestion } from '../../scheduler/run-context.ts';
import { lastTree } from './start-attempt.ts';
import {
  type BatchContext,
  type JobSignal,
  type Reported,
  startedOf,
  type Undelivered,
} from '../slots/context.ts';
import { changeIssue, move, nextAttempt, showJudged, wait } from '../slots/slot-changes.ts';
import { deliver, deliverAgain, openFor, whyNoPlace } from '../delivery/deliver.ts';
import { type AttemptEnd, boardReason, failIssue } from '../delivery/fail.ts';
import { deliverRoundAgain, endRound } from '../delivery/end-round.ts';
import { takeIntegration } from '../integration/integrate.ts';

/** Handles one report. A report of a job that no slot waits for any more changes nothing. */
export async function handleReport(
  ctx: BatchContext,
  { value: { op, report }, at }: JobSignal,
): Promise<void> {
  const slot = ctx.slots.find(each => each.op === op && (each.state === 'running' || each.state === 'stuck'));
  ctx.outstanding.delete(op);
  if (op === ctx.together.job?.op) return takeIntegration(ctx, report);
  if (!slot || report.kind === 'integration') return;
  const { number: issue } = slot.issue;
  ctx.emit({ change: 'spent', usd: report.cost_usd, issue, model_calls: report.model_calls });
  changeIssue(ctx, slot, { ms: slot.view.ms + report.ms });
  // A round that a person requested counts for its issue, not for the time until all was delivered.
  const { from } = ctx.view.work ?? { from: at };
  if (!slot.round)
    ctx.emit({ change: 'run', to: { work: { from: Math.min(from, at - report.ms), to: at } } });
  for (const session of report.sessions) ctx.emit({ change: 'session ended', session });
  ctx.emit({
    type: 'cost_update',
    of: `#${issue}`,
    usd: report.cost_usd,
    total: ctx.view.cost_usd,
  });
  if (report.kind === 'bundle' && report.tests?.exit_code === 0) ctx.green.add(report.tests.tree);
  if (report.kind === 'question') {
    const question = openQuestion(ctx, `the engineer of #${issue}`, report.question);
    slot.asked.push(question);
    slot.asks = { question, op: startedOf(slot).op };
    slot.usedMs = (slot.usedMs ?? 0) + report.ms;
    await postQuestion(ctx, question, `The work on #${issue}`);
    return move(ctx, slot, 'stuck', `waits for the answer to ${question.id}`);
  }
  const { round } = slot;
  if (round) {
    await endRound(ctx, { slot, report, at });
    if (round.checked) await takeCheckState(ctx, round.checked);
    return;
  }
  showJudged(ctx, slot, report);
  if (report.kind === 'failed') {
    const end = { kind: report.class, detail: report.feedback };
    if (end.kind === 'time') move(ctx, slot, 'killed', attemptEnd(end.kind));
    return await again(ctx, { slot, report, at }, end);
  }
  move(ctx, slot, 'merging', 'the engineer succeeded with changes');
  await endDelivery(ctx, { slot, report, at }, await deliver(ctx, { slot, report, at }));
  await openFinished(ctx);
}

/** Ends that a person can remove without any change to the work: a rule or a setting of the repository. */
const refusals: ReadonlySet<string> = new Set(['push', 'pull', 'merge']);

/** Finished work that was refused before is delivered once more, after a person said /retry. No model is called. */
export async function handleUndelivered(ctx: BatchContext, finished: Undelivered): Promise<void> {
  const { round } = finished;
  if (round) await deliverRoundAgain(ctx, { ...finished, round });
  else await endDelivery(ctx, finished, await deliverAgain(ctx, finished));
  await openFinished(ctx);
}

/**
 * Opens the pull requests of finished work, as long as there is a place for the next one; that of a closed issue waits. A
 * branch that waits is enough for what depends on it to begin.
 */
export async function openFinished(ctx: BatchContext): Promise<void> {
  const { finished } = ctx;
  let waits: string | undefined;
  for (const next of [...finished]) {
    const { slot } = next;
    const why = slot.shut || slot.gone ? issueIsShut : (waits ??= await whyNoPlace(ctx, slot));
    if (why === undefined) {
      finished.splice(finished.indexOf(next), 1);
      await endDelivery(ctx, next, await openFor(ctx, next));
    } else if (slot.state === 'delivering') move(ctx, slot, 'done', why);
    else wait(ctx, slot, why);
  }
}

async function endDelivery(ctx: BatchContext, finished: Undelivered, end: AttemptEnd | undefined) {
  if (!end) return;
  const { slot } = finished;
  // Commits of a person on its branch stay in the way of this work: another attempt is as good.
  const isInTheWay = end.kind === 'push' && slot.pushed !== undefined;
  if (refusals.has(end.kind) && !isInTheWay) slot.undelivered ??= finished;
  await again(ctx, finished, end);
}

/** Ends that another try would only meet again. */
const final: ReadonlySet<string> = new Set(['quota', 'denied', 'model_failure', 'setup', ...refusals]);

/** The next attempt, as long as tries are left; else the issue has failed. */
async function again(ctx: BatchContext, reported: Reported, end: AttemptEnd): Promise<void> {
  const { slot } = reported;
  slot.failedWith = end.kind;
  slot.previous = toldNext(end.kind, end.detail);
  slot.lastTree = lastTree(reported);
  // It goes on by itself: when there is money again, or when its provider has been left alone for long enough.
  const isHeld = end.kind === 'budget' || end.kind === 'rate_limit';
  if (!isHeld && (final.has(end.kind) || slot.tries > ctx.config.retries))
    return await failIssue(ctx, reported, end);
  move(ctx, slot, 'retrying', boardReason(end, reported.report));
  nextAttempt(slot);
  if (!isHeld) slot.tries += 1;
  move(ctx, slot, 'pending', `attempt ${slot.attempt} is next`);
}
