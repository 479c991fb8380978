// Effects of people's actions on the issues of a batch and on their pull requests: facts, and commands about one of them.
import type { SignalOf } from '../../commands/table.ts';
import {
  closedBefore,
  closedDuring,
  closedTooOften,
  givenBack,
  issueIsGone,
  openedAgain,
  takenTooOften,
} from '../../comments/issue-end.ts';
import { type BatchContext, type EngineerValues, type Slot, slotOf } from '../slots/context.ts';
import { move, nextAttempt, stopJob, withdrawQuestion } from '../slots/slot-changes.ts';
import { type FactValues, openFacts } from '../slots/facts.ts';
import { giveUp } from '../delivery/fail.ts';
import { takeChecks, takeReadReview, takeReady } from '../delivery/release-checks.ts';
import { takeCheckState, takeFix, takeReview, takeTell } from './round.ts';
import { takeConflict } from '../integration/integrate.ts';
import { openFinished } from './handle-report.ts';
import { goOnMerging, takeMergeCommand } from '../delivery/merge-pulls.ts';
import { takeUpBelow } from '../delivery/stacked.ts';
import { takeMerged, takePullClosed, takePullReopened, takePushed } from '../delivery/settle-pull.ts';

/** Signals that are taken at any time from the first issue on. */
export const openNames = ['fix', 'tell', 'checks', 'ready', 'merge', ...openFacts] as const;

export type OpenSignal = SignalOf<EngineerValues, (typeof openNames)[number]>;

export const isOpen = <Signal extends { name: string }>(
  signal: Signal,
): signal is Extract<Signal, OpenSignal> => openNames.some(name => name === signal.name);

/** An issue that was closed or taken so often is not worked again when it is opened or free (spec/scheduler.md). */
const MAX_TURNS = 3;

/** A place that a merge or a closing leaves is the next one's. A `/merge` that waits goes on by whatever comes. */
export async function takeOpen(ctx: BatchContext, signal: OpenSignal): Promise<void> {
  if (signal.name === 'place') ctx.place = true;
  else await take(ctx, signal);
  await goOnMerging(ctx, signal.at);
  await openFinished(ctx);
}

async function take(ctx: BatchContext, signal: Exclude<OpenSignal, { name: 'place' }>): Promise<void> {
  const { at } = signal;
  switch (signal.name) {
    case 'fix':
      return await takeFix(ctx, signal);
    case 'tell':
      return await takeTell(ctx, signal);
    case 'checks':
      return await takeChecks(ctx, signal);
    case 'ready':
    case 'merge':
      return await takeMergeCommand(ctx, signal);
    case 'review':
      takeReview(ctx, signal.value);
      return await takeReadReview(ctx, signal.value, at);
    case 'marked_ready':
      return await takeReady(ctx, signal.value.pull, at);
    case 'merged':
      return await takeMerged(ctx, signal.value, at);
    case 'pull_closed':
      return await takePullClosed(ctx, signal.value);
    case 'pull_reopened':
      return takePullReopened(ctx, signal.value);
    case 'pushed':
      return await takePushed(ctx, signal.value, at);
    case 'check_state':
      return await takeCheckState(ctx, signal.value);
    case 'conflict':
      return await takeConflict(ctx, signal.value);
    case 'issue_closed':
      return await takeIssueClosed(ctx, signal.value);
    case 'issue_reopened':
      return await takeIssueReopened(ctx, signal.value);
    case 'issue_gone':
      return await takeIssueGone(ctx, signal.value);
    case 'taken':
      return await takeTaken(ctx, signal.value);
    case 'given_back':
      return await takeGivenBack(ctx, signal.value, at);
  }
}

/** Nobody works any more on an issue that a person closes; what is delivered stays so. */
async function takeIssueClosed(ctx: BatchContext, { issue, by }: FactValues['issue_closed']): Promise<void> {
  const slot = slotOf(ctx, issue);
  if (slot) slot.shut = true;
  // Reopening does not bring back an issue that was withdrawn or has ended otherwise.
  if (slot?.state !== 'pending' && slot?.state !== 'running' && slot?.state !== 'stuck') return;
  slot.closed = (slot.closed ?? 0) + 1;
  if (slot.state === 'pending') return await giveUp(ctx, slot, 'cancelled', closedBefore);
  if (slot.round) return;
  await stopAttempt(ctx, slot, `issue/${issue}/closed-${slot.closed}`);
  await giveUp(ctx, slot, 'cancelled', closedDuring(by));
}

/** Its job ends at once, and what it asked is open no more. */
async function stopAttempt(ctx: BatchContext, slot: Slot, key: string): Promise<void> {
  const { op } = slot;
  if (op !== undefined) await stopJob(ctx, { key, op, issue: slot.issue.number });
  withdrawQuestion(ctx, slot);
}

/** A delivered issue stays delivered; any other is not worked any more. */
async function takeIssueGone(ctx: BatchContext, { issue }: FactValues['issue_gone']): Promise<void> {
  const slot = slotOf(ctx, issue);
  if (!slot) return;
  slot.gone = true;
  const isUnderWay = (slot.state === 'running' || slot.state === 'stuck') && !slot.round;
  if (isUnderWay) await stopAttempt(ctx, slot, `issue/${issue}/gone`);
  if (isUnderWay || slot.state === 'pending') await giveUp(ctx, slot, 'cancelled', issueIsGone);
}

async function takeIssueReopened(ctx: BatchContext, { issue }: FactValues['issue_reopened']): Promise<void> {
  const slot = slotOf(ctx, issue);
  delete slot?.shut;
  if (slot?.state !== 'cancelled' || slot.closed === undefined) return;
  if (slot.closed >= MAX_TURNS) return await giveUp(ctx, slot, 'blocked', closedTooOften);
  workAgain(ctx, slot, openedAgain);
}

function workAgain(ctx: BatchContext, slot: Slot, why: string): void {
  nextAttempt(slot);
  slot.tries = 1;
  move(ctx, slot, 'pending', why);
}

/** Work that has not begun is left to the person; a running attempt ends, and no other begins. */
async function takeTaken(ctx: BatchContext, { number, why }: FactValues['taken']): Promise<void> {
  const slot = slotOf(ctx, number);
  if (!slot) return;
  if (slot.view.pull === number) {
    slot.held = true;
    return;
  }
  slot.taken = why;
  if (slot.state === 'pending') await giveUp(ctx, slot, 'skipped', why);
}

async function takeGivenBack(
  ctx: BatchContext,
  { number }: FactValues['given_back'],
  at: number,
): Promise<void> {
  const slot = slotOf(ctx, number);
  if (!slot) return;
  if (slot.view.pull === number) {
    delete slot.held;
    if (slot.behind && !slot.round) await takeUpBelow(ctx, slot, at);
    return;
  }
  delete slot.taken;
  if (slot.state !== 'skipped' || slot.left === undefined) return;
  if (slot.left >= MAX_TURNS) return await giveUp(ctx, slot, 'blocked', takenTooOften);
  workAgain(ctx, slot, givenBack);
}
