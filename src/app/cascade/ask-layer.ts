// Asks one layer for its reply: waits at the budget, for `/retry` after a failure, and for the answers its session wants.
import { notPaused } from '../commands/resume.ts';
import { type CommandSignal, takeEffect } from '../commands/table.ts';
import { stoppedComment } from '../comments/layer-reply.ts';
import { layerRaise, layerSpent, runSpent } from '../comments/budget.ts';
import { openQuestion } from '../comments/question.ts';
import { goesOn, waitForBudget } from '../comments/fold.ts';
import { tellDirective } from '../scheduler/run-context.ts';
import { quoted } from '../../engine/texts.ts';
import type { AskingTurn, Booked, Cascade, FailedTurn, LayerState, Turn } from './cascade-state.ts';
import type { CascadeContext } from './context.ts';
import { answerOf, askPerson } from './questions.ts';
import { takeTurn } from './turn.ts';

/** Input of a layer, under the key of a step. */
export interface Prompt {
  key: string;
  /** Message in its own conversation instead of its inputs. */
  said?: string;
}

/**
 * The layer's reply: tries until a turn has not failed, each time after a `/retry`. Where its session asks the person it
 * waits for the answer, and the same program is gone on with, under a step of its own.
 */
export async function askLayer(cascade: Cascade, layer: LayerState, { key, said }: Prompt): Promise<Turn> {
  const { ctx } = cascade;
  /** The turn that asked, with the answer: its program, the key of its first step, is gone on with. */
  let asked: { program: string; turn: AskingTurn; answer: string } | undefined;
  let under = key;
  for (let attempt = 1, questions = 1; ; ) {
    const step = attempt === 1 ? under : `${under}/try-${attempt}`;
    const most = await untilMayThink(ctx, layer, step);
    const program = asked?.program ?? step;
    const turn = await ctx.step(
      step,
      async (_op, progress) => {
        // Minutes may go by. A replay, to which the turn is known, has no need to write.
        await ctx.save();
        return await takeTurn(cascade, layer, { key: program, most, said, asked, progress });
      },
      { costly: true },
    );
    book(cascade, layer, turn);
    if (turn.ok === true) return turn;
    if (turn.ok === 'asks') {
      asked = { program, turn, answer: await answerTo(ctx, layer, turn) };
      under = `${key}/asked-${questions++}`;
      attempt = 1;
      continue;
    }
    // An exhausted budget: the next try waits for more.
    if (turn.class !== 'budget') await untilRetry(ctx, layer, step, turn);
    attempt += 1;
  }
}

/**
 * Before each step `key` in which a model is called for the layer: waits while the run is paused, its tests run or cannot
 * run, or it may not pay; answers what is left for the step (USD).
 */
export async function untilMayThink(ctx: CascadeContext, layer: LayerState, key: string): Promise<number> {
  await untilResumed(ctx, key);
  await ctx.tests();
  const most = await untilAffordable(ctx, layer, key);
  show(ctx, layer, 'thinking');
  return most;
}

/** Takes a `/pause` that came before the turn `key` was over, and waits for `/resume`. */
async function untilResumed(ctx: CascadeContext, key: string): Promise<void> {
  let since = 0;
  for (let asked = ctx.earlier(key, ['pause']); asked; asked = ctx.earlier(key, ['pause'])) {
    const why = takeEffect(ctx, asked);
    if (why === undefined) since = asked.value.comment;
    await (why === undefined ? ctx.accept(asked) : ctx.refuse(asked, why));
  }
  while (ctx.view.pausedBy !== undefined) {
    const command = await ctx.signal(['resume']);
    // An older one was refused before the pause came, which is looked at first.
    const why = command.value.comment < since ? notPaused : takeEffect(ctx, command);
    await (why === undefined ? ctx.accept(command) : ctx.refuse(command, why));
  }
}

/** Adds a layer's work and its cost. */
export function bookCost(cascade: Cascade, layer: LayerState, { cost_usd, ms, played, turns }: Booked): void {
  cascade.activeMs += ms;
  cascade.ctx.emit({ change: 'spent', usd: cost_usd, layer: layer.id, turns });
  cascade.played.push(...played);
}

/** Adds a turn's cost and, of one that ended well, the layer's words. */
function book(cascade: Cascade, layer: LayerState, turn: Turn | AskingTurn | FailedTurn): void {
  const { emit } = cascade.ctx;
  const { cost_usd, ms } = turn;
  bookCost(cascade, layer, turn);
  layer.opened.push(...turn.opened);
  if (turn.ok !== true) return;
  if (turn.session) emit({ change: 'session ended', session: turn.session });
  emit({ change: 'layer', layer: layer.id, to: { error: undefined } });
  layer.turn = turn;
  emit({ type: 'message', layer: layer.id, content: turn.text, cost_usd, ms });
}

/** Asks the person what the layer's session wants to know, and waits for the answer. */
async function answerTo(ctx: CascadeContext, layer: LayerState, turn: AskingTurn): Promise<string> {
  ctx.emit({ change: 'layer', layer: layer.id, to: { error: undefined } });
  show(ctx, layer, 'waiting');
  const question = openQuestion(ctx, `the ${layer.name}`, turn.question);
  await askPerson(ctx, [question], `The ${layer.name}`);
  return quoted(answerOf({ question }));
}

/** Says that the layer failed, and waits for `/retry`. */
async function untilRetry(
  ctx: CascadeContext,
  layer: LayerState,
  key: string,
  failed: FailedTurn,
): Promise<void> {
  const note = `The ${layer.name} failed: ${failed.message}. Type /retry to go on from there.`;
  ctx.emit({ change: 'layer', layer: layer.id, to: { status: 'error', error: failed.message } });
  ctx.emit({ change: 'run', to: { status: 'failed', note } });
  ctx.emit({ type: 'error', where: layer.id, class: failed.class, message: failed.message });
  // An edited comment notifies nobody, so that the failure gets one of its own.
  await tellDirective(ctx, { key: `${key}/failed`, body: stoppedComment(note) });
  // If the provider wants money, a raised budget says that there is some.
  await followed(ctx, failed.class === 'quota' ? ['retry', 'budget'] : ['retry']);
  ctx.emit(goesOn);
}

/**
 * Waits for `/budget` as long as the run or this layer has used up what it may cost; answers what is left for the turn
 * (USD). What is added to the run's limit is added to the layer's own; where that is set, the layer may use what is left.
 */
async function untilAffordable(ctx: CascadeContext, layer: LayerState, key: string): Promise<number> {
  const { view } = ctx;
  for (let n = 1; ; n++) {
    const left = view.budget_usd - view.cost_usd;
    const spent = layer.view.cost_usd;
    const own = layer.budget - spent;
    if (left > 0 && own > 0) return Math.min(left, own);
    const note =
      left > 0
        ? waitForBudget(ctx, layerSpent(layer, spent), layerRaise(layer, view))
        : waitForBudget(ctx, runSpent(view));
    await tellDirective(ctx, { key: `${key}/budget-${n}`, body: stoppedComment(note) });
    const command = await followed(ctx, ['budget']);
    if (own <= 0 && command.name === 'budget') {
      const { change } = command.value;
      layer.budget = 'add' in change ? layer.budget + change.add : spent + view.budget_usd - view.cost_usd;
    }
    ctx.emit(goesOn);
  }
}

/** Waits for one of the commands that can be followed: a `/budget` above the operator's cap cannot. */
async function followed(
  ctx: CascadeContext,
  names: readonly ('retry' | 'budget')[],
): Promise<CommandSignal<'retry' | 'budget'>> {
  for (;;) {
    const command = await ctx.signal(names);
    const why = takeEffect(ctx, command);
    if (why !== undefined) {
      await ctx.refuse(command, why);
      continue;
    }
    await ctx.accept(command);
    return command;
  }
}

export const show = (
  { emit }: CascadeContext,
  { id: layer }: LayerState,
  status: 'thinking' | 'waiting' | 'done',
) => emit({ type: 'agent_status', layer, status });
