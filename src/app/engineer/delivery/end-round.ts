// A round on a pull request has reported: one commit on top of what the branch is, an answer to each thread, and a word on it.
import { present } from '@echelon/ground';
import { pushedMeanwhile, roundDone, roundEnded, roundFailed, threadAnswer } from '../../comments/round.ts';
import type { PullText } from '../../comments/pull.ts';
import { marked, markOf, commentOnce } from '../../github/once.ts';
import {
  type BatchContext,
  type Committed,
  type Reported,
  type Slot,
  stepsOf,
  type Undelivered,
} from '../slots/context.ts';
import { move, showJudged } from '../slots/slot-changes.ts';
import { type AttemptEnd, boardReason } from './fail.ts';
import { standOn } from '../slots/fit.ts';
import { type JobReport, type ThreadAnswer, threadName } from '../jobs/report-spec.ts';
import { commitBundle, pushBranch } from './push.ts';
import { rewriteText } from './release-checks.ts';
import { showTests, testsKey } from './show-tests.ts';
import { carryUp, takeUpBelow } from './stacked.ts';

type Bundle = Extract<JobReport, { kind: 'bundle' }>;

/** Delivers a round that was refused before. No model is called. */
export async function deliverRoundAgain(
  ctx: BatchContext,
  { round, ...reported }: Undelivered & Required<Pick<Undelivered, 'round'>>,
): Promise<void> {
  const { slot } = reported;
  delete slot.undelivered;
  slot.round = { ...round, refusals: (round.refusals ?? 0) + 1 };
  await endRound(ctx, reported);
}

/** Delivers the round, or says why it came to nothing. The issue is delivered either way. */
export async function endRound(ctx: BatchContext, reported: Reported): Promise<void> {
  const { slot, at } = reported;
  const before = slot.delivered?.commit;
  await settle(ctx, reported);
  if (slot.behind && !slot.held) await takeUpBelow(ctx, slot, at);
  if (slot.delivered?.commit !== before) await carryUp(ctx, slot, at);
}

async function settle(ctx: BatchContext, reported: Reported): Promise<void> {
  const { slot, report, at } = reported;
  if (report.kind !== 'bundle') {
    const detail = report.kind === 'failed' ? report.feedback : '';
    return await fail(ctx, reported, { kind: report.kind === 'failed' ? report.class : 'error', detail });
  }
  if (slot.state !== 'merging') move(ctx, slot, 'merging', 'the engineer is done with its round');
  const finished = { slot, report, at };
  const end = await deliverRound(ctx, finished);
  if (end?.kind === 'push') slot.undelivered = { ...finished, round: present(slot.round, 'the round') };
  if (end) return await fail(ctx, reported, end);
}

/** Answers what keeps the round from the branch, else nothing. */
async function deliverRound(
  ctx: BatchContext,
  { slot, report, at }: Reported<Bundle>,
): Promise<AttemptEnd | undefined> {
  const round = present(slot.round, 'the round');
  const delivered = present(slot.delivered, 'the delivered branch');
  const under = stepsOf(slot);
  let made = await commitBundle(ctx, slot, at);
  if ('refused' in made) return { kind: 'refused', detail: made.refused };
  move(ctx, slot, 'delivering', 'the patch is checked and committed');
  const isNew = made.commit !== round.head;
  if (isNew) {
    const push = { key: `${under}/push`, name: delivered.branch, commit: made.commit };
    const pushed = await pushBranch(ctx, slot, push, at);
    if ('refused' in pushed) {
      if (!pushed.elsewhere) return { kind: 'push', detail: pushed.refused };
      slot.wants = [...round.wanted.asked, ...(slot.wants ?? [])];
      if (round.fit) slot.fits = round.fit.on;
      return leave(ctx, slot, pushedMeanwhile);
    }
    made = { ...made, commit: pushed.commit };
    if (pushed.held) slot.checksHeld = true;
  }
  slot.delivered = { ...delivered, commit: made.commit };
  if (round.fit) await standOn(ctx, slot, round.fit);
  showJudged(ctx, slot, report);
  await answer(ctx, slot, report, isNew ? made : undefined);
  return leave(ctx, slot, roundEnded(slot.rounds));
}

/** The slot is as it was before the round. */
function leave(ctx: BatchContext, slot: Slot, reason: string): undefined {
  delete slot.round;
  delete slot.usedMs;
  move(ctx, slot, 'done', reason);
}

/** Answers each thread, resolves those that are done, and says on the pull request what the round came to. */
async function answer(
  ctx: BatchContext,
  slot: Slot,
  report: Bundle,
  made: Committed | undefined,
): Promise<void> {
  const under = stepsOf(slot);
  const { answers = [], summary, tests, cost_usd } = report;
  const pull = present(slot.view.pull, 'the pull request');
  const { wanted, fit } = present(slot.round, 'the round');
  const { threads } = wanted;
  const found = threads.flatMap((thread, index) => {
    const given = answers.find(each => each.thread === threadName(index));
    return given ? [{ ...thread, key: `${under}/${given.thread}`, given }] : [];
  });
  const toldKey = `${under}/told`;
  const testsStep = (made && testsKey(ctx, slot, report, made)) ?? [];
  await ctx.intend([...found.map(({ key }) => key), toldKey].concat(testsStep));
  if (made) await showTests(ctx, slot, report, made);
  for (const thread of found) {
    await answerThread(ctx, pull, thread, threadAnswer(thread.given, made?.commit));
    if (thread.given.done)
      await ctx.step(`${thread.key}/resolved`, () => ctx.github.resolveThread(thread.id));
  }
  const said = {
    ...{ round: slot.rounds, commit: made?.commit, summary, tests, cost_usd, answered: found.length },
    others: fit?.told.others.map(({ name }) => name) ?? [],
    held: made !== undefined && slot.checksHeld === true,
    unchanged: found.filter(({ given }) => !given.done).length,
  };
  await commentOnce(ctx.step, ctx.github, { key: toldKey, issue: pull, body: roundDone(said) });
  const { text, ...delivered } = present(slot.delivered, 'the branch');
  const now = { tests, cost_usd: slot.view.cost_usd, reviewed: slot.rounds, ...namedBy(text, made) };
  slot.delivered = { ...delivered, text: { ...text, ...now } };
  await ctx.step(`${under}/text`, () => rewriteText(ctx, slot));
}

/** The pull request still names what earlier rounds changed, and adds the changes of this one. */
function namedBy(
  before: Pick<PullText, 'instructions' | 'packages'>,
  { instructions = [], packages: own }: Partial<Committed> = {},
): Pick<PullText, 'instructions' | 'packages'> {
  const both = (one: readonly string[] = [], other: readonly string[] = []) => [
    ...new Set([...one, ...other]),
  ];
  const packages = own && {
    packages: both(before.packages?.packages, own.packages),
    more: (before.packages?.more ?? 0) + own.more,
    unread: both(before.packages?.unread, own.unread),
  };
  return { instructions: both(before.instructions, instructions), packages: packages ?? before.packages };
}

/** As the step of its key: an answer that another process gave is found by its mark. */
async function answerThread(
  { step, github }: BatchContext,
  pull: number,
  { id, first, key }: { id: string; first: number; key: string; given: ThreadAnswer },
  body: string,
): Promise<void> {
  await step(key, async op => ({ answer: await github.answerThread(pull, first, marked(body, op)) }), {
    find: async op => {
      const thread = (await github.pull(pull))?.threads.find(each => each.id === id);
      const own = thread?.comments.find(({ author, body }) => author === github.bot && markOf(body) === op);
      return own && { answer: own.id };
    },
  });
}

async function fail(ctx: BatchContext, { slot, report }: Reported, end: AttemptEnd): Promise<void> {
  const log = report.kind === 'failed' ? report.log_tail : '';
  const said = { ...end, round: slot.rounds, tests: report.tests, log, directive: ctx.view.issue };
  await commentOnce(ctx.step, ctx.github, {
    key: `${stepsOf(slot)}/told`,
    issue: present(slot.view.pull, 'the pull request'),
    body: roundFailed(said),
  });
  leave(ctx, slot, boardReason(end, report));
}
