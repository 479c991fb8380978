// Questions of a layer: to the person, who answers with `/answer`, or to a layer above it.
import { answerCame, decisionText, openQuestion, waitsForAnswers } from '../comments/question.ts';
import type { QuestionView } from '../comments/view.ts';
import { postQuestion, questionKey, takeAnswer } from '../scheduler/run-context.ts';
import { quoted, quoteForModel } from '../../engine/texts.ts';
import { type LayerId, layerName } from '../layers.ts';
import type { Config } from '../config/config.ts';
import type { Action } from './issue-plan.ts';
import type { CascadeContext } from './context.ts';

/** Replies of one layer that may ask layers above it in a run. */
export const MAX_LOOPBACKS = 2;
/** Questions to the person in one reply: each is a comment, and the layer waits until all are answered. */
const MAX_QUESTIONS = 5;

export interface Asked {
  action: Action;
  text: string;
  target: LayerId | 'ceo';
  /** The person's question. */
  question?: QuestionView;
  answer?: string;
}

/**
 * The questions among the actions of a reply; those to the person get their numbers. `rounds`: how often the layer has
 * asked those above it. Past MAX_LOOPBACKS its question to them is answered at once: it is to decide by itself. What
 * is asked after that, or past MAX_QUESTIONS, is dropped. In a dry run nobody is asked, and nothing is dropped.
 */
export function questionsIn(
  ctx: { config: Pick<Config, 'dry_run'> } & Pick<CascadeContext, 'view' | 'emit'>,
  layer: LayerId,
  actions: readonly Action[],
  rounds: number,
): { asked: Asked[]; dropped: Map<Action, string> } {
  const asked: Asked[] = [];
  const dropped = new Map<Action, string>();
  if (ctx.config.dry_run) return { asked, dropped };
  const from = `the ${layerName(layer)}`;
  const toPerson = (action: Action, text: string) => {
    if (asked.filter(({ target }) => target === 'ceo').length < MAX_QUESTIONS)
      asked.push({ action, text, target: 'ceo', question: openQuestion(ctx, from, text) });
    else dropped.set(action, `${from} may ask the person at most ${MAX_QUESTIONS} questions in one reply`);
  };
  for (const action of actions) {
    if (action.action === 'escalate') toPerson(action, decisionText(action.decision_needed, action.reason));
    else if (action.action === 'request_info') {
      const { question: text, target } = action;
      if (target === 'ceo') toPerson(action, text);
      else if (rounds < MAX_LOOPBACKS) asked.push({ action, text, target });
      else if (rounds === MAX_LOOPBACKS) asked.push({ action, text, target, answer: DECIDE });
      else dropped.set(action, `${from} was told to decide by itself`);
    }
  }
  return { asked, dropped };
}

const DECIDE = `Nobody answers any more: you have asked ${MAX_LOOPBACKS} times. Decide by yourself, and say what you decided.`;

/** Posts all questions, then waits until each has its answer. `who` waits for them. */
export async function askPerson(
  ctx: CascadeContext,
  questions: readonly QuestionView[],
  who: string,
): Promise<void> {
  await ctx.intend(questions.map(questionKey));
  for (const question of questions) await postQuestion(ctx, question, who);
  while (questions.some(({ answer }) => answer === undefined)) {
    ctx.emit(waitsForAnswers);
    await takeAnswer(ctx, await ctx.signal(['answer']));
  }
  answerCame(ctx);
}

/** The person's answer as a model reads it. */
export const answerOf = ({ question }: Pick<Asked, 'question'>): string =>
  quoteForModel(question?.answer ?? '').text;

/** Message for the asking layer in its own conversation. */
export function answersPrompt(asked: readonly Asked[]): string {
  const rows = asked.map(({ text, target, question, answer = '' }) => {
    const who = target === 'ceo' ? 'the person' : `the ${layerName(target)}`;
    const head = question ? `Your question ${question.id} to ${who}` : `Your question to ${who}`;
    return `${head}:\n${quoted(text)}\nAnswer:\n${quoted(answer) || 'Nothing in words: decide by yourself.'}`;
  });
  return `${rows.join('\n\n')}\n\nGo on with your work. The actions of your earlier replies stand: add only what is still missing.`;
}

/** Message for a layer above in its own conversation. */
export function askedPrompt(asker: LayerId, asked: readonly Asked[]): string {
  return `The ${layerName(asker)} asks you:\n\n${asked.map(({ text }) => quoted(text)).join('\n\n')}\n\nAnswer in prose, briefly and definitely; your reply goes back as it is. Your earlier actions stand.`;
}
