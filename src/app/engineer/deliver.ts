// From a job's bundle to a draft pull request: check the resulting tree, commit, push, open.
import { deliveredComment, pullBody, pullTitle } from '../comments/pull.ts';
import { commentOnce } from '../github/once.ts';
import { marked } from '../github/marker.ts';
import { branchName } from '../scheduler/branches.ts';
import { mergeBranch } from './attempt.ts';
import { type EngineerContext, move, type Slot, startedOf } from './context.ts';
import type { AttemptEnd } from './fail.ts';
import type { JobReport } from './job-spec.ts';
import { commitBundle, pushBranch, stepsOf } from './push.ts';

/** Delivers a finished attempt. Answers what it ended with where its bundle is refused or its branch, else undefined. */
export async function deliver(
  ctx: EngineerContext,
  slot: Slot,
  slots: readonly Slot[],
  report: Extract<JobReport, { kind: 'bundle' }>,
  /** When the report came in: the commit's date (milliseconds since the epoch). */
  at: number,
): Promise<AttemptEnd | undefined> {
  const { issue } = slot;
  const { stands } = startedOf(slot);
  const branch = branchName(ctx.view.run, issue.number, issue.title);
  const under = stepsOf(slot);
  const made = await commitBundle(ctx, slot, at);
  if ('refused' in made) return { kind: 'refused', detail: made.refused };

  const keys = {
    base: `${under}/push-base`,
    push: `${under}/push`,
    pull: `${under}/pull`,
    told: `issue/${issue.number}/told-done`,
  };
  await ctx.intend([...(stands.branch === null ? [keys.base] : []), keys.push, keys.pull, keys.told]);
  move(ctx, slot, 'delivering', 'the patch is checked and committed');
  const pushes = [
    ...(stands.branch === null
      ? [{ key: keys.base, name: mergeBranch(ctx, slot), commit: stands.commit }]
      : []),
    { key: keys.push, name: branch, commit: made.commit },
  ];
  for (const { key, name, commit } of pushes) {
    const result = await pushBranch(ctx, { key, name, commit });
    // Nothing is overwritten: a person has to look.
    if ('refused' in result) return { kind: 'push', detail: result.refused };
  }
  slot.view.branch = branch;
  const below = stands.on.flatMap(
    number => slots.find(each => each.issue.number === number)?.view.pull ?? [],
  );
  const body = pullBody({
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
  });
  const pull = await openPull(ctx, slot, keys.pull, body);
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

async function openPull(
  ctx: EngineerContext,
  slot: Slot,
  key: string,
  body: string,
): Promise<{ number: number } | { refused: string }> {
  const { issue } = slot;
  const head = branchName(ctx.view.run, issue.number, issue.title);
  const base = startedOf(slot).stands.branch ?? mergeBranch(ctx, slot);
  return await ctx.step<{ number: number } | { refused: string }>(
    key,
    op =>
      ctx.github.createPull({
        title: pullTitle(issue.title),
        body: marked(body, op),
        head,
        base,
        draft: ctx.settings.draft,
      }),
    { find: async () => await ctx.github.pullFor(head) },
  );
}
