// Asks one layer for its reply: waits at the budget, for `/retry` after a failure, and for the answers its session wants.
import { stoppedComment } from '../comments/layer-reply.ts';
import { openQuestion } from '../comments/question.ts';
import { changeBudget, goOn, noteSession, waitForBudget } from '../comments/view.ts';
import { commentOnce } from '../github/once.ts';
import { quoted } from '../../engine/language/quote.ts';
import { type Layer, type LayerId, layerName } from '../layers.ts';
import { guarded } from '../../engine/models/guarded-model.ts';
import type { PlayedReply } from '../../engine/models/scripted.ts';
import type { CascadeContext, Queued } from './context.ts';
import { answerOf, askPerson } from './questions.ts';
import {
  type AskingTurn,
  type FailedTurn,
  type LayersModel,
  SavedTurn,
  takeTurn,
  type Turn,
} from './turn.ts';

/** What a cascade has come to so far; computed from the journal alone. */
export interface CascadeState {
  queue: Queued[];
  /** Scripted replies the journal says were played. */
  played: PlayedReply[];
  /** Opened for the first turn that is not in the journal. */
  model?: LayersModel;
  /** Each layer's newest reply, in order: the next layer reads it. */
  replies: { layer: Layer['id']; text: string }[];
  conversations: Map<Layer['id'], Turn>;
  /** How often each layer has asked those above it. */
  loopbacks: Map<LayerId, number>;
  /** Active time so far: waiting for a person does not count (milliseconds). */
  activeMs: number;
}

/**
 * The layer's reply. Where its session asks the person it waits for the answer, and the same program is gone on with,
 * under a step of its own. `said`: what the layer is told in its own conversation instead of its inputs.
 */
export async function askLayer(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  key: string,
  said?: string,
): Promise<Turn> {
  const first = await turnThatWorks(ctx, state, layer, { reply: key, under: key, said });
  const program = first.key;
  let { turn } = first;
  for (let questions = 1; turn.ok === 'asks'; questions++) {
    const answer = await answerTo(ctx, layer, turn);
    const under = `${key}/asked-${questions}`;
    ({ turn } = await turnThatWorks(ctx, state, layer, {
      reply: key,
      under,
      said,
      goesOn: { program, turn, answer },
    }));
  }
  noteSession(ctx.view, turn.session);
  delete layerView(ctx, layer.id).error;
  state.conversations.set(layer.id, turn);
  const { text: content, cost_usd, ms } = turn;
  ctx.emit({ type: 'message', layer: layer.id, content, cost_usd, ms });
  return turn;
}

/** What a turn is asked for with. */
interface Asking {
  /** Key of the layer's reply: its comment is posted below it. */
  reply: string;
  /** Step of the first try; the others are below it. */
  under: string;
  said: string | undefined;
  /** A turn that asked the person, and the answer: its program, the key of its first step, is gone on with. */
  goesOn?: { program: string; turn: AskingTurn; answer: string };
}

/** Tries until a turn has not failed, each time after a `/retry`; answers it with the key of its step. */
async function turnThatWorks(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  asking: Asking,
): Promise<{ turn: Turn | AskingTurn; key: string }> {
  for (let attempt = 1; ; attempt++) {
    const key = attempt === 1 ? asking.under : `${asking.under}/try-${attempt}`;
    const most = await untilAffordable(ctx, layer, key);
    const turn = await oneTurn(ctx, state, layer, key, asking, most);
    if (turn.ok) return { turn, key };
    // What was given is spent: the next try waits for more.
    if (turn.class !== 'budget') await untilRetry(ctx, layer, key, turn);
  }
}

/** One turn, from the journal or from the model, and what it cost. */
async function oneTurn(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  key: string,
  { reply, said, goesOn }: Asking,
  /** What it may cost (USD). */
  most: number,
): Promise<Turn | AskingTurn | FailedTurn> {
  show(ctx, layer.id, 'thinking');
  await ctx.save();
  const turn = await ctx.step(
    key,
    async (_op, progress) => {
      // One that does not fit is gone on from as if the turn began.
      const saved = SavedTurn.safeParse(progress.state).data;
      return await takeTurn(ctx, layer, {
        key: goesOn?.program ?? key,
        model: (state.model ??= await open(ctx, [...state.played, ...(saved?.booked.played ?? [])])),
        most,
        saved,
        save: progress.save,
        replies: state.replies,
        said,
        before: state.conversations.get(layer.id),
        asked: goesOn,
      });
    },
    { costly: true, next: [`${reply}/comment`] },
  );
  const at = layerView(ctx, layer.id);
  state.activeMs += turn.ms;
  at.cost_usd += turn.cost_usd;
  ctx.view.cost_usd += turn.cost_usd;
  state.played.push(...turn.played);
  at.turns += turn.turns;
  return turn;
}

/** Asks the person what the layer's session wants to know, and waits for the answer. */
async function answerTo(ctx: CascadeContext, layer: Layer, turn: AskingTurn): Promise<string> {
  delete layerView(ctx, layer.id).error;
  show(ctx, layer.id, 'waiting');
  const question = openQuestion(ctx.view, `the ${layerName(layer.id)}`, turn.question);
  await askPerson(ctx, [question], `The ${layerName(layer.id)}`);
  return quoted(answerOf({ question }));
}

/** Says that the layer failed, and waits for `/retry`. */
async function untilRetry(ctx: CascadeContext, layer: Layer, key: string, failed: FailedTurn): Promise<void> {
  const at = layerView(ctx, layer.id);
  at.status = 'error';
  at.error = failed.message;
  ctx.view.status = 'failed';
  ctx.view.note = `The ${layerName(layer.id)} failed (${failed.class}): ${failed.message}. Type /retry to go on from there.`;
  ctx.emit({ type: 'error', where: layer.id, class: failed.class, message: failed.message });
  // An edited comment notifies nobody, so that the failure gets one of its own.
  await commentOnce(ctx.step, ctx.github, {
    key: `${key}/failed`,
    issue: ctx.directive.number,
    body: stoppedComment(ctx.view.note),
  });
  // Where the provider wants money, a raise says that there is some.
  await followed(ctx, failed.class === 'quota' ? ['retry', 'budget'] : ['retry']);
  goOn(ctx.view);
}

async function open(ctx: CascadeContext, played: readonly PlayedReply[]): Promise<LayersModel> {
  const { model, used, wait } = await ctx.openModel([...played]);
  return { models: guarded(model, { clock: ctx.clock, wait }), used };
}

/**
 * Waits for `/budget` as long as the run or this layer has used up what it may cost; answers what is left for the turn
 * (USD). A raise lifts the layer's own limit for this turn.
 */
async function untilAffordable(ctx: CascadeContext, layer: Layer, key: string): Promise<number> {
  const { view } = ctx;
  const at = layerView(ctx, layer.id);
  const most = ctx.limits.budgets[layer.id];
  for (let n = 1; ; n++) {
    const left = view.budget_usd - view.cost_usd;
    const own = n === 1 ? most - at.cost_usd : left;
    if (left > 0 && own > 0) return Math.min(left, own);
    const which =
      left > 0 ? `$${most} for the ${layerName(layer.id)}` : `the run's limit of $${view.budget_usd}`;
    const note = waitForBudget(view, `${which} is used up`);
    await commentOnce(ctx.step, ctx.github, {
      key: `${key}/budget-${n}`,
      issue: ctx.directive.number,
      body: stoppedComment(note),
    });
    await followed(ctx, ['budget']);
    goOn(view);
  }
}

/** Waits for one of the commands that can be followed: a `/budget` above the operator's cap cannot. */
async function followed(ctx: CascadeContext, names: ('retry' | 'budget')[]): Promise<void> {
  for (;;) {
    const command = await ctx.signal(names);
    const why = command.name === 'budget' ? changeBudget(ctx.view, command.value) : undefined;
    if (why === undefined) return await ctx.accept(command);
    await ctx.refuse(command, why);
  }
}

export function show(ctx: CascadeContext, layer: LayerId, status: 'thinking' | 'waiting' | 'done') {
  layerView(ctx, layer).status = status;
  ctx.emit({ type: 'agent_status', layer, status });
}

const layerView = ({ view }: CascadeContext, layer: LayerId) => view.layers.find(({ id }) => id === layer)!;
