// From a job's bundle to a draft pull request: check the resulting tree, commit, push, open. Where none is wanted, merge.
import { pullBody, type PullText, pullTitle } from '../../comments/pull.ts';
import { waitsForOthers, waitsForOwn } from '../../comments/round.ts';
import { openPulls } from '../../comments/view.ts';
import { baseBranchName, branchName } from '../../scheduler/branches.ts';
import { operationOf } from '../../scheduler/run-context.ts';
import { allCriteria } from '../slots/criteria.ts';
import {
  type BatchContext,
  type Reported,
  type Slot,
  slotOf,
  startedOf,
  stepsOf,
  type Undelivered,
} from '../slots/context.ts';
import { changeIssue, move } from '../slots/slot-changes.ts';
import type { AttemptEnd } from './fail.ts';
import type { JobReport } from '../jobs/report-spec.ts';
import { mergeIntoBase } from './merge-into-base.ts';
import { commitBundle, pushBranch } from './push.ts';
import { showTests, testsKey } from './show-tests.ts';
import { baseNow, catchUp } from './stacked.ts';
import { onTop, openPull, takeOverPull } from './unfinished.ts';

type Delivered = Reported<Extract<JobReport, { kind: 'bundle' }>>;

/** Delivers a finished attempt. Answers what it ended with where its bundle is refused or its branch, else undefined. */
export async function deliver(ctx: BatchContext, delivered: Delivered): Promise<AttemptEnd | undefined> {
  const { slot, at } = delivered;
  const made = await commitBundle(ctx, slot, at);
  if ('refused' in made) return { kind: 'refused', detail: made.refused };
  if (ctx.view.mergesInto !== undefined)
    return await mergeIntoBase(ctx, delivered, { ...made, into: ctx.view.mergesInto });
  const top = await onTop(ctx, slot, made, at);
  const { stands } = startedOf(slot);
  const own = { key: `${stepsOf(slot)}/push`, ...top };
  const base = { key: `${own.key}-base`, name: pullBase(ctx, slot), commit: stands.commit };
  // The merge branch first, where the attempt stands on several.
  const pushes = stands.branch === null ? [base, own] : [own];
  const opens = [`${stepsOf(slot)}/pull`, testsKey(ctx, slot, delivered.report, made) ?? []].flat();
  await ctx.intend([...pushes.map(({ key }) => key), ...opens]);
  move(ctx, slot, 'delivering', 'the patch is checked and committed');
  let commit = '';
  for (const push of pushes) {
    const sent = await pushBranch(ctx, slot, push, at);
    // Nothing is overwritten: a person has to look.
    if ('refused' in sent) return { kind: 'push', detail: sent.refused };
    ({ commit } = sent);
    if (sent.held) slot.checksHeld = true;
    if (sent.unsigned !== undefined) made.unsigned = sent.unsigned;
  }
  changeIssue(ctx, slot, { branch: top.name });
  delete slot.pushed;
  return finish(ctx, { ...delivered, onBranch: { made, branch: top.name, commit } });
}

type Finished = BatchContext['finished'][number];

/** Its pull request is the last to open; one that takes over an open draft needs no place. */
function finish(ctx: BatchContext, finished: Finished): undefined {
  const { slot, onBranch } = finished;
  const { branch, commit } = onBranch;
  const [base, op] = [pullBase(ctx, slot), operationOf(ctx, `${stepsOf(slot)}/pull`)];
  slot.delivered = { branch, commit, base, op, draft: ctx.config.draft, text: textOf(ctx, finished) };
  changeIssue(ctx, slot, { standsOn: startedOf(slot).stands.on });
  if (slot.view.unfinished === undefined) ctx.finished.push(finished);
  else ctx.finished.unshift(finished);
}

/** Reason for not opening the pull request of finished work now, a clause. */
export async function whyNoPlace(ctx: BatchContext, slot: Slot): Promise<string | undefined> {
  const { github, config, view } = ctx;
  // A run of an older version has no such limit.
  const most = config.limits.open_drafts;
  if (!most || slot.view.unfinished !== undefined) return undefined;
  const open = openPulls(view.issues);
  if (open.length >= most.run) return waitsForOwn(open);
  if (!ctx.place) {
    const all = await ctx.step(`${stepsOf(slot)}/place`, github.openPulls);
    if (all >= most.repository) return waitsForOthers;
  }
  delete ctx.place;
  return undefined;
}

/** Delivers finished work that was refused before: from the push on, or, where that succeeded, only the pull request. */
export async function deliverAgain(
  ctx: BatchContext,
  { onBranch, ...finished }: Undelivered,
): Promise<AttemptEnd | undefined> {
  const { slot } = finished;
  delete slot.undelivered;
  slot.refusals = (slot.refusals ?? 0) + 1;
  if (!onBranch) return await deliver(ctx, finished);
  move(ctx, slot, 'delivering', 'its branch is pushed');
  return finish(ctx, { ...finished, onBranch });
}

/** Opens the pull request of a branch that is pushed, where what it stands on is now. */
export async function openFor(ctx: BatchContext, finished: Finished): Promise<AttemptEnd | undefined> {
  const { slot, report, onBranch } = finished;
  const { made, branch, commit } = onBranch;
  const pullKey = `${stepsOf(slot)}/pull`;
  const text = textOf(ctx, finished);
  const base = baseNow(ctx, slot, pullBase(ctx, slot));
  const words = { title: pullTitle(slot.issue.title), text: pullBody(text), base };
  const at = { head: branch, draft: ctx.config.draft };
  const pull = (await takeOverPull(ctx, slot, pullKey, words)) ?? (await openPull(ctx, pullKey, at, words));
  if ('refused' in pull) {
    slot.undelivered = finished;
    return { kind: 'pull', detail: pull.refused };
  }
  await showTests(ctx, slot, report, { ...made, commit });
  slot.delivered = {
    ...{ branch, commit, base, op: operationOf(ctx, pullKey), draft: pull.draft },
    text: { ...text, checksWait: pull.checksWait },
  };
  changeIssue(ctx, slot, { pull: pull.number });
  const opened = `pull request #${pull.number} is open`;
  if (slot.state === 'delivering') move(ctx, slot, 'done', opened);
  else changeIssue(ctx, slot, { reason: opened });
  await catchUp(ctx, slot, finished.at);
  return undefined;
}

/** The branch that it stands on; of several the merge. */
const pullBase = (ctx: BatchContext, slot: Slot) =>
  startedOf(slot).stands.branch ?? baseBranchName(ctx.view.run, slot.issue.number);

function textOf(ctx: BatchContext, { slot, report, onBranch }: Finished): PullText {
  const { instructions = [], ...made } = onBranch.made;
  const { issue, view } = slot;
  return {
    ...{ ...report, ...made, instructions, issue: issue.number, directive: ctx.view.issue },
    cost_usd: view.cost_usd,
    criteria: allCriteria(report.criteria, issue.body),
    before: ctx.view.baseTests,
    delivered: report.tests,
    branch: branchName(ctx.view.run, issue.number, issue.title),
    reviewed: 0,
    scripted: ctx.view.scripted,
    checksWait: ctx.github.checksWait,
    checksHeld: slot.checksHeld ?? false,
    standsOn: startedOf(slot).stands.on.flatMap(number => slotOf(ctx, number)?.view.pull ?? []),
  };
}
