// The cascade from the first layer to approved work: ask each layer, take its actions, perform or queue them.
import { seconds } from '../comments/figures.ts';
import { layerReplyComment } from '../comments/layer-reply.ts';
import { voided } from '../comments/listing.ts';
import { commentOnce } from '../github/once.ts';
import { type Layer, type LayerId, layerName, layers } from '../layers.ts';
import type { Batch } from '../scheduler/tracked-issue.ts';
import { type Action, type ParsedReply, parseReply } from './actions.ts';
import { prose } from './reply-blocks.ts';
import { decide, pathsOf, type Revise } from './approval.ts';
import { askLayer, type CascadeState, show } from './ask-layer.ts';
import type { CascadeContext, Queued } from './context.ts';
import { actionSummary } from './action-summary.ts';
import { batchOf, newWork, performApproved } from './perform.ts';
import { newRounds, placed } from './places.ts';
import { answerOf, answersPrompt, type Asked, askedPrompt, askPerson, questionsIn } from './questions.ts';
import { present } from '../../lib/present.ts';

/** The cascade cannot go on; the run fails with this sentence. */
export class CascadeFailure extends Error {
  override readonly name = 'CascadeFailure';
}

/** Runs the three layers and answers what is to be worked on. Throws CascadeFailure. */
export async function conductCascade(ctx: CascadeContext): Promise<Batch> {
  const state: CascadeState = {
    queue: [],
    played: [],
    replies: [],
    conversations: new Map(),
    loopbacks: new Map(),
    activeMs: 0,
  };
  for (const layer of layers) {
    ctx.view.phase = layer.phase;
    await converse(ctx, state, layer, `cascade/${layer.id}/turn-1`);
    if (state.activeMs > ctx.limits.cascadeMs) throw tooLong(state.activeMs, ctx);
  }
  return await approvedWork(ctx, state.queue, async (layer, reasons) => {
    const before = state.queue.length;
    await converse(ctx, state, layerOf(layer), `cascade/${layer}/turn-2`, rejectionPrompt(reasons));
    return state.queue.slice(before);
  });
}

/** Has it decided and performs it; what was withdrawn before it was performed is listed again. */
async function approvedWork(ctx: CascadeContext, queue: readonly Queued[], revise: Revise): Promise<Batch> {
  const rounds = newRounds();
  const work = newWork();
  let note = '';
  for (let open = placed(queue, rounds); ; ) {
    const approved = await decide(ctx, open, { rounds, revise, note });
    const { why, created, left } = await performApproved(ctx, work, approved);
    if (why === undefined) return batchOf(work);
    note = voided(why, created);
    ctx.view.note = note;
    open = left;
  }
}

function tooLong(ms: number, { limits, triggerLabel }: CascadeContext): CascadeFailure {
  const most = `${seconds(limits.cascadeMs)} that \`timeouts.cascade\` in the configuration allows`;
  return new CascadeFailure(
    `the layers took ${seconds(ms)}, more than the ${most}. Raise it there, then take the label \`${triggerLabel}\` off and put it on again`,
  );
}

const layerOf = (id: LayerId) =>
  present(
    layers.find(each => each.id === id),
    id,
  );

/**
 * Talks with a layer until it has nothing more to ask, and answers the last thing it said. What its replies asked
 * for stands, each of them.
 */
async function converse(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  key: string,
  said?: string,
): Promise<string> {
  let told = said;
  for (let n = 0; ; n++) {
    const at = n === 0 ? key : `${key}/answers-${n}`;
    const { text, asked } = await exchange(ctx, state, layer, at, told);
    if (asked.length === 0) return prose(text);
    told = answersPrompt(await answersTo(ctx, state, layer, at, asked));
  }
}

/** First those of the person, then those of the layers above, each resumed in its own conversation. */
async function answersTo(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  key: string,
  asked: readonly Asked[],
): Promise<Asked[]> {
  show(ctx, layer.id, 'waiting');
  await askPerson(
    ctx,
    asked.flatMap(({ question }) => question ?? []),
    `The ${layerName(layer.id)}`,
  );
  for (const { id } of layers) {
    const own = asked.filter(({ target, answer }) => target === id && answer === undefined);
    if (own.length === 0) continue;
    const answer = await converse(ctx, state, layerOf(id), `${key}/to-${id}`, askedPrompt(layer.id, own));
    for (const each of own) each.answer = answer;
  }
  return asked.map(each => ({ ...each, answer: each.answer ?? answerOf(each) }));
}

/** One exchange with a layer: its reply, its comment, its actions. */
async function exchange(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  under: string,
  said: string | undefined,
): Promise<{ text: string; asked: Asked[] }> {
  const at = present(
    ctx.view.layers.find(each => each.id === layer.id),
    layer.name,
  );
  const { key, turn, parsed } = await readReply(ctx, state, layer, under, said);
  at.status = 'executing';
  const before = state.replies.find(each => each.layer === layer.id);
  if (before) before.text += `\n\n${turn.text}`;
  else state.replies.push({ layer: layer.id, text: turn.text });
  // A planned issue never begins a run of its own.
  for (const action of parsed.actions)
    if (action.action === 'create_issues')
      for (const issue of action.issues)
        issue.labels = issue.labels?.filter(label => label !== ctx.triggerLabel);
  const rounds = state.loopbacks.get(layer.id) ?? 0;
  const { asked, dropped } = questionsIn(ctx, layer.id, parsed.actions, rounds);
  if (asked.some(({ target }) => target !== 'ceo')) state.loopbacks.set(layer.id, rounds + 1);
  const taken = without(parsed, dropped);
  const queued = enqueue(ctx, state, layer, taken);
  await commentOnce(ctx.step, ctx.github, {
    key: `${key}/comment`,
    issue: ctx.directive.number,
    body: layerReplyComment({
      layer: layer.id,
      prose: prose(turn.text),
      cost_usd: turn.cost_usd,
      ms: turn.ms,
      model: turn.model,
      asked: taken.actions.map(action =>
        describe(
          action,
          queued.find(each => each.action === action),
          asked.find(each => each.action === action),
          ctx,
        ),
      ),
      unavailable: taken.unavailable.map(action => action.action),
      dropped: taken.dropped,
      ignored: taken.ignored,
      session: turn.session,
    }),
  });
  for (const action of taken.actions)
    if (action.action === 'update_plan' && !queued.some(each => each.action === action) && !ctx.dryRun) {
      ctx.view.plan = action.plan;
      ctx.emit({ type: 'action_performed', action: action.action, result: 'the plan was replaced' });
    }
  show(ctx, layer.id, 'done');
  return { text: turn.text, asked };
}

/** A layer's reply with what it asks for; the layer is asked once more if nothing of it could be read. */
async function readReply(
  ctx: CascadeContext,
  state: CascadeState,
  layer: Layer,
  key: string,
  said: string | undefined,
) {
  const turn = await askLayer(ctx, state, layer, key, said);
  const parsed = parseReply(turn.text, layer);
  if (parsed.blocks === 0 || parsed.ignored.length === 0 || !nothingElse(parsed))
    return { key, turn, parsed };
  const again = await askLayer(ctx, state, layer, `${key}/again`, repairPrompt(parsed));
  return { key: `${key}/again`, turn: again, parsed: parseReply(again.text, layer) };
}

const nothingElse = (parsed: ParsedReply) =>
  parsed.actions.length + parsed.dropped.length + parsed.unavailable.length === 0;

/** The reply where some of its actions are dropped as well, each for its reason. */
const without = (parsed: ParsedReply, dropped: ReadonlyMap<Action, string>): ParsedReply => ({
  ...parsed,
  actions: parsed.actions.filter(action => !dropped.has(action)),
  dropped: [...parsed.dropped, ...Array.from(dropped, ([{ action }, reason]) => ({ action, reason }))],
});

/** Puts what needs approval into the queue, in the order it was asked for; ids are a1, a2, ... */
function enqueue(ctx: CascadeContext, state: CascadeState, layer: Layer, parsed: ParsedReply): Queued[] {
  const queued: Queued[] = [];
  for (const { action, reason } of parsed.dropped)
    ctx.emit({ type: 'action_dropped', layer: layer.id, action, reason });
  for (const action of parsed.actions) {
    if (action.action === 'update_plan' && ctx.approval !== 'all') continue;
    // To ask is to do nothing that would need approval.
    if (action.action === 'request_info' || action.action === 'escalate') continue;
    const entry = { id: `a${state.queue.length + 1}`, layer: layer.id, action };
    state.queue.push(entry);
    queued.push(entry);
    if (action.action === 'create_issues') ctx.view.paths.push(...pathsOf(action));
  }
  return queued;
}

function describe(
  action: Action,
  queued: Queued | undefined,
  asked: Asked | undefined,
  ctx: CascadeContext,
): string {
  const what = actionSummary(action);
  if (ctx.dryRun) return `${what} (dry run: nothing is done)`;
  if (asked?.question) return `${what} (${asked.question.id})`;
  if (asked?.answer !== undefined) return `${what} (not asked: it has asked often enough)`;
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
