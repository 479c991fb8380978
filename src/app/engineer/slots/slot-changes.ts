// Changes of a slot while its issue is worked, each shown in the view.
import { messageOf } from '@echelon/ground';
import type { ViewChange } from '../../comments/fold.ts';
import { moveSlot, type SlotState } from '../../scheduler/slots.ts';
import { guidanceText } from '../jobs/job-spec.ts';
import type { JobReport } from '../jobs/report-spec.ts';
import type { EngineerContext, Slot } from './context.ts';

/** The engineer begins once more. */
export function nextAttempt(slot: Slot): void {
  slot.attempt += 1;
  delete slot.usedMs;
  delete slot.undelivered;
  delete slot.refusals;
}

/** Withdraws its engineer's question: nobody continues with the answer. Its number is not reused. */
export function withdrawQuestion({ emit }: EngineerContext, slot: Slot): void {
  if (slot.asks) emit({ change: 'question', id: slot.asks.question.id, to: { withdrawn: true } });
  delete slot.asks;
}

/** Keeps why a slot is not begun for the board, and tells everyone where it is news. */
export function wait(ctx: EngineerContext, slot: Slot, reason: string): void {
  if (slot.view.reason === reason) return;
  changeIssue(ctx, slot, { reason });
  ctx.emit({ type: 'slot_waits', issue: slot.issue.number, reason });
}

/** Moves a slot through the table of states, tells everyone, and keeps the reason for the board. */
export function move(ctx: EngineerContext, slot: Slot, to: SlotState, reason: string): void {
  const from = slot.state;
  slot.state = moveSlot(from, to);
  changeIssue(ctx, slot, { reason });
  ctx.emit({ type: 'slot_changed', issue: slot.issue.number, from, to, reason });
}

/** Shows what of an attempt or a round was judged. */
export const showJudged = (ctx: EngineerContext, slot: Slot, { rounds, tests }: JobReport): void =>
  changeIssue(ctx, slot, {
    rounds,
    tests: tests && { command: tests.command, exit_code: tests.exit_code },
  });

/** Changes the issue in the view. */
export const changeIssue = (
  { emit }: Pick<EngineerContext, 'emit'>,
  { issue }: Slot,
  to: Extract<ViewChange, { change: 'issue' }>['to'],
): void => emit({ change: 'issue', issue: issue.number, to });

/** Has the job of a slot at work hear what people have said, as the step `key`. False: it hears nothing before it ends. */
export async function tellJob(
  { step, jobs }: Pick<EngineerContext, 'step' | 'jobs'>,
  slot: Slot,
  key: string,
): Promise<boolean> {
  const told = await step(key, async () => {
    if (!jobs.tell || slot.op === undefined) return false;
    return await jobs.tell(slot.op, guidanceText(slot)).then(() => true, messageOf);
  });
  return told === true;
}

/** Ends the job `op`, as the step `key`: what it had paid for counts all the same. Answers why it could not be ended. */
export async function stopJob(
  { step, jobs, emit, outstanding }: Pick<EngineerContext, 'step' | 'jobs' | 'emit' | 'outstanding'>,
  { key, op, issue }: { key: string; op: string; issue: number },
): Promise<string | undefined> {
  const stopped = await step(key, () => jobs.stop(op).catch(messageOf));
  // One that the run waits for no more has been counted.
  const counts = outstanding.delete(op);
  if (typeof stopped === 'string') return stopped;
  if (!counts) return undefined;
  const { cost_usd: usd, model_calls } = stopped;
  emit({ change: 'spent', usd, issue, model_calls });
  return undefined;
}
