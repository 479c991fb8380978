// From a job's bundle to a draft pull request: check the resulting tree, commit, push, open. Where none is wanted, merge.
import { noPullComment, pullBody, type PullText, pullTitle } from '../comments/pull.ts';
import { commentOnce } from '../github/once.ts';
import { marked } from '../github/marker.ts';
import { branchName } from '../scheduler/branches.ts';
import { operationOf } from '../scheduler/run-context.ts';
import { mergeBranch } from './attempt.ts';
import { allCriteria } from './criteria.ts';
import {
  type BatchContext,
  type Committed,
  type EngineerContext,
  move,
  type Reported,
  type Slot,
  startedOf,
  stepsOf,
} from './context.ts';
import type { AttemptEnd } from './fail.ts';
import type { JobReport } from './report-spec.ts';
import { mergeIntoBase } from './merge-into-base.ts';
import { commitBundle, pushBranch } from './push.ts';
import { showTests, testsKey } from './show-tests.ts';
import { onTop, pullOn, type PullWords, takeOverPull, type Top } from './unfinished.ts';

type Delivered = Reported<Extract<JobReport, { kind: 'bundle' }>>;

/** Delivers a finished attempt. Answers what it ended with where its bundle is refused or its branch, else undefined. */
export async function deliver(ctx: BatchContext, delivered: Delivered): Promise<AttemptEnd | undefined> {
  const { slot, report } = delivered;
  const { number, title } = slot.issue;
  const made = await commitBundle(ctx, slot, delivered.at);
  if ('refused' in made) return { kind: 'refused', detail: made.refused };
  if (ctx.view.mergesInto !== undefined)
    return await mergeIntoBase(ctx, delivered, { commit: made.commit, into: ctx.view.mergesInto });
  const top = await onTop(ctx, slot, made, delivered.at);
  const { name: branch } = top;
  const pushes = pushesOf(ctx, slot, top);
  const pullKey = `${stepsOf(slot)}/pull`;
  const shown = { ...made, commit: top.commit };
  const testsStep = testsKey(ctx, slot, report, shown) ?? [];
  await ctx.intend([...pushes.map(({ key }) => key), pullKey].concat(testsStep));
  move(ctx, slot, 'delivering', 'the patch is checked and committed');
  for (const push of pushes) {
    const result = await pushBranch(ctx, slot, push, delivered.at);
    // Nothing is overwritten: a person has to look.
    if ('refused' in result) return { kind: 'push', detail: result.refused };
  }
  slot.view.branch = branch;
  delete slot.pushed;
  const text = textOf(ctx, delivered, made);
  const words = { title: pullTitle(title), text: pullBody(text), base: baseOf(ctx, slot) };
  const at = { head: branch, but: slot.view.unfinished };
  const pull = (await takeOverPull(ctx, slot, pullKey, words)) ?? (await openPull(ctx, pullKey, at, words));
  await showTests(ctx, slot, report, shown);
  slot.view.standsOn = startedOf(slot).stands.on;
  slot.delivered = {
    branch,
    commit: top.commit,
    base: words.base,
    text,
    op: operationOf(ctx, pullKey),
  };
  if ('number' in pull) slot.view.pull = pull.number;
  const opened = 'number' in pull ? `pull request #${pull.number} is open` : `the branch ${branch} is pushed`;
  move(ctx, slot, 'done', opened);
  // A pull request is shown on the issue that it closes.
  if ('refused' in pull)
    await commentOnce(ctx.step, ctx.github, {
      key: `issue/${number}/told-done`,
      issue: number,
      body: noPullComment({ branch, refused: pull.refused, tests: report.tests, rounds: report.rounds }),
    });
  return undefined;
}

/** The merge branch first, where the attempt stands on several. */
function pushesOf(ctx: BatchContext, slot: Slot, top: Top) {
  const under = stepsOf(slot);
  const { stands } = startedOf(slot);
  const own = { key: `${under}/push`, ...top };
  if (stands.branch !== null) return [own];
  return [{ key: `${under}/push-base`, name: mergeBranch(ctx, slot), commit: stands.commit }, own];
}

function textOf(
  ctx: BatchContext,
  { slot, report }: Delivered,
  { files, instructions = [] }: Committed,
): PullText {
  const { summary, feedback, tests, rounds, isolation, engine, candidates, sessions } = report;
  const { issue, view } = slot;
  return {
    issue: issue.number,
    directive: ctx.view.issue,
    ...{
      summary,
      feedback,
      tests,
      rounds,
      candidates,
      cost_usd: view.cost_usd,
      isolation,
      engine,
      sessions,
      files,
      instructions,
    },
    criteria: allCriteria(report.criteria, issue.body),
    before: ctx.view.baseTests,
    delivered: tests,
    branch: branchName(ctx.view.run, issue.number, issue.title),
    reviewed: 0,
    scripted: ctx.view.scripted,
    checksWait: ctx.github.checksWait,
    standsOn: startedOf(slot).stands.on.flatMap(
      number => ctx.slots.find(each => each.issue.number === number)?.view.pull ?? [],
    ),
  };
}

/** The branch that its pull request goes to when it is opened. */
const baseOf = (ctx: EngineerContext, slot: Slot) => startedOf(slot).stands.branch ?? mergeBranch(ctx, slot);

async function openPull(
  ctx: EngineerContext,
  key: string,
  { head, but }: { head: string; but: number | undefined },
  { title, text, base }: PullWords,
): Promise<{ number: number } | { refused: string }> {
  return await ctx.step<{ number: number } | { refused: string }>(
    key,
    op =>
      ctx.github.createPull({
        title,
        body: marked(text, op),
        head,
        base,
        draft: ctx.settings.draft,
      }),
    { find: async () => await pullOn(ctx.github, head, but) },
  );
}
