// The context that a run shares with its modules: durable functions, view and repository; and comments on the directive.
import type { Step } from '@echelon/ground/journal';
import type { CommandOrigin } from '../commands/command.ts';
import type { CommandSignal, CommandValues, Earlier, Signal } from '../commands/table.ts';
import type { Shown } from '../comments/fold.ts';
import { questionComment, whyNoAnswer } from '../comments/question.ts';
import type { QuestionView, RunView } from '../comments/view.ts';
import { operationKey, commentOnce } from '../github/once.ts';
import type { Config } from '../config/config.ts';
import type { Repository } from '../github/repository.ts';
import { withReplies } from '../comments/layer-reply.ts';

/** Data of a command that came as a signal, for its answer. */
interface AnsweredCommand {
  id: string;
  name: string;
  value: CommandOrigin;
}

/** `Values`: by name, what the signals carry that the room may wait for. */
export interface RunContext<Values extends CommandValues = CommandValues> extends Shown {
  /** As it was when the run began. */
  config: Config;
  step: Step;
  signal: Signal<Values>;
  earlier: Earlier<Values>;
  /** Journals the intents of effects that are about to be made one after another, in one write. */
  intend(keys: readonly string[]): Promise<void>;
  /** Answers the comment a command came in with a rocket. */
  accept(command: AnsweredCommand): Promise<void>;
  /** Answers it with one sentence why it was not followed. */
  refuse(command: AnsweredCommand, why: string): Promise<void>;
  github: Repository;
}

/** Operation key of the step `key` of a run. */
export const operationOf = (
  { github, view }: { github: Pick<Repository, 'id'>; view: Pick<RunView, 'issue' | 'run'> },
  key: string,
): string => operationKey({ repository: github.id, issue: view.issue, run: view.run }, key);

/**
 * Posts it as the step `key`; answers its database id. Layers get no comments of their own: each would notify everyone
 * who watches the issue, and asks nothing of anyone.
 */
export async function tellDirective(
  { step, github, view, emit }: Pick<RunContext, 'step' | 'github' | 'view' | 'emit'>,
  { key, body }: { key: string; body: string },
): Promise<{ comment: number }> {
  const told = await commentOnce(step, github, { key, issue: view.issue, body: withReplies(body, view) });
  emit({ change: 'run', to: { replies: [] } });
  return told;
}

type Asks = Pick<RunContext, 'step' | 'github' | 'view' | 'emit' | 'accept' | 'refuse'>;

/** Step of a question's comment. */
export const questionKey = ({ id }: QuestionView): string => `question/${id}`;

/** Posts a question to the person. `who` waits for the answer. */
export async function postQuestion(ctx: Asks, question: QuestionView, who: string): Promise<void> {
  const { id, text } = question;
  const told = { key: questionKey(question), body: questionComment(question, who) };
  ctx.emit({ change: 'question', id, to: await tellDirective(ctx, told) });
  ctx.emit({ type: 'question_asked', id, question: text });
}

/** Books an answer; one that does not fit is refused. */
export async function takeAnswer(ctx: Asks, command: CommandSignal<'answer'>): Promise<void> {
  const { question: id, text: answer } = command.value;
  const why = whyNoAnswer(ctx.view, command.value);
  if (why !== undefined) return await ctx.refuse(command, why);
  ctx.emit({ change: 'question', id, to: { answer } });
  await ctx.accept(command);
}
