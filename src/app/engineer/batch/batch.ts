// A batch of issues worked side by side: fill the free slots, wait for a report, handle it, fill again.
import { present } from '@echelon/ground';
import { type CommandValues, takeEffect } from '../../commands/table.ts';
import { answerCame, waitsForAnswers } from '../../comments/question.ts';
import { stoppedComment } from '../../comments/layer-reply.ts';
import { tooLittleLeft } from '../../comments/budget.ts';
import { goesOn, waitForBudget } from '../../comments/fold.ts';
import { admit } from '../../scheduler/admit.ts';
import { takeAnswer, tellDirective } from '../../scheduler/run-context.ts';
import { continueAttempt, startAttempt } from './start-attempt.ts';
import {
  type Batch,
  type BatchContext,
  type EngineerContext,
  jobSignalName,
  scheduled,
  type Slot,
  slotOf,
  slotSpokenOn,
} from '../slots/context.ts';
import { move, nextAttempt, wait } from '../slots/slot-changes.ts';
import { isOpen, openNames, takeOpen } from './take-fact.ts';
import { giveUp } from '../delivery/fail.ts';
import { integrate, lookAhead } from '../integration/integrate.ts';
import { handleReport, handleUndelivered } from './handle-report.ts';
import { startRound } from './round.ts';
import { wantsRound } from '../slots/fit.ts';
import { freeMoney, isWorking, nextShare } from '../slots/share.ts';

/** Nothing to work yet. */
export const openBatch = (ctx: EngineerContext): BatchContext => ({
  ...ctx,
  slots: [],
  opened: [],
  waits: 0,
  maxParallel: ctx.config.max_parallel,
  green: new Set(),
  together: { heads: '', looks: 0 },
  finished: [],
});

/** One slot more for each issue that is to be worked and has none; what was withdrawn before is not. */
export function addToBatch(batch: BatchContext, { issues, maxParallel: most, opened }: Batch): void {
  batch.opened = opened;
  const { view, config } = batch;
  const slots = issues.flatMap((issue): Slot[] => {
    const found = present(
      view.issues.find(each => each.number === issue.number),
      `#${issue.number}`,
    );
    if (slotOf(batch, issue.number) || found.state !== 'pending') return [];
    const slot = { attempt: 1, tries: 1, previous: null, lastTree: null, asked: [], rounds: 0, takenUp: 0 };
    return [{ issue, view: found, state: 'pending', ...slot }];
  });
  batch.slots.push(...slots);
  batch.maxParallel = Math.min(config.max_parallel, most ?? config.max_parallel);
}

/** `/retry`: failed and blocked issues, or the one that is named, wait for a slot again; refused work is delivered. Answers why not, else nothing. */
export function reopen(
  ctx: BatchContext,
  { issue: named, on }: Pick<CommandValues['retry'], 'issue' | 'on'>,
): string | undefined {
  const issue = named ?? slotSpokenOn(ctx, on)?.issue.number;
  const ended = ctx.slots.filter(
    slot =>
      (slot.state === 'failed' && slot.failedWith !== 'closed') ||
      slot.state === 'blocked' ||
      // A round on its pull request is finished, and GitHub refused it.
      (slot.state === 'done' && slot.undelivered !== undefined && !slot.held && !slot.view.merged),
  );
  const chosen = ended.filter(slot => issue === undefined || slot.issue.number === issue);
  if (chosen.length === 0)
    return issue === undefined
      ? 'no issue of this run has failed'
      : `#${issue} is no issue of this run that has failed`;
  tryAgain(ctx, chosen);
  return undefined;
}

function tryAgain(ctx: EngineerContext, slots: readonly Slot[]): void {
  for (const slot of slots) {
    if (slot.undelivered) {
      move(ctx, slot, 'merging', 'a person wants it delivered');
      continue;
    }
    nextAttempt(slot);
    slot.tries = 1;
    move(ctx, slot, 'pending', 'a person wants it tried again');
  }
}

/** `/budget` takes up what ended for want of money, and what that blocked; answers whether there was any. */
export function takeUpUnpaid(ctx: BatchContext): boolean {
  const { slots } = ctx;
  const unpaid = slots.filter(({ state, failedWith }) => state === 'failed' && failedWith === 'quota');
  if (unpaid.length > 0) tryAgain(ctx, [...unpaid, ...slots.filter(({ state }) => state === 'blocked')]);
  return unpaid.length > 0;
}

/** Works every issue to its end. Deterministic over the journal. */
export async function workBatch(ctx: BatchContext): Promise<void> {
  const { slots } = ctx;
  for (;;) {
    for (const slot of slots)
      if (slot.state === 'merging' && slot.undelivered) await handleUndelivered(ctx, slot.undelivered);
    if (slots.some(slot => isWorking(slot) || slot.state === 'pending')) await lookAhead(ctx);
    const paused = ctx.view.pausedBy !== undefined;
    const continued = paused ? nothing : await goOnWhereAsked(ctx);
    // An issue that waits for a person holds no slot, though the paths it may touch stay taken.
    const asking = slots.filter(({ asks }) => asks).length;
    const decision = admit(slots.map(scheduled), ctx.maxParallel + asking, ctx.config.overlap);
    for (const { number, reason } of decision.blocked)
      await giveUp(ctx, known(ctx, number), 'blocked', reason);
    if (decision.blocked.length > 0) continue;
    for (const { number, reason } of decision.waiting) wait(ctx, known(ctx, number), reason);
    const started = paused ? nothing : await startAdmitted(ctx, decision.start);
    if (started.gaveUp) continue;
    const short = continued.short || started.short;
    const active = slots.some(isWorking);
    const held = paused && (decision.start.length > 0 || slots.some(wantsRound));
    if (!active && !short && asking === 0 && !held) {
      if (!(await integrate(ctx))) return;
      if (slots.some(wantsRound)) continue;
    }
    if (short && !active) await sayShort(ctx);
    else if (!active && asking > 0) ctx.emit(waitsForAnswers);
    await takeSignal(ctx);
  }
}

/** A paused run starts nothing. */
const nothing = { short: false, gaveUp: false };

/**
 * Goes on with what a person has answered, and begins the rounds that people want, as slots are free. `short`: more
 * could, and the money for it is not there.
 */
async function goOnWhereAsked(ctx: BatchContext): Promise<{ short: boolean }> {
  let short = false;
  for (const slot of ctx.slots.filter(each => isAnswered(each) || wantsRound(each))) {
    if (ctx.slots.filter(isWorking).length >= ctx.maxParallel) break;
    const share = nextShare(ctx);
    if (share === undefined) short = true;
    else if (isAnswered(slot)) await continueAttempt(ctx, slot, share);
    else await startRound(ctx, slot, share);
  }
  return { short };
}

/** `short`: the money for one of them is not there. `gaveUp`: one has ended without work, which may change the others. */
async function startAdmitted(
  ctx: BatchContext,
  numbers: readonly number[],
): Promise<{ short: boolean; gaveUp: boolean }> {
  let short = false;
  let gaveUp = false;
  for (const number of numbers) {
    const slot = known(ctx, number);
    const share = nextShare(ctx);
    if (share === undefined) {
      short = true;
      wait(ctx, slot, 'waits for money: /budget');
      continue;
    }
    const started = await startAttempt(ctx, slot, share);
    if (started.kind === 'started') continue;
    await giveUp(ctx, slot, started.kind, started.reason);
    gaveUp = true;
  }
  return { short, gaveUp };
}

/** Waits for a job's report or a person's command, and does what comes of it. */
async function takeSignal(ctx: BatchContext): Promise<void> {
  const signal = await ctx.signal([jobSignalName, 'budget', 'answer', 'retry', 'resume', ...openNames]);
  answerCame(ctx);
  if (signal.name === jobSignalName) return await handleReport(ctx, signal);
  if (isOpen(signal)) return await takeOpen(ctx, signal);
  if (signal.name === 'answer') return await takeAnswer(ctx, signal);
  const why = signal.name === 'retry' ? reopen(ctx, signal.value) : takeEffect(ctx, signal);
  if (why !== undefined) return await ctx.refuse(signal, why);
  if (signal.name === 'budget') takeUpUnpaid(ctx);
  await ctx.accept(signal);
  if (signal.name === 'budget' && ctx.view.waitingFor === 'budget') ctx.emit(goesOn);
}

/** The run waits for money; said once, on the directive: an edited board notifies nobody. */
async function sayShort(ctx: BatchContext): Promise<void> {
  const { view } = ctx;
  if (view.waitingFor === 'budget') return;
  ctx.waits += 1;
  const note = waitForBudget(ctx, tooLittleLeft(freeMoney(ctx), view.budget_usd, ctx.settings.leastUsd));
  await tellDirective(ctx, { key: `batch/budget-${ctx.waits}`, body: stoppedComment(note) });
}

const isAnswered = ({ asks }: Slot) => asks?.question.answer !== undefined;

const known = (ctx: BatchContext, number: number) => present(slotOf(ctx, number), `the slot of #${number}`);
