// From a job's bundle to a draft pull request: check the resulting tree, commit, push, open. Runs nothing of the repository.
import { issueEndComment } from '../comments/issue-end.ts';
import { deliveredComment, pullBody, pullTitle } from '../comments/pull.ts';
import { commentOnce } from '../github/once.ts';
import { marked } from '../record/marker.ts';
import { branchName } from '../scheduler/branches.ts';
import { applyBundle } from '../workspace/apply-bundle.ts';
import { bundleLimits, isInstructions } from '../workspace/index-changes.ts';
import { BranchElsewhere } from '../workspace/mirror.ts';
import { mergeBranch } from './attempt.ts';
import { type EngineerContext, move, type Slot } from './context.ts';
import type { JobReport } from './job-spec.ts';

interface Committed {
  commit: string;
  /** How many were changed, and which of them instruct coding agents. */
  files: number;
  instructions?: string[];
}

/** Delivers a finished attempt. Answers why the bundle was refused, in words for the next attempt, else undefined. */
export async function deliver(
  ctx: EngineerContext,
  slot: Slot,
  slots: readonly Slot[],
  report: Extract<JobReport, { kind: 'bundle' }>,
  /** When the report came in: the commit's date (milliseconds since the epoch). */
  at: number,
): Promise<string | undefined> {
  const { issue, stands } = slot;
  const branch = branchName(ctx.view.run, issue.number, issue.title);
  const under = `issue/${issue.number}/attempt-${slot.attempt}`;
  const made = await ctx.step<Committed | { refused: string }>(`${under}/commit`, async () => {
    const mirror = await ctx.mirror();
    const applied = await applyBundle({
      mirror,
      folder: ctx.jobs.folder(slot.op!),
      base: stands!.commit,
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
      parents: [stands!.commit],
      message: `${pullTitle(issue.title)}\n\nIssue: #${issue.number}\nEchelon-Op: ${slot.op}\n`,
      date: new Date(at).toISOString(),
    });
    const told = applied.files.map(({ path }) => path).filter(isInstructions);
    return { commit, files: applied.files.length, ...(told.length > 0 && { instructions: told }) };
  });
  if ('refused' in made) return `the patch was refused: ${made.refused}`;

  const keys = {
    base: `${under}/push-base`,
    push: `${under}/push`,
    pull: `${under}/pull`,
    told: `issue/${issue.number}/told-done`,
  };
  await ctx.intend([...(stands!.branch === null ? [keys.base] : []), keys.push, keys.pull, keys.told]);
  move(ctx, slot, 'delivering', 'the patch is checked and committed');
  const push = (key: string, name: string, commit: string) =>
    // A branch that stands at the commit already is success, so nothing needs to be looked for first.
    ctx.step(key, async () => {
      try {
        return { pushed: await (await ctx.mirror()).push({ branch: name, commit, expect: null }) };
      } catch (error) {
        if (error instanceof BranchElsewhere) return { refused: error.message };
        throw error;
      }
    });
  const pushes = [
    ...(stands!.branch === null
      ? [{ key: keys.base, name: mergeBranch(ctx, slot), commit: stands!.commit }]
      : []),
    { key: keys.push, name: branch, commit: made.commit },
  ];
  for (const { key, name, commit } of pushes) {
    const result = await push(key, name, commit);
    if ('refused' in result) return await undelivered(ctx, slot, keys.told, result.refused);
  }
  slot.view.branch = branch;
  const base = stands!.branch ?? mergeBranch(ctx, slot);
  const below = stands!.on.flatMap(
    number => slots.find(each => each.issue.number === number)?.view.pull ?? [],
  );
  const pull = await ctx.step<{ number: number } | { refused: string }>(
    keys.pull,
    op =>
      ctx.github.createPull({
        title: pullTitle(issue.title),
        body: marked(
          pullBody({
            issue: issue.number,
            directive: ctx.view.issue,
            summary: report.summary,
            feedback: report.feedback,
            tests: report.tests,
            rounds: report.rounds,
            cost_usd: report.cost_usd,
            files: made.files,
            instructions: made.instructions ?? [],
            isolation: report.isolation,
            scripted: ctx.view.scripted,
            standsOn: below,
          }),
          op,
        ),
        head: branch,
        base,
        draft: ctx.settings.draft,
      }),
    { find: async () => await ctx.github.pullFor(branch) },
  );
  slot.delivered = { branch, commit: made.commit };
  if ('number' in pull) slot.view.pull = pull.number;
  move(
    ctx,
    slot,
    'done',
    'number' in pull ? `pull request #${pull.number} is open` : `the branch ${branch} is pushed`,
  );
  await commentOnce(ctx.step, ctx.github, {
    key: keys.told,
    issue: issue.number,
    body: deliveredComment({ branch, pull, tests: report.tests, rounds: report.rounds }),
  });
  return undefined;
}

/** The branch could not be pushed: nothing is overwritten, a person has to look. */
async function undelivered(ctx: EngineerContext, slot: Slot, key: string, why: string): Promise<undefined> {
  move(ctx, slot, 'failed', why);
  await commentOnce(ctx.step, ctx.github, {
    key,
    issue: slot.issue.number,
    body: issueEndComment('failed', why),
  });
  return undefined;
}
