// A round that makes a branch fit beside others: they are merged into it before the engineer begins, so what the tests
// and the evaluator judge is all of them together, and the branch stands on them afterwards.
import { present } from '@echelon/ground';
import type { Mirror } from '@echelon/ground/workspace';
import { type BatchContext, type FitStart, type Slot, slotOf, startedOf, stepsOf } from './context.ts';
import {
  MAX_ROUNDS,
  mergedWithoutPull,
  notDelivered,
  pullIsClosed,
  pullIsMerged,
  roundsUsedUp,
} from '../../comments/round.ts';
import { changeIssue } from './slot-changes.ts';
import type { Fit, Merge } from '../jobs/job-spec.ts';

/** True if a text has git's conflict markers around both sides. */
export const hasMarks = (text: string): boolean => /^<{7} /m.test(text) && /^>{7} /m.test(text);

/** Bytes of a file in which they are looked for. */
export const MAX_MARKED = 4 << 20;

type Other = Awaited<ReturnType<typeof baseNow>>;

/** Merges what it is to fit with into the branch, which stands at `head`. Undefined: the branch has all of it. */
export async function fitOf(ctx: BatchContext, head: string, on: number[]): Promise<FitStart | undefined> {
  const mirror = await ctx.mirror();
  await mirror.fetch();
  const others = on.length > 0 ? on.flatMap(number => otherOf(ctx, number)) : [await baseNow(ctx, mirror)];
  const merge: Merge = {
    commits: [head, ...others.map(({ commit }) => commit)],
    message: 'Together',
    date: new Date(ctx.view.started).toISOString(),
    marked: true,
  };
  const { commit, conflicts } = await mirror.mergeAll(merge.commits, merge, true);
  if (commit === head) return undefined;
  const diffs: Fit['others'] = [];
  for (const other of others)
    diffs.push({ ...other, parted: (await mirror.mergeBase(head, other.commit)) ?? ctx.base.commit });
  return { on, merge, commit, told: { head, others: diffs, conflicts } };
}

function otherOf(ctx: BatchContext, number: number): Other[] {
  const slot = slotOf(ctx, number);
  if (!slot?.delivered) return [];
  const { view, issue, delivered } = slot;
  return [{ commit: delivered.commit, name: `#${view.pull ?? number}`, title: issue.title }];
}

async function baseNow({ base }: BatchContext, mirror: Mirror) {
  return {
    commit: (await mirror.resolve(base.branch)) ?? base.commit,
    name: base.branch,
    title: 'what others have merged',
  };
}

/** Files of a tree that conflicted, and have both sides between marks still, or are too large to be looked at. */
export async function unresolved(
  mirror: Mirror,
  tree: string,
  { conflicts }: Pick<Fit, 'conflicts'>,
): Promise<string[]> {
  const left: string[] = [];
  for (const path of conflicts) {
    const bytes = await mirror.readFile(tree, path, MAX_MARKED);
    if (bytes ? hasMarks(bytes.toString('utf8')) : await mirror.find(tree, path)) left.push(path);
  }
  return left;
}

/** The round is pushed: it is merged after the others, and its pull request shows its own change only. */
export async function standOn(ctx: BatchContext, slot: Slot, { on }: FitStart): Promise<void> {
  if (on.length === 0) return;
  const { stands } = startedOf(slot);
  slot.stands = { ...stands, on: [...new Set([...stands.on, ...on])] };
  changeIssue(ctx, slot, { standsOn: slot.stands.on });
  const delivered = present(slot.delivered, 'the branch');
  const standsOn = slot.stands.on.flatMap(number => slotOf(ctx, number)?.view.pull ?? []);
  const base = baseOn(ctx, delivered.base, on);
  slot.delivered = { ...delivered, text: { ...delivered.text, standsOn } };
  if (base === undefined) return;
  const pull = present(slot.view.pull, 'the pull request');
  // If GitHub refuses the new base, the pull request also shows the branches below.
  const moved = await ctx.step(
    `${stepsOf(slot)}/base`,
    async () => 'changed' in (await ctx.github.changePull(pull, { base })),
  );
  if (moved) slot.delivered = { ...slot.delivered, base };
}

/** The branch that its pull request goes to from now on; undefined: where it went, for it stands on several. */
function baseOn(ctx: BatchContext, base: string, [first, ...more]: number[]): string | undefined {
  if (more.length > 0 || base !== ctx.base.branch) return undefined;
  return slotOf(ctx, first)?.delivered?.branch;
}

/** Delivered, and a round is wanted that has not begun. */
export const wantsRound = ({ wants, state, held }: Slot): boolean =>
  wants !== undefined && state === 'done' && !held;

/** Reason for starting no further round on its pull request, as a clause. */
export function whyNoRound({ issue, state, view, round, rounds }: Slot): string | undefined {
  const { pull, merged } = view;
  if (pull === null) return merged ? mergedWithoutPull(issue.number) : notDelivered(issue.number);
  if (merged) return pullIsMerged(pull);
  if (state === 'failed') return pullIsClosed(pull);
  if (rounds >= MAX_ROUNDS) return roundsUsedUp(pull);
  return state === 'done' || round ? undefined : notDelivered(issue.number);
}

/**
 * Of branches that do not fit together, the one that is merged last gets a round that makes it fit: once with the same
 * `heads` of the others, or of the base where there is no other. Returns true if it gets one.
 */
export function wantFit(ctx: BatchContext, cause: readonly number[], heads?: string): boolean {
  const slot = slotOf(ctx, cause.at(-1));
  const others = cause.slice(0, -1);
  const at =
    heads ?? (others.map(each => slotOf(ctx, each)?.delivered?.commit).join(' ') || ctx.together.base);
  if (!slot || !at || slot.held || slot.fitted?.includes(at) || whyNoRound(slot) !== undefined) return false;
  slot.fitted = [...(slot.fitted ?? []), at];
  slot.wants ??= [];
  slot.fits = others;
  return true;
}
