// The last change of an issue that failed: kept on a branch, or as a draft pull request that a later attempt takes over.
import type { IssueFailed, Kept } from '../../comments/issue-end.ts';
import { finishedComment, takesOver, unfinishedBody, unfinishedTitle } from '../../comments/unfinished.ts';
import { markOf, marked, commentOnce } from '../../github/once.ts';
import { branchName, unfinishedBranchName } from '../../scheduler/branches.ts';
import { operationOf } from '../../scheduler/run-context.ts';
import {
  type Committed,
  type EngineerContext,
  type Reported,
  type Slot,
  startedOf,
  stepsOf,
  type Top,
} from '../slots/context.ts';
import { changeIssue } from '../slots/slot-changes.ts';
import { allCriteria } from '../slots/criteria.ts';
import { committed, commitBundle, pushBranch } from './push.ts';
import { showTests, testsKey } from './show-tests.ts';

/** Keeps the change of the last attempt, under the same checks as a delivered one. */
export async function keepLastChange(
  ctx: EngineerContext,
  reported: Reported,
  end: Omit<IssueFailed, 'kept'>,
): Promise<Kept> {
  const { slot, report, at } = reported;
  const { kind } = end;
  if (slot.undelivered?.onBranch) return { branch: slot.undelivered.onBranch.branch };
  if (slot.undelivered && kind === 'push') return await keptWithJob(ctx, slot);
  const unmerged = kind === 'merge' || kind === 'conflict';
  if (unmerged && slot.pushed !== undefined && slot.view.branch) return { branch: slot.view.branch };
  // If somebody pushed to the unfinished branch, it is theirs: the finished change is kept beside it.
  const hasMoved = kind === 'push' && slot.pushed !== undefined;
  if (!(report.kind === 'failed' ? report.partial : unmerged || hasMoved)) return null;
  const made = await commitBundle(ctx, slot, at);
  if ('refused' in made) return made;
  if (opensPull(ctx, slot) && !hasMoved) {
    const kept = await keepAsPull(ctx, reported, made, end);
    if (kept) return kept;
  }
  const { number, title } = slot.issue;
  const branch = unfinishedBranchName(ctx.view.run, number, title, slot.attempt);
  const key = `${stepsOf(slot)}/push-unfinished`;
  const pushed = await pushBranch(ctx, slot, { key, name: branch, commit: made.commit }, at);
  if ('refused' in pushed) return pushed;
  await showTests(ctx, slot, report, { ...made, commit: pushed.commit });
  return { branch };
}

/** The branch was refused, so no other one is tried: the patch is where its job left it. */
async function keptWithJob(ctx: EngineerContext, slot: Slot): Promise<Kept> {
  const { jobs } = ctx;
  const { op } = startedOf(slot);
  return await ctx.step(`${stepsOf(slot)}/kept-until`, async () => ({
    until: (await jobs.keptUntil?.(op)) ?? null,
  }));
}

/** With several branches below, their merge would have to be pushed for a pull request. */
const opensPull = ({ config, view }: EngineerContext, slot: Slot) =>
  config.partial === 'pull-request' &&
  view.mergesInto === undefined &&
  startedOf(slot).stands.branch !== null;

/** Undefined: its branch is not where we left it, or is not taken. */
async function keepAsPull(
  ctx: EngineerContext,
  { slot, report, at }: Reported,
  made: Committed,
  end: Omit<IssueFailed, 'kept'>,
): Promise<Kept | undefined> {
  const { title, body } = slot.issue;
  const under = stepsOf(slot);
  const top = await onTop(ctx, slot, made, at);
  const pushKey = `${under}/push-draft`;
  const pullKey = `${under}/draft`;
  const opens = slot.view.unfinished === undefined ? [pullKey] : [];
  await ctx.intend([pushKey, ...opens].concat(testsKey(ctx, slot, report, made) ?? []));
  const pushed = await pushBranch(ctx, slot, { key: pushKey, ...top }, at);
  if ('refused' in pushed) return undefined;
  slot.pushed = pushed.commit;
  const text = unfinishedBody({
    ...end,
    branch: top.name,
    criteria: allCriteria(report.criteria, body),
    isolation: report.isolation,
    scripted: ctx.view.scripted,
  });
  const base = startedOf(slot).stands.branch ?? ctx.base.branch;
  const titled = { title: unfinishedTitle(title), text, base };
  const pull =
    (await rewritePull(ctx, slot, pullKey, titled)) ??
    (await openPull(ctx, pullKey, { head: top.name, draft: true }, titled));
  await showTests(ctx, slot, report, { ...made, commit: pushed.commit });
  if ('refused' in pull) return { branch: top.name };
  changeIssue(ctx, slot, { unfinished: pull.number });
  return { branch: top.name, pull: pull.number };
}

/** `text`: its body, without the mark. */
export interface PullWords {
  title: string;
  text: string;
  base: string;
}

/** Opens the pull request of a branch that is pushed. `refused`: GitHub will not; the branch keeps the change alone. */
export async function openPull(
  { step, github }: EngineerContext,
  key: string,
  { head, draft }: { head: string; draft: boolean },
  { title, text, base }: PullWords,
): Promise<Opened | { refused: string }> {
  return await step<Opened | { refused: string }>(
    key,
    op => github.createPull({ title, body: marked(text, op), head, base, draft }),
    {
      async find(op) {
        const found = await github.pullFor(head);
        if (!found || markOf(found.body) !== op) return undefined;
        return { number: found.number, draft: found.draft, checksWait: github.checksWait };
      },
    },
  );
}

/** `checksWait`: GitHub has its checks wait for a click. */
export interface Opened {
  number: number;
  draft: boolean;
  checksWait: boolean;
}

type Rewritten = { number: number; theirs: boolean } | { refused: string };

/**
 * Has the pull request that keeps unfinished work say something else; what a person has written in its text stays
 * (`theirs`). Undefined: there is none, it is open no more, or GitHub does not take the change.
 */
async function rewritePull(
  ctx: EngineerContext,
  { view }: Slot,
  key: string,
  { title, text, base, ready = false }: PullWords & { ready?: boolean },
): Promise<{ number: number; theirs: boolean } | undefined> {
  const { unfinished } = view;
  if (unfinished === undefined) return undefined;
  const { github } = ctx;
  const rewritten = await ctx.step<Rewritten>(`${key}-rewritten`, async () => {
    const pull = await github.pull(unfinished);
    if (pull?.state !== 'open') return { refused: '' };
    const theirs = pull.editedBy !== null && pull.editedBy !== github.bot;
    const body = theirs ? {} : { body: marked(text, operationOf(ctx, key)) };
    const changed = await github.changePull(unfinished, { title, base, ...body });
    if ('refused' in changed) return changed;
    if (ready && pull.draft) await github.readyPull(pull.id);
    return { number: unfinished, theirs };
  });
  return 'number' in rewritten ? rewritten : undefined;
}

/** Has it say that it is finished. Undefined: another one is to be opened. */
export async function takeOverPull(
  ctx: EngineerContext,
  slot: Slot,
  key: string,
  words: PullWords,
): Promise<Opened | undefined> {
  const pull = await rewritePull(ctx, slot, key, { ...words, ready: !ctx.config.draft });
  changeIssue(ctx, slot, { unfinished: undefined });
  if (pull?.theirs)
    await commentOnce(ctx.step, ctx.github, {
      key: `${key}-told`,
      issue: pull.number,
      body: finishedComment(words.text),
    });
  return pull && { number: pull.number, draft: ctx.config.draft, checksWait: ctx.github.checksWait };
}

/**
 * The commit as it is pushed: on top of what the slot's branch holds unfinished, so that nothing is pushed over. Where
 * a person has deleted the branch it is begun anew.
 */
export async function onTop(ctx: EngineerContext, slot: Slot, made: Committed, at: number): Promise<Top> {
  const { pushed, issue } = slot;
  const name = branchName(ctx.view.run, issue.number, issue.title);
  const fresh = { name, commit: made.commit, expect: null };
  if (pushed === undefined) return fresh;
  const commit = async () => {
    const mirror = await ctx.mirror();
    if ((await mirror.resolve(pushed)) === undefined) await mirror.fetch();
    if ((await mirror.resolve(made.commit)) === undefined) await committed(ctx, slot, at);
    return await mirror.commitTree({
      tree: made.tree,
      parents: [pushed, made.commit],
      message: `${takesOver(issue.title)}\n\nIssue: #${issue.number}\n`,
      date: new Date(at).toISOString(),
    });
  };
  const top = await ctx.step<{ commit: string } | { deleted: true }>(`${stepsOf(slot)}/on-top`, async () => {
    const isThere = (await (await ctx.mirror()).remoteBranch(name)) !== null;
    return isThere ? { commit: await commit() } : { deleted: true };
  });
  return 'deleted' in top ? fresh : { name, commit: top.commit, expect: pushed, make: commit };
}
