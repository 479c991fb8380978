// Questions to the person: numbered over the run, each in a comment of its own, open until `/answer`.
import { code, clip, neutral } from './neutral.ts';
import { type Shown, waitsFor } from './fold.ts';
import type { QuestionView, RunView } from './view.ts';

/** Numbers the question and adds it to the view. */
export function openQuestion({ view, emit }: Shown, from: string, text: string): QuestionView {
  const question: QuestionView = { id: `Q${view.questions.length + 1}`, from, text };
  emit({ change: 'question opened', question });
  return question;
}

export const openQuestions = ({ questions }: Pick<RunView, 'questions'>): QuestionView[] =>
  questions.filter(({ answer, withdrawn }) => answer === undefined && !withdrawn);

/** Values of `/answer`, from the entry point. */
export interface GivenAnswer {
  question: string;
  text: string;
  comment: number;
}

/** Reason for refusing an answer, in one sentence; undefined if it fits. */
export function whyNoAnswer(view: RunView, { question: id, comment }: GivenAnswer): string | undefined {
  const question = view.questions.find(each => each.id === id);
  const open = openQuestions(view).map(each => each.id);
  const what = open.length > 0 ? `what is open: ${open.join(', ')}` : 'no question is open now';
  if (!question) return `there is no question ${id}; ${what}`;
  if (question.withdrawn) return `${id} was withdrawn: nobody waits for the answer any more; ${what}`;
  if (question.answer !== undefined) return `${id} was answered before; ${what}`;
  if (question.comment !== undefined && comment < question.comment)
    return `your comment is older than the question ${id}`;
  return undefined;
}

/** Beginning of the question's comment. */
export const questionHead = (id: string) => `### ${id}: a question from `;

/** The question's comment. `waits`: what does not go on without the answer. */
export function questionComment({ id, from, text }: QuestionView, waits: string): string {
  // Behind a mark in every line, so that none passes for a word of ours. A tab would be narrower there, and what is
  // code no code.
  const marked = clip(neutral(text.replaceAll('\t', '    ')), 20_000).replace(/^/gm, '> ');
  return [
    `${questionHead(id)}${from}`,
    marked,
    `Answer with ${code(`/answer ${id} your answer`)} in one line; write access is needed. ${waits} waits for it.`,
  ].join('\n\n');
}

/** Waiting text of a layer that asks one above it, which it may do in `most` of its replies. */
export const layersAnswer = (above: string, reply: number, most: number) =>
  `the ${above}'s answer (question ${reply} of ${most})`;

/** The text of a question that asks for a decision. */
export const decisionText = (needed: string, reason: string) => `${needed}\n\nWhy: ${reason}`;

/** The run waits for answers, and nothing else of it goes on. */
export const waitsForAnswers = waitsFor('question');

/** An answer arrived, so the run may continue. */
export function answerCame({ view, emit }: Shown): void {
  if (view.waitingFor === 'question')
    emit({ change: 'run', to: { status: 'running', waitingFor: undefined } });
}
