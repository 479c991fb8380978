// An engineer asks the person: the question on the directive, and the answer that lets the attempt go on.
import type { CommandSignal } from '../../commands/table.ts';
import { openQuestion, questionComment, whyNoAnswer } from '../../comments/question.ts';
import { tellDirective } from '../../scheduler/run-context.ts';
import { type EngineerContext, type Slot, startedOf } from './context.ts';
import { move } from './slot-changes.ts';
import type { JobReport } from '../jobs/report-spec.ts';

/** Posts what the engineer of a slot asks. Its job has ended; the attempt has not. */
export async function postQuestion(
  ctx: EngineerContext,
  slot: Slot,
  report: Extract<JobReport, { kind: 'question' }>,
): Promise<void> {
  const { number } = slot.issue;
  const question = openQuestion(ctx, `the engineer of #${number}`, report.question);
  slot.asked.push(question);
  slot.asks = { question, op: startedOf(slot).op };
  slot.usedMs = (slot.usedMs ?? 0) + report.ms;
  const { comment } = await tellDirective(ctx, {
    key: `question/${question.id}`,
    body: questionComment(question, `The work on #${number}`),
  });
  ctx.emit({ change: 'question', id: question.id, to: { comment } });
  ctx.emit({ type: 'question_asked', id: question.id, question: question.text });
  move(ctx, slot, 'stuck', `waits for the answer to ${question.id}`);
}

/** Books an answer; what does not fit is refused. */
export async function takeAnswer(ctx: EngineerContext, command: CommandSignal<'answer'>): Promise<void> {
  const given = command.value;
  const why = whyNoAnswer(ctx.view, given);
  if (why !== undefined) return await ctx.refuse(command, why);
  ctx.emit({ change: 'question', id: given.question, to: { answer: given.text } });
  await ctx.accept(command);
}
