// Takes a layer's reply: queues or performs the requested actions, drops the forbidden ones, and reports both.
import { draftsMade, draftsSaid } from '../comments/layer-reply.ts';
import type { LayerReply } from '../comments/view.ts';
import { sameLabel } from '../github/issues.ts';
import type { Action } from './issue-plan.ts';
import { type ParsedReply, untaken } from './parse-reply.ts';
import { actionSummary } from './action-details.ts';
import { show } from './ask-layer.ts';
import type { Cascade, LayerState, Turn } from './cascade-state.ts';
import type { CascadeContext, Queued } from './context.ts';
import { draftsOf, shownDrafts } from './drafts.ts';
import { type Asked, questionsIn } from './questions.ts';
import { prose } from './reply-blocks.ts';
import { reviewPull, reviewsBeyond } from './review.ts';
import { issuesIn, listing } from './places.ts';

/** A layer's reply with what it asks for. */
export interface Reply {
  turn: Turn;
  parsed: ParsedReply;
  /** The one before, which does not count, and why. */
  before?: { turn: Turn; faults: string[] };
}

/** An action of a reply, and how people are told of it. */
interface ToldAction {
  action: Action;
  /** Place in the reply, from 0. */
  index: number;
  told: LayerReply['asked'][number];
}

/**
 * Takes what a layer replied: its text, its actions. The next comment of the run shows it. Answers what it asks, and what is
 * to be done now.
 */
export function takeReply(
  cascade: Cascade,
  layer: LayerState,
  { turn, parsed, before }: Reply,
): { asked: Asked[]; now: ToldAction[] } {
  const { ctx } = cascade;
  ctx.emit({ change: 'layer', layer: layer.id, to: { status: 'executing' } });
  const { drafted } = parsed;
  const said = drafted ? [prose(turn.text, drafted.line), shownDrafts(drafted.list)] : [turn.text];
  layer.replied = [layer.replied, ...said].filter(Boolean).join('\n\n');
  const { asked, dropped } = questionsIn(ctx, layer.id, parsed.actions, layer.loopbacks);
  if (asked.some(({ target }) => target !== 'ceo')) layer.loopbacks += 1;
  const listed = asked.length > 0 ? [] : listing(ctx.config, layer.id, drafted?.list);
  const asks = without(parsed, new Map([...dropped, ...reviewsBeyond(layer, parsed.actions)]));
  const taken = { ...asks, actions: [...asks.actions, ...listed] };
  takeTriggerOff(taken.actions, ctx);
  const queued = enqueue(cascade, layer, taken);
  const { model, session } = turn;
  const turns = [turn, ...(before ? [before.turn] : [])];
  const rows = taken.actions.map((action, index) => ({
    action,
    index,
    told: toldOf(cascade, action, queued, asked),
  }));
  const reply = {
    layer: layer.id,
    prose: prose(turn.text),
    ...{ model, session },
    cost_usd: turns.reduce((sum, each) => sum + each.cost_usd, 0),
    ms: turns.reduce((sum, each) => sum + each.ms, 0),
    asked: rows.map(({ told }) => told),
    dropped: taken.dropped,
    ignored: taken.ignored,
    drafts: ofDrafts(cascade, layer, parsed, listed[0]),
    faults: before?.faults ?? [],
  };
  ctx.emit({ change: 'replied', reply });
  return { asked, now: ctx.config.dry_run ? [] : rows.filter(({ action }) => !isQueued(ctx, action)) };
}

/** Notes what a reply drafts (`by`: what lists it), or says of drafts; answers what people are told of it. */
function ofDrafts(cascade: Cascade, layer: LayerState, parsed: ParsedReply, by: Action | undefined): string {
  const { drafted, said } = parsed;
  if (drafted) {
    cascade.drafts = draftsOf(drafted.list);
    if (by) for (const at of drafted.list.keys()) cascade.drafts.said.set(at + 1, { taken: [], by });
    return draftsMade(drafted.list.map(({ title }) => title));
  }
  const left = layer.id === 'team-lead' ? untaken(cascade.drafts, parsed) : [];
  for (const [number, each] of said) cascade.drafts.said.set(number, each);
  return draftsSaid(said, left);
}

/** Does what needs no approval, in the order it was asked for. */
export async function performNow(
  cascade: Cascade,
  layer: LayerState,
  key: string,
  now: readonly ToldAction[],
): Promise<void> {
  const { ctx } = cascade;
  for (const [nth, { action, index }] of now.entries()) {
    if (action.action === 'update_plan') {
      ctx.emit({ change: 'run', to: { plan: action.plan } });
      ctx.emit({ type: 'action_performed', action: action.action, result: 'the plan was replaced' });
    } else if (action.action === 'request_review') {
      const result = await reviewPull(cascade, layer, { key: `${key}/review-${nth + 1}`, action });
      const how = 'done' in result ? result.done : `not done: ${result.failed}`;
      ctx.emit({ change: 'action done', layer: layer.id, index, how });
      ctx.emit({ type: 'action_performed', action: action.action, result: how });
    }
  }
  show(ctx, layer, 'done');
}

/** A planned issue never begins a run of its own. */
function takeTriggerOff(actions: readonly Action[], { config }: CascadeContext): void {
  for (const action of actions)
    if (action.action === 'create_issues')
      for (const issue of action.issues)
        issue.labels = issue.labels?.filter(label => !sameLabel(label, config.label));
}

/** The reply where some of its actions are dropped as well, each for its reason. */
const without = (parsed: ParsedReply, dropped: ReadonlyMap<Action, string>): ParsedReply => ({
  ...parsed,
  actions: parsed.actions.filter(action => !dropped.has(action)),
  dropped: [...parsed.dropped, ...Array.from(dropped, ([{ action }, reason]) => ({ action, reason }))],
});

/** True if it waits in the queue: a question never does, and a plan or a review only if everything waits. */
function isQueued({ config: { approval } }: CascadeContext, { action }: Action): boolean {
  if (action === 'request_info' || action === 'escalate') return false;
  return approval === 'all' || (action !== 'update_plan' && action !== 'request_review');
}

/** Puts what needs approval into the queue, in the order it was asked for; ids are a1, a2, ... */
function enqueue({ ctx, queue }: Cascade, layer: LayerState, parsed: ParsedReply): Queued[] {
  const queued: Queued[] = [];
  for (const { action, reason } of parsed.dropped)
    ctx.emit({ type: 'action_dropped', layer: layer.id, action, reason });
  for (const action of parsed.actions) {
    if (!isQueued(ctx, action)) continue;
    const entry = { id: `a${queue.length + 1}`, layer: layer.id, action };
    queue.push(entry);
    queued.push(entry);
    const paths = issuesIn(entry).flatMap(each => each.paths ?? []);
    ctx.emit({ change: 'run', to: { paths: [...ctx.view.paths, ...paths] } });
  }
  return queued;
}

/** Description of an action for people. */
function toldOf(
  cascade: Cascade,
  action: Action,
  queued: readonly Queued[],
  asked: readonly Asked[],
): ToldAction['told'] {
  const id = queued.find(each => each.action === action)?.id;
  return {
    what: actionSummary(action),
    how: comesOf(cascade.ctx, action, id, asked),
    ...(id !== undefined && { id }),
  };
}

/** Fate of a requested action; empty if it is simply done. */
function comesOf(
  ctx: CascadeContext,
  action: Action,
  id: string | undefined,
  questions: readonly Asked[],
): string {
  const asked = questions.find(each => each.action === action);
  if (ctx.config.dry_run) return 'dry run: nothing is done';
  if (asked?.question) return asked.question.id;
  if (asked && action.action === 'request_info' && asked.answer === undefined) return action.question;
  if (asked?.answer !== undefined) return 'not asked: it has asked often enough';
  return id !== undefined && ctx.config.approval !== 'none' ? `waits for approval as \`${id}\`` : '';
}
