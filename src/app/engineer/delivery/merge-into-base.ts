// Finished work that gets no pull request: its branch is merged into the base branch, and its issue closed.
import {
  conflictsInBase,
  mergeRefused,
  mergedComment,
  mergeTitle,
  takesBase,
} from '../../comments/together.ts';
import { commentOnce } from '../../github/once.ts';
import { branchName } from '../../scheduler/branches.ts';
import { type BatchContext, type Committed, type Reported, stepsOf } from '../slots/context.ts';
import { changeIssue, move } from '../slots/slot-changes.ts';
import type { AttemptEnd } from './fail.ts';
import type { JobReport } from '../jobs/report-spec.ts';
import { committed, pushBranch } from './push.ts';

type Delivered = Reported<Extract<JobReport, { kind: 'bundle' }>>;

/** Number of tries if somebody changes the base branch at that moment. */
const MAX_TRIES = 3;

/**
 * Merges the commit of an attempt: brought up to the base branch as it is, pushed, and that very commit merged by the
 * server, which lets nobody come between. What is worked from then on begins there. Answers what kept it from that.
 */
export async function mergeIntoBase(
  ctx: BatchContext,
  delivered: Delivered,
  { commit, instructions = [], into }: Pick<Committed, 'commit' | 'instructions'> & { into: string },
): Promise<AttemptEnd | undefined> {
  const { slot, at } = delivered;
  const name = branchName(ctx.view.run, slot.issue.number, slot.issue.title);
  let refused: { base: string; why: string } | undefined;
  for (let nth = 1; ; nth++) {
    const under = `${stepsOf(slot)}/merge-${nth}`;
    const fit = await ctx.step<Fit>(`${under}/fit`, async () => await fitted(ctx, { commit, into, at }));
    if ('gone' in fit) return { kind: 'merge', detail: mergeRefused(into, 'there is no such branch') };
    // Nobody came between: a rule of the branch says no with the same words as a conflict.
    if (refused?.base === fit.base) return { kind: 'merge', detail: mergeRefused(into, refused.why) };
    ctx.base = { ...ctx.base, commit: fit.base };
    if ('conflicts' in fit) return { kind: 'conflict', detail: conflictsInBase(into, fit.conflicts) };
    const make = async () => {
      await committed(ctx, slot, at);
      await fitted(ctx, { commit, into: fit.base, at });
    };
    const push = { key: `${under}/push`, name, commit: fit.commit, expect: slot.pushed ?? null, make };
    const pushed = await pushBranch(ctx, slot, push, at);
    if ('refused' in pushed) return { kind: 'push', detail: pushed.refused };
    changeIssue(ctx, slot, { branch: name });
    slot.pushed = pushed.commit;
    const message = mergeTitle(slot.issue);
    const merged = await ctx.step<Merged>(`${under}/into`, async () => {
      const done = await ctx.github.merge({ base: into, head: pushed.commit, message });
      if ('refused' in done) return done;
      const ours = await ctx.mirror();
      // Later attempts begin at that commit. A process that died before saving the merge finds it in the base branch.
      await ours.fetch();
      return { commit: done.merged ?? (await ours.resolve(into)) ?? pushed.commit };
    });
    if ('commit' in merged)
      return await mergedAt(ctx, delivered, { into, instructions, commit: merged.commit });
    if (!merged.conflict || nth === MAX_TRIES)
      return { kind: 'merge', detail: mergeRefused(into, merged.refused) };
    refused = { base: fit.base, why: merged.refused };
  }
}

/** `base`: where the base branch stood. */
type Fit = { gone: true } | ({ base: string } & ({ commit: string } | { conflicts: string[] }));

/** The commit on top of which nothing of the base branch is missing. The same base makes the same commit. */
async function fitted(
  ctx: BatchContext,
  { commit, into, at }: { commit: string; into: string; at: number },
): Promise<Fit> {
  const mirror = await ctx.mirror();
  await mirror.fetch();
  const base = await mirror.resolve(into);
  if (base === undefined) return { gone: true };
  const fields = { message: takesBase, date: new Date(at).toISOString() };
  return { base, ...(await mirror.merge([commit, base], fields)) };
}

type Merged = { commit: string } | { refused: string; conflict: boolean };

/** The issue is told, and closed. */
async function mergedAt(
  ctx: BatchContext,
  { slot, report }: Delivered,
  told: { into: string; commit: string; instructions: readonly string[] },
): Promise<undefined> {
  const { number } = slot.issue;
  const { into, commit } = told;
  ctx.base = { ...ctx.base, commit };
  delete slot.pushed;
  changeIssue(ctx, slot, { merged: true });
  move(ctx, slot, 'done', `merged into ${into}`);
  const said = { ...report, ...told, branch: slot.view.branch ?? '', cost_usd: slot.view.cost_usd };
  await commentOnce(ctx.step, ctx.github, {
    key: `issue/${number}/told-merged`,
    issue: number,
    body: mergedComment(said),
  });
  await ctx.step(`issue/${number}/close`, () => ctx.github.closeIssue(number));
}
