// Approval: one listing of what would be done, decided by comments, checked again before anything is done.
import { digest, present } from '@echelon/ground';
import { baseTestsSection } from '../comments/base-tests.ts';
import { layerReplies, notAsked } from '../comments/layer-reply.ts';
import {
  type ListedAction,
  listingComments,
  listingGraph,
  partRejected,
  voided,
} from '../comments/listing.ts';
import { noted, type ViewChange } from '../comments/fold.ts';
import type { BaseTestsView, IssueEstimate } from '../comments/view.ts';
import { commentOnce } from '../github/once.ts';
import type { LayerId } from '../layers.ts';
import type { Action } from './actions.ts';
import type { IssuePlan } from './issue-plan.ts';
import { estimateRun } from '../scheduler/estimate.ts';
import type { CascadeContext, Listed, Queued } from './context.ts';
import { actionDetails, listedIssues, actionSummary } from './action-details.ts';
import { idsOf, misfit, type Approval, lookAt, type Shown, textDigest } from './standing.ts';
import { type Known, knownOf, parallelOf } from './known.ts';
import { placed, type ApprovalRounds } from './places.ts';

export type Revise = (
  layer: LayerId,
  reasons: { action: Action; title: string; reason: string }[],
) => Promise<Queued[]>;

/** An action that may be performed. Without an approval where none was asked for. */
export interface Approved extends Listed {
  approval?: Approval;
  /** Of its issues, by their places in it. */
  estimates?: ReadonlyMap<number, IssueEstimate> | undefined;
}

/**
 * Brings every queued action to a decision and answers the approved ones in their order. Rejections go back to
 * the layer that asked, once, and what it answers is listed anew. `note`: what is said above the first listing.
 */
export async function decide(
  ctx: CascadeContext,
  queue: readonly Listed[],
  { rounds, revise, note }: { rounds: ApprovalRounds; revise: Revise; note: string },
): Promise<Approved[]> {
  if (ctx.dryRun) return [];
  ctx.emit(estimateRun(ctx.view));
  if (queue.length === 0) return [];
  const tests = await ctx.tests.outcome();
  if (ctx.approval === 'none') {
    rounds.round += 1;
    const { estimates } = await knownOf(ctx, queue, { approved: [], round: rounds.round, tests });
    return queue.map(each => ({ ...each, estimates: estimates.get(each.id) }));
  }
  const approved: Approved[] = [];
  let open = [...queue];
  for (let said = note; open.length > 0; ) {
    rounds.round += 1;
    // Places are counted within a listing: what belongs to two is not shown in one.
    const now = open.filter(({ list }) => list === open[0]?.list);
    const later = open.filter(each => !now.includes(each));
    const listing = await postListing(ctx, now, {
      approved,
      round: rounds.round,
      tests,
      note: said,
    });
    const decisions = await decisionsOn(ctx, listing);
    said = decisions.why === undefined ? '' : voided(decisions.why, []);
    if (said !== '') ctx.emit(noted(said));
    for (const each of now) {
      const approval = decisions.approved.get(each.id);
      if (approval) approved.push({ ...each, approval, estimates: listing.estimates.get(each.id) });
    }
    const revised: Queued[] = [];
    for (const [layer, reasons] of reasonsByLayer(decisions.rejected)) {
      if (rounds.revised.has(layer)) continue;
      rounds.revised.add(layer);
      revised.push(...(await revise(layer, reasons)));
    }
    const isRejected = ({ id }: Queued) => decisions.rejected.some(({ action }) => action.id === id);
    const again = now.filter(each => decisions.why !== undefined && !isRejected(each));
    open = [...again, ...later, ...placed(revised, rounds)];
  }
  return approved;
}

/** Actions that are shown and wait for a decision. */
interface Listing {
  actions: readonly Listed[];
  /** Digest of what is shown and of the actions themselves. */
  sum: string;
  shown: Shown;
  estimates: Known['estimates'];
}

/** Values that a listing builds on. */
interface ListingGround {
  approved: readonly Listed[];
  round: number;
  tests: BaseTestsView | undefined;
  note: string;
}

/** Posts the comments of a listing and tells what waits. */
async function postListing(
  ctx: CascadeContext,
  actions: readonly Listed[],
  { approved, round, tests, note }: ListingGround,
): Promise<Listing> {
  const { view } = ctx;
  // Before the listing, so that whatever changes from then on is seen.
  const { issue } = await ctx.step(`approval/${round}/text`, async () => ({
    issue: textDigest(await ctx.github.thread(view.issue)),
  }));
  const { others, estimate, estimates } = await knownOf(ctx, actions, { approved, round, tests });
  const listed: ListedAction[] = actions.map(({ id, layer, action, ...place }) => ({
    id,
    layer,
    title: actionSummary(action, place.done.size),
    detail: actionDetails(action, { ...place, estimates: estimates.get(id) }),
  }));
  const told = baseTestsSection(tests, view.setup);
  const layers = notAsked(view.layers.flatMap(({ id, status }) => (status === 'not asked' ? id : [])));
  const replies = layerReplies(view.replies);
  const sum = digest({
    run: view.run,
    round,
    listed,
    others,
    estimate,
    told,
    ...{ note, layers },
    actions: actions.map(({ action }) => action),
  });
  const issues = actions.reduce((count, each) => count + issuesLeft(each), 0);
  const bodies = listingComments(listed, {
    ...{ digest: sum, issues, others, note, layers, replies, mergesInto: view.mergesInto },
    parallel: parallelOf(ctx, actions),
    candidates: ctx.engineers.candidates,
    ...{ left_usd: view.budget_usd - view.cost_usd, flatPlan: view.flatPlan },
    estimate,
    graph: listingGraph(actions.flatMap(({ action, ...places }) => listedIssues(action, places))),
    tests: told,
  });
  const posts = bodies.map((body, index) => ({
    key: `approval/${round}/listing-${index + 1}`,
    issue: view.issue,
    body,
  }));
  await ctx.intend(posts.map(({ key }) => key));
  const comments: Shown['comments'][number][] = [];
  for (const { issue: on, ...post } of posts) {
    const { comment } = await commentOnce(ctx.step, ctx.github, { issue: on, ...post });
    comments.push({ id: comment, ...post });
  }
  const { id: listing } = present(comments[0], 'the comment of the listing');
  ctx.emit({ change: 'run', to: { replies: [], listing } });
  for (const { id, title } of listed) ctx.emit({ type: 'action_pending', id, action: title, digest: sum });
  return { actions, sum, shown: { comments, issue }, estimates };
}

/** Number of issues that an action would create now. */
const issuesLeft = ({ action, done }: Pick<Listed, 'action' | 'done'>): number =>
  action.action === 'create_issues' ? action.issues.length - done.size : 0;

/** Globs that the issues name. */
export const pathsOf = ({ issues }: { issues: readonly Pick<IssuePlan, 'paths'>[] }): string[] =>
  issues.flatMap(({ paths = [] }) => paths);

interface Decisions {
  /** By the action's id. */
  approved: Map<string, Approval>;
  rejected: { action: Queued; reason: string }[];
  /** A clause: the approval did not count for this reason, and all that is not rejected is listed again. */
  why?: string;
}

/** Takes commands until every action of the listing is decided, or an approval of some does not count. */
async function decisionsOn(ctx: CascadeContext, listing: Listing): Promise<Decisions> {
  const undecided = new Map(listing.actions.map(each => [each.id, each]));
  const approved: Decisions['approved'] = new Map();
  const rejected: Decisions['rejected'] = [];
  const last = present(listing.shown.comments.at(-1), 'the comment of the listing').id;
  let answer: { key: string; body: string } | undefined;
  while (undecided.size > 0) {
    const pending = [...undecided.values()].map(({ id, layer, action, done }) => ({
      ...{ id, layer, title: actionSummary(action, done.size) },
      issues: issuesLeft({ action, done }),
    }));
    const waits = { status: 'waiting', waitingFor: 'approval', digest: listing.sum, pending } as const;
    ctx.emit({ change: 'run', to: waits });
    const decided = answer && ctx.earlier(answer.key, ['approve', 'reject']);
    if (answer && !decided) await commentOnce(ctx.step, ctx.github, { ...answer, issue: ctx.view.issue });
    answer = undefined;
    const command = decided ?? (await ctx.signal(['approve', 'reject']));
    const problem = misfit(command, { last, sum: listing.sum, undecided });
    if (problem !== undefined) {
      await ctx.refuse(command, problem);
      continue;
    }
    const { by, comment } = command.value;
    const approval = { by, comment, shown: listing.shown };
    if (command.name === 'approve') {
      // Before it gets its rocket; it is looked at again before each effect.
      const why = await lookAt(ctx, `command/${command.id}/look`, [...approved.values(), approval]);
      if (why !== undefined) {
        await ctx.refuse(command, why);
        ctx.emit(allDecided);
        return { approved: new Map(), rejected, why };
      }
    }
    const named = idsOf(command);
    for (const id of named.length > 0 ? named : [...undecided.keys()]) {
      const action = present(undecided.get(id), id);
      undecided.delete(id);
      if (command.name === 'approve') approved.set(id, approval);
      else {
        const { reason = '' } = command.value;
        rejected.push({ action, reason });
        ctx.emit({ type: 'action_rejected', id, by, reason });
      }
    }
    await ctx.accept(command);
    if (command.name === 'reject')
      answer = { key: `command/${command.id}/left`, body: partRejected(named, [...undecided.keys()]) };
  }
  ctx.emit(allDecided);
  return { approved, rejected };
}

/** Nothing is listed any more. */
const allDecided: ViewChange = {
  change: 'run',
  to: { status: 'running', pending: [], waitingFor: undefined, digest: undefined, note: undefined },
};

/** Reasons for each layer's rejected actions; layers in the order in which their first one was rejected. */
function reasonsByLayer(rejected: Decisions['rejected']) {
  return Map.groupBy(
    rejected.map(({ action: { layer, action }, reason }) => ({
      layer,
      action,
      title: actionSummary(action),
      reason,
    })),
    ({ layer }) => layer,
  );
}
