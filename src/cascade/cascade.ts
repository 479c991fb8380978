// The cascade from the first layer to approved work: ask each layer, take its actions, perform or queue them.
import type { Budget } from '../commands/budget.ts';
import { layerReplyComment, stoppedComment } from '../comments/layer-reply.ts';
import { changeBudget, goOn, waitForBudget } from '../comments/view.ts';
import { commentOnce } from '../github/once.ts';
import { guarded } from '../models/guard.ts';
import type { PlayedReply } from '../models/scripted.ts';
import { type Layer, layerName, layers } from '../lib/layers.ts';
import type { Batch } from '../scheduler/tracked.ts';
import { type Action, type ParsedReply, parseReply, prose } from './actions.ts';
import { decide } from './approval.ts';
import type { CascadeContext, Queued } from './context.ts';
import { outline } from './outline.ts';
import { perform } from './perform.ts';
import { type OpenedModel, takeTurn, type Turn } from './turn.ts';

/** The cascade cannot go on; the run fails with this sentence. */
export class CascadeFailure extends Error {
  override readonly name = 'CascadeFailure';
}

interface State {
  queue: Queued[];
  /** Scripted replies the journal says were played. */
  played: PlayedReply[];
  /** Opened for the first turn that is not in the journal. */
  model?: OpenedModel;
  /** Each layer's newest reply, in order: the next layer reads it. */
  replies: { layer: Layer['id']; text: string }[];
  conversations: Map<Layer['id'], Turn>;
  /** Active time so far: waiting for a person does not count (milliseconds). */
  activeMs: number;
}

/** Runs the three layers and answers what is to be worked on. Throws CascadeFailure. */
export async function conductCascade(ctx: CascadeContext): Promise<Batch> {
  const state: State = { queue: [], played: [], replies: [], conversations: new Map(), activeMs: 0 };
  for (const layer of layers) {
    ctx.view.phase = layer.phase;
    await converse(ctx, state, layer, 1);
    if (state.activeMs > ctx.limits.cascadeMs)
      throw new CascadeFailure(
        `the layers took ${Math.round(state.activeMs / 60_000)} minutes, more than they may`,
      );
  }
  const approved = await decide(ctx, state.queue, async (layer, reasons) => {
    const before = state.queue.length;
    await converse(ctx, state, layers.find(each => each.id === layer)!, 2, rejectionPrompt(reasons));
    return state.queue.slice(before);
  });
  return await perform(ctx, approved);
}

/** One exchange with a layer: its turn, asked once more if nothing of it could be read, its comment, its actions. */
async function converse(ctx: CascadeContext, state: State, layer: Layer, round: number, said?: string) {
  const at = ctx.view.layers.find(each => each.id === layer.id)!;
  let key = `cascade/${layer.id}/turn-${round}`;
  let turn = await ask(ctx, state, layer, key, said);
  let parsed = parseReply(turn.text, layer);
  if (parsed.blocks > 0 && parsed.ignored.length > 0 && nothingElse(parsed)) {
    key = `${key}/again`;
    turn = await ask(ctx, state, layer, key, repairPrompt(parsed));
    parsed = parseReply(turn.text, layer);
  }
  at.status = 'executing';
  state.replies = [
    ...state.replies.filter(each => each.layer !== layer.id),
    { layer: layer.id, text: turn.text },
  ];
  // A planned issue never begins a run of its own.
  for (const action of parsed.actions)
    if (action.action === 'create_issues')
      for (const issue of action.issues)
        issue.labels = issue.labels?.filter(label => label !== ctx.triggerLabel);
  const queued = admit(ctx, state, layer, parsed);
  await commentOnce(ctx.step, ctx.github, {
    key: `${key}/comment`,
    issue: ctx.directive.number,
    body: layerReplyComment({
      layer: layer.id,
      prose: prose(turn.text),
      cost_usd: turn.cost_usd,
      ms: turn.ms,
      model: turn.model,
      asked: parsed.actions.map(action =>
        describe(
          action,
          queued.find(each => each.action === action),
          ctx,
        ),
      ),
      unavailable: parsed.unavailable.map(action => action.action),
      dropped: parsed.dropped,
      ignored: parsed.ignored,
    }),
  });
  for (const action of parsed.actions)
    if (action.action === 'update_plan' && !queued.some(each => each.action === action) && !ctx.dryRun) {
      ctx.view.plan = action.plan;
      ctx.emit({ type: 'action_performed', action: action.action, result: 'the plan was replaced' });
    }
  at.status = 'done';
  ctx.emit({ type: 'agent_status', layer: layer.id, status: 'done' });
}

const nothingElse = (parsed: ParsedReply) =>
  parsed.actions.length + parsed.dropped.length + parsed.unavailable.length === 0;

/** The layer's reply, from the journal or from the model; waits at the budget, and for `/retry` after a failure. */
async function ask(
  ctx: CascadeContext,
  state: State,
  layer: Layer,
  key: string,
  said?: string,
): Promise<Turn> {
  const at = ctx.view.layers.find(each => each.id === layer.id)!;
  for (let attempt = 1; ; attempt++) {
    const stepKey = attempt === 1 ? key : `${key}/try-${attempt}`;
    await withinBudget(ctx, layer, stepKey);
    at.status = 'thinking';
    ctx.emit({ type: 'agent_status', layer: layer.id, status: 'thinking' });
    await ctx.save();
    const outcome = await ctx.step(
      stepKey,
      () =>
        takeTurn(ctx, layer, {
          key: stepKey,
          model: (state.model ??= open(ctx, state.played)),
          replies: state.replies,
          said,
          before: state.conversations.get(layer.id),
        }),
      { costly: true, next: [`${key}/comment`] },
    );
    state.activeMs += outcome.ms;
    at.cost_usd += outcome.cost_usd;
    ctx.view.cost_usd += outcome.cost_usd;
    state.played.push(...outcome.played);
    if (outcome.ok) {
      at.turns += outcome.turns;
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

/** Puts what needs approval into the queue, in the order it was asked for; ids are a1, a2, ... */
function admit(ctx: CascadeContext, state: State, layer: Layer, parsed: ParsedReply): Queued[] {
  const queued: Queued[] = [];
  for (const { action, reason } of parsed.dropped)
    ctx.emit({ type: 'action_dropped', layer: layer.id, action, reason });
  for (const action of parsed.actions) {
    if (action.action === 'update_plan' && ctx.approval !== 'all') continue;
    const entry = { id: `a${state.queue.length + 1}`, layer: layer.id, action };
    state.queue.push(entry);
    queued.push(entry);
  }
  return queued;
}

function describe(action: Action, queued: Queued | undefined, ctx: CascadeContext): string {
  const what = outline(action);
  if (ctx.dryRun) return `${what} (dry run: nothing is done)`;
  if (queued && ctx.approval !== 'none') return `${what} (waits for approval as \`${queued.id}\`)`;
  return what;
}

function repairPrompt(parsed: ParsedReply): string {
  const rows = parsed.ignored.map(({ line, reason }) => `- block on line ${line}: ${reason}`);
  return `None of your action blocks could be used:\n${rows.join('\n')}\nWrite your reply once more, with the actions mended.`;
}

function rejectionPrompt(reasons: readonly { title: string; reason: string }[]): string {
  const rows = reasons.map(({ title, reason }) => `- ${title}: ${reason || 'no reason was given'}`);
  return `The person rejected:\n${rows.join('\n')}\nYou may answer with other actions, once. Without a new action nothing takes the place of what was rejected.`;
}
