// Approval: one listing of what would be done, decided by comments, checked again before anything is done.
import { digest, present } from '@echelon/ground';
import { baseTestsSection } from '../comments/base-tests.ts';
import { layerReplies, notAsked, planExists } from '../comments/layer-reply.ts';
import {
  type ListedAction,
  listingComments,
  listingGraph,
  partRejected,
  voided,
} from '../comments/listing.ts';
import { noted, type ViewChange } from '../comments/fold.ts';
import type { IssueEstimate } from '../comments/view.ts';
import { commentOnce } from '../github/once.ts';
import type { LayerId } from '../layers.ts';
import { estimateRun } from '../scheduler/estimate.ts';
import type { CascadeContext, Listed, Queued } from './context.ts';
import { actionDetails, listedIssues, actionSummary } from './action-details.ts';
import { type Change, changed, changes, without } from './change-request.ts';
import { idsOf, misfit, type Approval, lookAt, type Shown, textDigest } from './standing.ts';
import { broughtUpToDate, existingIn, textsNow } from './existing.ts';
import { type Known, knownOf, widthOf } from './known.ts';
import { issuesIn, placed, type ApprovalRounds } from './places.ts';

export type Revise = (layer: LayerId, reasons: readonly Rejected[]) => Promise<Queued[]>;

export interface Rejected extends Listed {
  reason: string;
}

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
  if (ctx.config.dry_run) return [];
  ctx.emit(estimateRun(ctx.view));
  if (queue.length === 0) return [];
  const tests = await ctx.tests();
  // Others may have written the texts of issues that exist: somebody is to have read them.
  if (ctx.config.approval === 'none' && existingIn(queue).length === 0) {
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
    const listing = await postListing(ctx, now, { approved, round: rounds.round, tests, note: said });
    const decisions = await decisionsOn(ctx, listing);
    // As they were listed, whichever was approved first.
    for (const { id } of now) approved.push(...decisions.approved.filter(each => each.id === id));
    ({ said } = decisions);
    if (said !== '') ctx.emit(noted(said));
    const revised: Queued[] = [];
    for (const [layer, reasons] of Map.groupBy(decisions.rejected, each => each.layer)) {
      if (rounds.revised.has(layer)) continue;
      rounds.revised.add(layer);
      revised.push(...(await revise(layer, reasons)));
    }
    open = [...decisions.again, ...later, ...placed(revised, rounds)];
  }
  return approved;
}

/** Actions that are shown and wait for a decision. */
interface Listing {
  round: number;
  actions: readonly Listed[];
  /** Digest of what is shown and of the actions themselves. */
  sum: string;
  shown: Shown;
  estimates: Known['estimates'];
}

/** Posts the comments of a listing and tells what waits. */
async function postListing(
  ctx: CascadeContext,
  waiting: readonly Listed[],
  { note: noted, ...before }: Parameters<typeof knownOf>[2] & { note: string },
): Promise<Listing> {
  const { view } = ctx;
  const { round, tests } = before;
  // Before the listing, so that whatever changes from then on is seen.
  const { issue, texts } = await ctx.step<Pick<Shown, 'issue' | 'texts'>>(
    `approval/${round}/text`,
    async () => {
      const issue = textDigest(await ctx.github.thread(view.issue));
      const texts = await textsNow(ctx.github, view.issue, existingIn(waiting));
      return { issue, ...(texts.length > 0 && { texts }) };
    },
  );
  const { actions, said } = broughtUpToDate(waiting, texts ?? []);
  const note = [noted, ...said].filter(Boolean).join('\n');
  const { others, estimate, estimates } = await knownOf(ctx, actions, before);
  const listed: ListedAction[] = actions.map(({ id, layer, action, ...place }) => ({
    id,
    ...(!texts && { layer }),
    title: actionSummary(action, place.done),
    detail: actionDetails(action, { ...place, estimates: estimates.get(id) }),
  }));
  const told = baseTestsSection(tests, view.setup);
  const layers = texts
    ? planExists
    : notAsked(view.layers.flatMap(({ id, status }) => (status === 'not asked' ? id : [])));
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
    parallel: widthOf(ctx, actions),
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
  return { round, actions, sum, shown: { comments, issue, ...(texts && { texts }) }, estimates };
}

/** Number of issues that an action would create now. */
const issuesLeft = (each: Listed): number => issuesIn(each).length - each.done.size;

interface Decisions {
  approved: Approved[];
  rejected: Rejected[];
  /** Listed again: they were changed, or an approval did not count. */
  again: readonly Listed[];
  /** Said above the next listing; empty where nothing is listed again. */
  said: string;
}

/** Takes commands until every action is decided, a person changes what is listed, or an approval does not count. */
async function decisionsOn(ctx: CascadeContext, listing: Listing): Promise<Decisions> {
  const undecided = new Map(listing.actions.map(each => [each.id, each]));
  const approved: Approved[] = [];
  const rejected: Decisions['rejected'] = [];
  const last = present(listing.shown.comments.at(-1), 'the comment of the listing').id;
  const standing = { ...listing, last, undecided };
  let answer: { key: string; body: string } | undefined;
  while (undecided.size > 0) {
    const pending = [...undecided.values()].map(each => {
      const { id, layer, action, done } = each;
      return { id, layer, title: actionSummary(action, done), issues: issuesLeft(each) };
    });
    const waits = { status: 'waiting', waitingFor: 'approval', digest: listing.sum, pending } as const;
    ctx.emit({ change: 'run', to: waits });
    const names = ['approve', 'reject', ...changes] as const;
    const decided = answer && ctx.earlier(answer.key, names);
    if (answer && !decided) await commentOnce(ctx.step, ctx.github, { ...answer, issue: ctx.view.issue });
    answer = undefined;
    const command = decided ?? (await ctx.signal(names));
    const problem = misfit(command, standing);
    if (problem !== undefined) {
      await ctx.refuse(command, problem);
      continue;
    }
    if (command.name !== 'approve' && command.name !== 'reject') {
      const again = await takeChanges(ctx, standing, command);
      if (again.said === '') continue;
      ctx.emit(allDecided);
      return { approved, rejected, ...again };
    }
    const { by, comment } = command.value;
    const named = idsOf(command);
    const meant = [...undecided.values()].filter(({ id }) => named.length === 0 || named.includes(id));
    if (command.name === 'approve') {
      const approval = { by, comment, shown: listing.shown };
      const left = without(meant, command.value.without ?? []);
      if (typeof left === 'string') {
        await ctx.refuse(command, left);
        continue;
      }
      // Before it gets its rocket; it is looked at again before each effect.
      const approvals = [...approved.flatMap(each => each.approval ?? []), approval];
      const why = await lookAt(ctx, `command/${command.id}/look`, approvals);
      if (why !== undefined) {
        await ctx.refuse(command, why);
        ctx.emit(allDecided);
        const again = listing.actions.filter(({ id }) => rejected.every(each => each.id !== id));
        return { approved: [], rejected, again, said: voided(why, []) };
      }
      for (const each of left)
        approved.push({ ...each, approval, estimates: listing.estimates.get(each.id) });
    } else
      for (const each of meant) {
        const { reason = '' } = command.value;
        rejected.push({ ...each, reason });
        ctx.emit({ type: 'action_rejected', id: each.id, by, reason });
      }
    for (const { id } of meant) undecided.delete(id);
    await ctx.accept(command);
    if (command.name === 'reject')
      answer = { key: `command/${command.id}/left`, body: partRejected(named, [...undecided.keys()]) };
  }
  ctx.emit(allDecided);
  return { approved, rejected, again: [], said: '' };
}

/** Makes a change, and those that came with it: one listing shows them all. */
async function takeChanges(
  ctx: CascadeContext,
  listing: { sum: string; round: number; last: number; undecided: ReadonlyMap<string, Listed> },
  first: Change,
): Promise<Pick<Decisions, 'again' | 'said'>> {
  let again: readonly Listed[] = [...listing.undecided.values()];
  const said: string[] = [];
  for (let command: Change | undefined = first; command; ) {
    const open = again.reduce((sum, each) => sum + issuesLeft(each), ctx.view.issues.length);
    const after = misfit(command, listing) ?? changed(again, command, ctx.config.limits.issues - open);
    if (typeof after === 'string') await ctx.refuse(command, after);
    else {
      again = after.actions;
      said.push(after.said);
      await ctx.accept(command);
    }
    // Without a change nothing is listed, and what comes then is taken as it comes.
    command = said.length > 0 ? ctx.earlier(`approval/${listing.round + 1}/text`, changes) : undefined;
  }
  return { again, said: said.join('\n') };
}

/** Nothing is listed any more. */
const allDecided: ViewChange = {
  change: 'run',
  to: { status: 'running', pending: [], waitingFor: undefined, digest: undefined, note: undefined },
};
