// From a job's bundle to a branch, as steps of the run: check and commit, then push. Runs nothing of the repository.
import { pullTitle } from '../comments/pull.ts';
import { applyBundle } from '../../workspace/apply-bundle.ts';
import { bundleLimits, isInstructions } from '../../workspace/index-changes.ts';
import { BranchElsewhere } from '../../workspace/mirror.ts';
import { type EngineerContext, type Slot, startedOf } from './context.ts';

export interface Committed {
  commit: string;
  /** How many were changed, and which of them instruct coding agents. */
  files: number;
  instructions?: string[];
}

/** Where the steps of a slot's present attempt are. */
export const stepsOf = ({ issue, attempt }: Slot) => `issue/${issue.number}/attempt-${attempt}`;

/** Commits the bundle of the slot's last job. `refused`: why it may not leave. */
export function commitBundle(
  ctx: EngineerContext,
  slot: Slot,
  /** When the report came in: the commit's date (milliseconds since the epoch). */
  at: number,
): Promise<Committed | { refused: string }> {
  const { issue } = slot;
  const { op, stands } = startedOf(slot);
  return ctx.step<Committed | { refused: string }>(`${stepsOf(slot)}/commit`, async () => {
    const mirror = await ctx.mirror();
    const applied = await applyBundle({
      mirror,
      folder: await ctx.jobs.folder(op),
      base: stands.commit,
      limits: bundleLimits,
      protectedPaths: [...ctx.settings.protectedPaths],
      secrets: [...ctx.settings.secrets],
    });
    if ('refused' in applied)
      return {
        refused: applied.refused
          .slice(0, 10)
          .map(({ path, reason }) => `${path}: ${reason}`)
          .join('; '),
      };
    const commit = await mirror.commitTree({
      tree: applied.tree,
      parents: [stands.commit],
      message: `${pullTitle(issue.title)}\n\nIssue: #${issue.number}\nEchelon-Op: ${op}\n`,
      date: new Date(at).toISOString(),
    });
    const told = applied.files.map(({ path }) => path).filter(isInstructions);
    return { commit, files: applied.files.length, ...(told.length > 0 && { instructions: told }) };
  });
}

/**
 * Pushes a branch that must not be there yet. One that stands at the commit already is success, so nothing needs to be
 * looked for first. `refused`: it is elsewhere, and was not moved.
 */
export function pushBranch(
  ctx: EngineerContext,
  { key, name, commit }: { key: string; name: string; commit: string },
): Promise<{ pushed: 'pushed' | 'same' } | { refused: string }> {
  return ctx.step<{ pushed: 'pushed' | 'same' } | { refused: string }>(key, async () => {
    try {
      return { pushed: await (await ctx.mirror()).push({ branch: name, commit, expect: null }) };
    } catch (error) {
      if (error instanceof BranchElsewhere) return { refused: error.message };
      throw error;
    }
  });
}
