// From a job's bundle to a branch, as steps of the run: check and commit, then push. Runs nothing of the repository.
import { applyBundle, bundleLimits, isNamedToReviewers, type Mirror } from '@echelon/ground/workspace';
import { pullTitle } from '../../comments/pull.ts';
import { roundTitle } from '../../comments/round.ts';
import { stillMarked } from '../../comments/together.ts';
import { type Committed, type EngineerContext, type Slot, startedOf, stepsOf } from '../slots/context.ts';
import { unresolved } from '../slots/fit.ts';
import { packageChanges } from '../project/new-packages.ts';
import { findSent, noteSent, type Sent, sendCommit } from './send-commit.ts';

/** Commits the bundle of the slot's last job, once. `refused`: why it may not leave. */
export async function commitBundle(
  ctx: EngineerContext,
  slot: Slot,
  /** Arrival of the report: the commit's date (milliseconds since the epoch). */
  at: number,
): Promise<Committed | { refused: string }> {
  const key = `${stepsOf(slot)}/commit`;
  // An undeliverable change is kept as well.
  if (slot.made?.key !== key) slot.made = { key, ...(await ctx.step(key, () => committed(ctx, slot, at))) };
  return slot.made;
}

/** The same bundle at the same time makes the same commit, in whatever mirror. */
export async function committed(
  ctx: EngineerContext,
  slot: Slot,
  at: number,
): Promise<Committed | { refused: string }> {
  const { issue } = slot;
  const { op, stands } = startedOf(slot);
  const mirror = await ctx.mirror();
  const fit = slot.round?.fit;
  const base = fit?.commit ?? slot.round?.head ?? stands.commit;
  await ensure(mirror, base, async () => {
    if (slot.round) await mirror.fetch();
    const merge = fit?.merge ?? (slot.round ? undefined : stands.merge);
    if (merge) await mirror.mergeAll(merge.commits, merge, merge.marked);
  });
  const applied = await applyBundle({
    mirror,
    folder: await ctx.jobs.folder(op),
    base,
    limits: bundleLimits,
    protectedPaths: [...ctx.config.protected_paths],
    secrets: [...ctx.settings.secrets],
  });
  if ('refused' in applied)
    return {
      refused: applied.refused
        .slice(0, 10)
        .map(({ path, reason }) => `${path}: ${reason}`)
        .join('; '),
    };
  // People may want an answer only.
  if (slot.round && !fit && applied.files.length === 0) return { commit: base, tree: applied.tree, files: 0 };
  const marked = fit ? await unresolved(mirror, applied.tree, fit.told) : [];
  if (marked.length > 0) return { refused: stillMarked(marked) };
  const others = fit?.told.others.map(({ name }) => name) ?? [];
  const mends =
    slot.round?.wanted.asked.every(({ by }) => by === null) && slot.round.wanted.threads.length === 0;
  const title = slot.round
    ? roundTitle(slot.view.pull, slot.rounds, { others, mends })
    : pullTitle(issue.title);
  const commit = await mirror.commitTree({
    tree: applied.tree,
    parents: fit?.merge.commits ?? [base],
    message: `${title}\n\nIssue: #${issue.number}\nEchelon-Op: ${op}\n`,
    date: new Date(at).toISOString(),
  });
  const told = applied.files.filter(isNamedToReviewers);
  const packages = await packageChanges(mirror, { base, commit, paths: applied.files });
  return {
    commit,
    tree: applied.tree,
    files: applied.files.length,
    ...(told.length > 0 && { instructions: told }),
    ...(packages && { packages }),
  };
}

/** A commit that no branch has yet is known to the process that made it only: another one makes it again. */
async function ensure(mirror: Mirror, commit: string, make: () => Promise<unknown>): Promise<void> {
  if ((await mirror.resolve(commit)) === undefined) await make();
}

interface Push {
  key: string;
  name: string;
  commit: string;
  /** Required head of the branch; null: it must not exist. */
  expect?: string | null;
  /** Makes the commit in a mirror that does not have it. Default: it is that of the slot's bundle. */
  make?: () => Promise<unknown>;
}

/**
 * Brings a branch to a commit: one that must not be there yet, or, in a round on a pull request, that must stand where it
 * began. `refused`: the server takes none, or it is `elsewhere`, and was not moved.
 */
export async function pushBranch(
  ctx: EngineerContext,
  slot: Slot,
  { key, name, commit, expect = slot.round?.head ?? null, make = () => committed(ctx, slot, at) }: Push,
  at: number,
): Promise<Sent> {
  const what = { branch: name, commit, expect };
  const prepare = async () => await ensure(await ctx.mirror(), commit, make);
  // The commit has the time at which the report came in, which is written before: in the mirror it is the same after a crash.
  await ctx.intend([key]);
  const sent = await ctx.step<Sent>(
    key,
    async () => {
      await prepare();
      return await sendCommit(ctx, what);
    },
    {
      find: async () => {
        await prepare();
        return await findSent(ctx, what);
      },
    },
  );
  noteSent(ctx, commit, sent);
  return sent;
}
