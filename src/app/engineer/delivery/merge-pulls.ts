// `/ready` and `/merge`: drafts become ready for review and are merged, in their order. Nothing is merged that has changed
// since it was wanted, whose checks are not green, or that its person may not merge any more.
import { present } from '@echelon/ground';
import type { CommandSignal } from '../../commands/table.ts';
import { checksWaitForGitHub, pullIsWip, roundUnderWay } from '../../comments/round.ts';
import * as texts from '../../comments/together.ts';
import { commentOnce } from '../../github/once.ts';
import { suffices } from '../../github/repository.ts';
import type { PullRequest } from '../../github/reviews.ts';
import { workflowPath } from '../../github/workflow-runs.ts';
import { type BatchContext, type Merging, type Slot, slotOf } from '../slots/context.ts';
import { takeMerged } from './settle-pull.ts';

/** Reason for leaving a pull request as it is, a clause. `waits`: it passes by itself. */
interface Left {
  why: string;
  waits?: true;
}

/** Checks begin within that time after a push (milliseconds): a head without any may have them still to come. */
const CHECKS_BEGIN = 3 * 60_000;

const pullOf = ({ view }: Slot): number => present(view.pull, 'the pull request');

/** Differs once people or a round have changed it: then it is not what a person wanted merged. */
const versionOf = ({ rounds, theirs }: Slot): string => `${rounds} ${theirs}`;

/** On a pull request that one, else all that are open, in the order of their merges. */
export async function takeMergeCommand(
  ctx: BatchContext,
  command: CommandSignal<'ready' | 'merge'>,
): Promise<void> {
  const { id, name, at, value } = command;
  const open = ctx.view.issues.flatMap(issue =>
    issue.state === 'failed' ? [] : { ...issue, state: 'done' as const },
  );
  const slots = texts
    .mergeOrder(open)
    .flatMap(({ number }) => slotOf(ctx, number) ?? [])
    .filter(slot => value.on === undefined || slot === slotOf(ctx, value.on));
  if (slots.length === 0) return await ctx.refuse(command, texts.nothingDelivered);
  if (ctx.view.pausedBy !== undefined) return await ctx.refuse(command, texts.pausedMerge);
  await ctx.accept(command);
  if (name === 'merge') {
    const pulls = slots.map(slot => ({ slot, version: versionOf(slot) }));
    ctx.merging = { command, pulls, looks: 0 };
    return;
  }
  const done: number[] = [];
  const left: { pull: number; why: string }[] = [];
  for (const slot of slots) {
    const pull = pullOf(slot);
    const { why } = await ctx.step(`command/${id}/ready-${pull}`, async () => {
      const found = await readied(ctx, slot, at);
      return { why: 'why' in found ? found.why : '' };
    });
    if (why === '') done.push(pull);
    else left.push({ pull, why });
  }
  await tell(ctx, command, 'told', texts.pullsReport('Ready for review', { done, left }));
}

/** Marks a draft as ready that is as it was seen, and whose checks are green. Twice is once. */
async function readied(
  { github, mirror }: BatchContext,
  slot: Slot,
  at: number,
): Promise<PullRequest | Left> {
  const pull = pullOf(slot);
  const { commit: head, text } = present(slot.delivered, 'the branch');
  if (slot.held) return { why: pullIsWip(pull) };
  if (slot.round ?? slot.wants) return { why: roundUnderWay };
  const now = await github.pull(pull);
  if (now?.state !== 'open' || now.head.commit !== head) return { why: texts.hasChanged };
  if (slot.checksHeld) return { why: texts.checksAreHeld };
  const checks = await github.checkState(pull, head);
  if (checks.state === 'red') return { why: texts.checksRed(checks.failed) };
  if (checks.state === 'pending') return { why: texts.checksPending(checks.names), waits: true };
  if (checks.state === 'unreadable') return { why: checks.why };
  if (checks.state === 'none' && (text.checksWait || at - checks.since < CHECKS_BEGIN)) {
    const files = await (await mirror()).listFiles(head);
    if (files.some(({ path }) => path.startsWith('.github/workflows/') && path !== workflowPath))
      return text.checksWait ? { why: checksWaitForGitHub } : { why: texts.checksBegin, waits: true };
  }
  return now.draft && !(await github.readyPull(now.id)) ? { why: texts.notMarked } : now;
}

/** Goes on with a `/merge` as far as it can go now; what it waits for comes as a fact. */
export async function goOnMerging(ctx: BatchContext, at: number): Promise<void> {
  const { merging } = ctx;
  if (!merging || ctx.view.pausedBy !== undefined) return;
  const { command, pulls } = merging;
  let left: (Left & { pull: number }) | undefined;
  for (const next of pulls.filter(({ slot }) => !slot.view.merged)) {
    const pull = pullOf(next.slot);
    const key = `command/${command.id}/merge-${++merging.looks}`;
    await ctx.intend([key]);
    const done = await ctx.step<Left | { merged: true }>(key, () => merge(ctx, merging, next, at), {
      find: async () => ((await ctx.github.pull(pull))?.state === 'merged' ? { merged: true } : undefined),
    });
    if ('why' in done) {
      left = { ...done, pull };
      break;
    }
    await takeMerged(ctx, { pull, by: command.value.by }, at);
  }
  // Of one pull request it is said once that it is waited for.
  if (left?.waits && merging.waits?.pull === left.pull) return;
  if (left?.waits) merging.waits = left;
  else delete ctx.merging;
  const body = texts.pullsReport('Merged', {
    done: pulls.filter(({ slot }) => slot.view.merged).map(({ slot }) => pullOf(slot)),
    left: left ? [left] : [],
    ...(left && { next: texts.mergeNext[left.waits ? 'waiting' : 'stopped'] }),
  });
  await tell(ctx, command, `told-${merging.looks}`, body);
}

/** One pull request, by what is true at this moment: permission, head, checks, base. */
async function merge(
  ctx: BatchContext,
  { command, waits }: Merging,
  { slot, version }: Merging['pulls'][number],
  at: number,
): Promise<Left | { merged: true }> {
  const { github, base } = ctx;
  const role = await github.permission(command.value.by);
  if (!suffices(role, 'maintain')) return { why: texts.mayNotMerge };
  if (versionOf(slot) !== version) return { why: texts.hasChanged };
  const now = await readied(ctx, slot, at);
  if ('why' in now) return now;
  const { number, id, head } = now;
  if (now.base !== base.branch) return { why: texts.goesElsewhere };
  const wasQueued = waits?.pull === number && waits.why === texts.inQueue;
  const done = await github.mergePull(number, { id, head: head.commit, wasQueued });
  if ('refused' in done) return { why: texts.mergeNotTaken(done.refused, base.branch) };
  return done.merged ? { merged: true } : { why: texts.inQueue, waits: true };
}

const tell = async (ctx: BatchContext, { id, value }: CommandSignal, what: string, body: string) =>
  await commentOnce(ctx.step, ctx.github, {
    key: `command/${id}/${what}`,
    issue: value.on ?? ctx.view.issue,
    body,
  });
