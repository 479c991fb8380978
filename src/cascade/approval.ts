// Approval: one listing of what would be done, decided by comments, checked again before anything is done.
import type { Approve } from '../commands/approve.ts';
import type { Reject } from '../commands/reject.ts';
import { type ListedAction, listingComments } from '../comments/listing.ts';
import { commentOnce } from '../github/once.ts';
import { marked, operationKey } from '../record/marker.ts';
import { digest } from '../lib/json.ts';
import type { SignalEntry } from '../record/journal.ts';
import type { LayerId } from '../lib/layers.ts';
import type { CascadeContext, Queued } from './context.ts';
import { detail } from './detail.ts';
import { outline } from './outline.ts';

/** What `/approve` and `/reject` carry, from the door. */
type Decided = { by: string; comment: number } & (Pick<Approve, 'what'> | Pick<Reject, 'ids' | 'reason'>);

type Revise = (layer: LayerId, reasons: { title: string; reason: string }[]) => Promise<Queued[]>;

/**
 * Brings every queued action to a decision and answers the approved ones in their order. Rejections go back to
 * the layer that asked, once, and what it answers is listed anew.
 */
export async function decide(
  ctx: CascadeContext,
  queue: readonly Queued[],
  revise: Revise,
): Promise<Queued[]> {
  if (ctx.dryRun) return [];
  if (ctx.approval === 'none') return [...queue];
  const approved: Queued[] = [];
  const asked = new Set<LayerId>();
  let open = [...queue];
  for (let round = 1; open.length > 0; round++) {
    const decision = await listAndWait(ctx, open, round);
    if (decision.void) continue;
    approved.push(...decision.approved);
    open = [];
    const layers = new Set(decision.rejected.map(each => each.action.layer));
    for (const layer of layers) {
      if (asked.has(layer)) continue;
      asked.add(layer);
      const own = decision.rejected.filter(each => each.action.layer === layer);
      open.push(
        ...(await revise(
          layer,
          own.map(each => ({ title: outline(each.action.action), reason: each.reason })),
        )),
      );
    }
  }
  return approved;
}

interface Decision {
  approved: Queued[];
  rejected: { action: Queued; reason: string }[];
  /** The listing did not stand any more when it was to be performed: it has to be listed anew. */
  void?: true;
}

async function listAndWait(ctx: CascadeContext, open: readonly Queued[], round: number): Promise<Decision> {
  const { view } = ctx;
  const listed: ListedAction[] = open.map(({ id, layer, action }) => ({
    id,
    layer,
    title: outline(action),
    detail: detail(action),
  }));
  const sum = digest({ run: view.run, round, listed, actions: open.map(each => each.action) });
  const issues = open.flatMap(each =>
    each.action.action === 'create_issues' ? each.action.issues : [],
  ).length;
  const bodies = listingComments(listed, sum, { budget_usd: view.budget_usd - view.cost_usd, issues });
  const keys = bodies.map((_, index) => `approval/${round}/listing-${index + 1}`);
  await ctx.intend(keys);
  const comments: number[] = [];
  for (const [index, body] of bodies.entries()) {
    const { comment } = await commentOnce(ctx.step, ctx.github, {
      key: keys[index]!,
      issue: view.issue,
      body,
    });
    comments.push(comment);
  }
  for (const { id, title } of listed) ctx.emit({ type: 'action_pending', id, action: title, digest: sum });

  const undecided = new Map(open.map(each => [each.id, each]));
  const approved = new Map<string, { action: Queued; by: string }>();
  const rejected: Decision['rejected'] = [];
  while (undecided.size > 0) {
    view.status = 'waiting';
    view.waitingFor = 'approval';
    view.digest = sum;
    view.pending = [...undecided.values()].map(({ id, layer, action }) => ({
      id,
      layer,
      title: outline(action),
    }));
    const command = await ctx.signal(['approve', 'reject']);
    const problem = misfit(command, { last: comments.at(-1)!, sum, undecided });
    if (problem) {
      await ctx.refuse(command, problem);
      continue;
    }
    const { by, reason } = command.value as unknown as { by: string; reason?: string };
    const named = idsOf(command);
    for (const id of named.length > 0 ? named : [...undecided.keys()]) {
      const action = undecided.get(id)!;
      undecided.delete(id);
      if (command.name === 'approve') approved.set(id, { action, by });
      else {
        rejected.push({ action, reason: reason ?? '' });
        ctx.emit({ type: 'action_rejected', id, by, reason: reason ?? '' });
      }
    }
    await ctx.accept(command);
  }
  view.status = 'running';
  view.pending = [];
  delete view.waitingFor;
  delete view.digest;
  if (approved.size > 0) {
    const still = await stands(ctx, round, comments, bodies, keys, [
      ...new Set([...approved.values()].map(each => each.by)),
    ]);
    if (still !== true) {
      view.note = `The approval does not count: ${still}. The actions are listed again.`;
      return { approved: [], rejected: [], void: true };
    }
  }
  return { approved: open.filter(each => approved.has(each.id)), rejected };
}

/** Why a command does not fit the listing, in one sentence; undefined where it does. */
function misfit(
  command: SignalEntry,
  listing: { last: number; sum: string; undecided: ReadonlyMap<string, Queued> },
): string | undefined {
  const value = command.value as unknown as Decided;
  const open = [...listing.undecided.keys()].join(', ');
  if (value.comment < listing.last) return 'your comment is older than the listing it would decide on';
  const digest =
    'what' in value && typeof value.what === 'object' && 'digest' in value.what ? value.what.digest : '';
  if (!listing.sum.startsWith(digest))
    return `${digest} is not the listing that waits, which is ${listing.sum.slice(0, 12)}`;
  const unknown = idsOf(command).filter(id => !listing.undecided.has(id));
  if (unknown.length > 0) return `${unknown.join(', ')} does not wait for a decision; what does: ${open}`;
  return undefined;
}

/** The actions a command names; none: everything that is listed. */
function idsOf(command: SignalEntry): string[] {
  const value = command.value as unknown as Decided;
  if ('ids' in value) return value.ids;
  return 'what' in value && typeof value.what === 'object' && 'ids' in value.what ? value.what.ids : [];
}

/** True when what was shown is what stands there now and whoever approved may still write; else the reason. */
async function stands(
  ctx: CascadeContext,
  round: number,
  comments: readonly number[],
  bodies: readonly string[],
  keys: readonly string[],
  approvers: readonly string[],
): Promise<true | string> {
  const identity = { repository: ctx.github.id, issue: ctx.view.issue, run: ctx.view.run };
  const { why } = await ctx.step(`approval/${round}/stands`, async () => {
    const thread = await ctx.github.thread(ctx.view.issue);
    for (const [index, id] of comments.entries()) {
      const comment = thread.comments.find(each => each.id === id);
      if (!comment) return { why: 'a comment of the listing was deleted' };
      const shown = marked(bodies[index]!, operationKey(identity, keys[index]!));
      if (comment.editedBy !== null || plain(comment.body) !== plain(shown))
        return { why: `the listing was edited${comment.editedBy ? ` by ${comment.editedBy}` : ''}` };
    }
    for (const login of approvers) {
      const permission = await ctx.github.permission(login);
      if (!['admin', 'maintain', 'write'].includes(permission))
        return { why: `${login}, who approved, has only ${permission} access now` };
    }
    return { why: null };
  });
  return why ?? true;
}

/** GitHub may store other line ends than it was sent. */
const plain = (body: string) => body.replace(/\r\n/g, '\n').trim();
