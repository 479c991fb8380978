// Pull requests that stand on others: they go where those were merged, and take up what those have become.
import { present } from '@echelon/ground';
import { couldNotRetarget, standsAskew, takesUp } from '../../comments/round.ts';
import { commentOnce } from '../../github/once.ts';
import { type BatchContext, type Slot, slotOf } from '../slots/context.ts';
import { wantFit } from '../slots/fit.ts';
import { sendCommit } from './send-commit.ts';

/** Delivered, not merged, and begun on the branch of this one. */
const above = ({ slots }: BatchContext, { issue }: Slot): Slot[] =>
  slots.filter(
    ({ delivered, stands, view, state }) =>
      delivered && !view.merged && state !== 'failed' && stands?.on.includes(issue.number),
  );

/** A pull request was merged: what stands on it, or `some` of that, goes to the branch that it went to. */
export async function moveDown(
  ctx: BatchContext,
  merged: Slot,
  at: number,
  some = above(ctx, merged),
): Promise<void> {
  for (const slot of some) {
    const base = slot.view.pull === null ? undefined : baseAfter(ctx, slot, merged);
    if (base === undefined || !(await retarget(ctx, slot, base, merged))) continue;
    await takeUp(ctx, slot, { on: merged, branch: base, at });
  }
}

/** The branch to which a pull request goes that opens now: where `base` was merged, if it was. */
export function baseNow(ctx: BatchContext, slot: Slot, base: string): string {
  const below = ctx.slots.find(({ delivered }) => delivered?.branch === base);
  if (below?.delivered) return below.view.merged ? baseNow(ctx, below, below.delivered.base) : base;
  return slot.stands?.on.every(number => slotOf(ctx, number)?.view.merged) ? ctx.base.branch : base;
}

/** Its pull request waited for a place, and is open now: takes up what happened to what it stands on. */
export async function catchUp(ctx: BatchContext, slot: Slot, at: number): Promise<void> {
  for (const number of slot.stands?.on ?? []) {
    const below = slotOf(ctx, number);
    if (below?.view.merged) await moveDown(ctx, below, at, [slot]);
  }
  if (slot.behind) await takeUpBelow(ctx, slot, at);
}

/** New base of the pull request; undefined: it stays, because others that it stands on are not merged yet. */
function baseAfter(ctx: BatchContext, slot: Slot, merged: Slot): string | undefined {
  const below = present(merged.delivered, 'the merged branch');
  if (slot.delivered?.base === below.branch) return below.base;
  const waits = slot.stands?.on.some(number => !slotOf(ctx, number)?.view.merged);
  return waits ? undefined : ctx.base.branch;
}

/** GitHub has done it where the branch was deleted. Answers whether it goes there. */
async function retarget(ctx: BatchContext, slot: Slot, base: string, merged: Slot): Promise<boolean> {
  const { number } = slot.issue;
  const pull = present(slot.view.pull, 'the pull request');
  const key = `issue/${number}/retarget-${merged.issue.number}`;
  const done = await ctx.step<{ base: string } | { refused: string }>(key, async () => {
    const now = await ctx.github.pull(pull);
    if (now?.state !== 'open') return { refused: '' };
    if (now.base === base) return { base };
    const changed = await ctx.github.changePull(pull, { base });
    return 'refused' in changed ? changed : { base };
  });
  if ('base' in done) {
    slot.delivered = { ...present(slot.delivered, 'the branch'), base };
    return true;
  }
  if (done.refused !== '')
    await commentOnce(ctx.step, ctx.github, {
      key: `${key}/told`,
      issue: pull,
      body: couldNotRetarget(base, done.refused),
    });
  return false;
}

/** The branch of this one has changed: what stands on it takes that up, and so does what stands on that. */
export async function carryUp(ctx: BatchContext, changed: Slot, at: number): Promise<void> {
  for (const slot of above(ctx, changed)) {
    // Its round would have to be done again, a person works on it, or it is not open yet; it catches up when that is over.
    if (slot.round || slot.held || slot.view.pull === null) {
      slot.behind = true;
      continue;
    }
    const branch = present(changed.delivered, 'the changed branch').branch;
    if (await takeUp(ctx, slot, { on: changed, branch, at })) await carryUp(ctx, slot, at);
  }
}

/** Takes up what all that it stands on have become. */
export async function takeUpBelow(ctx: BatchContext, slot: Slot, at: number): Promise<void> {
  delete slot.behind;
  for (const number of slot.stands?.on ?? []) {
    const on = slotOf(ctx, number);
    if (on?.delivered && !on.view.merged) await takeUp(ctx, slot, { on, branch: on.delivered.branch, at });
  }
}

interface Below {
  on: Slot;
  /** Branch that holds it now. */
  branch: string;
  at: number;
}

/** `held`: its checks wait. */
type TakenUp = { commit: string; held?: true } | { conflicts: string[]; theirs: string };

/** Merges a branch into that of a slot by a commit of ours, where the two fit. Answers whether it moved. */
async function takeUp(ctx: BatchContext, slot: Slot, below: Below): Promise<boolean> {
  const delivered = present(slot.delivered, 'the branch');
  const key = `issue/${slot.issue.number}/take-up-${++slot.takenUp}`;
  const taken = await ctx.step<TakenUp>(key, async () => {
    await (await ctx.mirror()).fetch();
    return await merged(ctx, slot, below);
  });
  if ('conflicts' in taken) {
    const cause = !below.on.view.merged ? [below.on.issue.number] : [];
    if (wantFit(ctx, [...cause, slot.issue.number], taken.theirs)) return false;
    await commentOnce(ctx.step, ctx.github, {
      key: `${key}/told`,
      issue: present(slot.view.pull, 'the pull request'),
      body: standsAskew(below.on.view.pull, below.branch, taken.conflicts),
    });
    return false;
  }
  slot.delivered = { ...delivered, commit: taken.commit };
  if (taken.held) slot.checksHeld = true;
  return taken.commit !== delivered.commit;
}

/** Twice is once: a branch that holds the other already stays as it is. */
async function merged(ctx: BatchContext, slot: Slot, { on, branch, at }: Below): Promise<TakenUp> {
  const mirror = await ctx.mirror();
  const own = present(slot.delivered, 'the branch');
  const ours = await mirror.resolve(own.branch);
  const theirs = await mirror.resolve(branch);
  if (!ours || !theirs || (await mirror.contains(ours, theirs))) return { commit: ours ?? own.commit };
  const fields = { message: takesUp(on.view.pull), date: new Date(at).toISOString() };
  const before = on.delivered?.commit;
  const isMerged = on.view.merged && before !== undefined;
  // Merged as it was: its commits are the same, and what else came to that branch is none of this one's.
  if (isMerged && (await mirror.contains(theirs, before))) return { commit: ours };
  const made =
    isMerged && (await mirror.contains(ours, before))
      ? await mirror.mergeAbove(before, { ours, theirs }, fields)
      : await mirror.merge([ours, theirs], fields);
  if ('conflicts' in made) return { ...made, theirs };
  const isNew = (await mirror.treeOf(made.commit)) !== (await mirror.treeOf(ours));
  const what = { branch: own.branch, commit: made.commit, expect: ours };
  // Checks may go on if the change was read before and no file differs.
  const sent = await sendCommit(ctx, what, slot.checksHeld || isNew);
  // Somebody pushed in this moment; a branch that the server keeps as it is, stays.
  return 'refused' in sent ? { commit: ours } : sent;
}
