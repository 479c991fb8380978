// Asks one layer: its reply from the journal or from the model; waits at the budget, for answers, and for `/retry`.
import type { Budget } from '../commands/budget.ts';
import { stoppedComment } from '../comments/layer-reply.ts';
import { openQuestion } from '../comments/question.ts';
import { changeBudget, goOn, noteSession, waitForBudget } from '../comments/view.ts';
import { commentOnce } from '../github/once.ts';
import { type Layer, type LayerId, layerName } from '../lib/layers.ts';
import { guarded } from '../models/guard.ts';
import type { PlayedReply } from '../models/scripted.ts';
import type { CascadeContext, Queued } from './context.ts';
import { answerOf, askPerson } from './questions.ts';
import { type AskingTurn, type OpenedModel, takeTurn, type Turn } from './turn.ts';

/** What a cascade has come to so far; computed from the journal alone. */
export interface CascadeState {
  queue: Queued[];
  /** Scripted replies the journal says were played. */
  played: PlayedReply[];
  /** Opened for the first turn that is not in the journal. */
  model?: OpenedModel;
  /** Each layer's newest reply, in order: the next layer reads it. */
  replies: { layer: Layer['id']; text: string }[];
  conversations: Map<Layer['id'], Turn>;
  /** How often each layer has asked those above it. */
  loopbacks: Map<LayerId, number>;
  /** Active time so far: waiting for a person does not count (milliseconds). */
  activeMs: number;
}

/**
 * The layer's reply, from the journal or from the model; waits at the budget, for `/retry` after a failure, and for
 * `/answer` where its session asks the person.
 */
export async function askLayer(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  key: string,
  said?: string,
): Promise<Turn> {
  const at = ctx.view.layers.find(each => each.id === layer.id)!;
  /** Of the turn's program, and what it waited for: it is gone on with after each answer. */
  let program: string | undefined;
  let asked: { turn: AskingTurn; answer: string } | undefined;
  let base = key;
  let questions = 0;
  for (let attempt = 1; ; attempt++) {
    const stepKey = attempt === 1 ? base : `${base}/try-${attempt}`;
    await withinBudget(ctx, layer, stepKey);
    at.status = 'thinking';
    ctx.emit({ type: 'agent_status', layer: layer.id, status: 'thinking' });
    await ctx.save();
    const outcome = await ctx.step(
      stepKey,
      () =>
        takeTurn(ctx, layer, {
          key: program ?? stepKey,
          model: (state.model ??= open(ctx, state.played)),
          replies: state.replies,
          said,
          before: state.conversations.get(layer.id),
          asked,
        }),
      { costly: true, next: [`${key}/comment`] },
    );
    state.activeMs += outcome.ms;
    at.cost_usd += outcome.cost_usd;
    ctx.view.cost_usd += outcome.cost_usd;
    state.played.push(...outcome.played);
    at.turns += outcome.turns;
    if (outcome.ok === 'asks') {
      delete at.error;
      show(ctx, layer.id, 'waiting');
      const who = `the ${layerName(layer.id)}`;
      const question = openQuestion(ctx.view, who, outcome.question);
      await askPerson(ctx, [question], `The ${layerName(layer.id)}`);
      program ??= stepKey;
      asked = { turn: outcome, answer: answerOf({ question }) };
      questions += 1;
      base = `${key}/asked-${questions}`;
      attempt = 0;
      continue;
    }
    if (outcome.ok) {
      noteSession(ctx.view, outcome.session);
      delete at.error;
      state.conversations.set(layer.id, outcome);
      ctx.emit({
        type: 'message',
        layer: layer.id,
        content: outcome.text,
        cost_usd: outcome.cost_usd,
        ms: outcome.ms,
      });
      return outcome;
    }
    at.status = 'error';
    at.error = outcome.message;
    ctx.view.status = 'failed';
    ctx.view.note = `The ${layerName(layer.id)} failed (${outcome.class}): ${outcome.message}. Type /retry to go on from there.`;
    ctx.emit({ type: 'error', where: layer.id, class: outcome.class, message: outcome.message });
    // An edited comment notifies nobody, so that the failure gets one of its own.
    await commentOnce(ctx.step, ctx.github, {
      key: `${stepKey}/failed`,
      issue: ctx.directive.number,
      body: stoppedComment(ctx.view.note),
    });
    const retry = await ctx.signal(['retry']);
    await ctx.accept(retry);
    goOn(ctx.view);
  }
}

function open(ctx: CascadeContext, played: readonly PlayedReply[]): OpenedModel {
  const { model, used } = ctx.openModel([...played]);
  return { guard: guarded(model, { clock: ctx.clock }), used };
}

/** Waits for `/budget` as long as the run or this layer has used up what it may cost. */
async function withinBudget(ctx: CascadeContext, layer: Layer, key: string): Promise<void> {
  const { view } = ctx;
  const at = view.layers.find(each => each.id === layer.id)!;
  const most = ctx.limits.budgets[layer.id];
  for (let n = 1; view.cost_usd >= view.budget_usd || (n === 1 && at.cost_usd >= most); n++) {
    const whole = view.cost_usd >= view.budget_usd;
    const note = waitForBudget(
      view,
      whole ? `the run's limit of $${view.budget_usd}` : `$${most} for the ${layerName(layer.id)}`,
    );
    await commentOnce(ctx.step, ctx.github, {
      key: `${key}/budget-${n}`,
      issue: ctx.directive.number,
      body: stoppedComment(note),
    });
    const raise = await ctx.signal(['budget']);
    changeBudget(view, raise.value as unknown as Budget);
    await ctx.accept(raise);
    goOn(view);
  }
}

export function show(ctx: CascadeContext, layer: LayerId, status: 'waiting' | 'done') {
  ctx.view.layers.find(each => each.id === layer)!.status = status;
  ctx.emit({ type: 'agent_status', layer, status });
}
