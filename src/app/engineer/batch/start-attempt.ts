// One attempt begins: is the issue still free, what does its branch stand on, and a job of its own is started.
import { closedBefore, issueIsGone } from '../../comments/issue-end.ts';
import { refusedBy } from '../../github/octokit.ts';
import { branchName } from '../../scheduler/branches.ts';
import { standsOn } from '../../scheduler/dependencies.ts';
import { operationOf } from '../../scheduler/run-context.ts';
import { aroundOf } from '../slots/around.ts';
import { baseTestsForModel, testsBefore } from '../integration/base-tests.ts';
import {
  type BatchContext,
  type EngineerContext,
  type Reported,
  scheduled,
  type Slot,
  slotOf,
  type Stands,
  startedOf,
  stepsOf,
} from '../slots/context.ts';
import { move, changeIssue } from '../slots/slot-changes.ts';
import { guidanceText, type JobSpec } from '../jobs/job-spec.ts';
import { whyTaken } from '../slots/facts.ts';

type AttemptStart =
  | { kind: 'started'; stands: Stands; budget_usd: number }
  | { kind: 'blocked' | 'skipped' | 'cancelled'; reason: string };

/** Begins the slot's present attempt: `advanceRun` starts the job of what is outstanding; the report comes as a signal. */
export async function startAttempt(
  ctx: BatchContext,
  slot: Slot,
  /** Budget of its job (USD). */
  budget: number,
) {
  const { number } = slot.issue;
  const key = `${stepsOf(slot)}/start`;
  const op = operationOf(ctx, key);
  const start = await ctx.step<AttemptStart>(key, async () => {
    const taken = await whyNotFree(ctx, slot);
    if (taken) return taken;
    const stands = await standing(ctx, slot);
    if ('reason' in stands) return { kind: 'blocked', reason: stands.reason };
    return { kind: 'started', stands, budget_usd: budget };
  });
  if (start.kind !== 'started') return start;
  slot.op = op;
  slot.stands = start.stands;
  const branch = branchName(ctx.view.run, number, slot.issue.title);
  changeIssue(ctx, slot, { attempt: slot.attempt, branch });
  ctx.outstanding.set(op, jobSpec(ctx, slot, { op, budget_usd: start.budget_usd }));
  move(ctx, slot, 'running', slot.attempt === 1 ? 'its slot is free' : `attempt ${slot.attempt}`);
  return start;
}

/** Goes on with an attempt whose question is answered: another job, over what the one before left. */
export async function continueAttempt(ctx: BatchContext, slot: Slot, budget: number): Promise<void> {
  const { question, op: before } = slot.asks!;
  const key = `${stepsOf(slot)}/${question.id}-answered`;
  const op = operationOf(ctx, key);
  const from = { op: before, answer: question.answer! };
  const { budget_usd } = await ctx.step(key, async () => ({ budget_usd: budget }));
  delete slot.asks;
  slot.op = op;
  ctx.outstanding.set(op, jobSpec(ctx, slot, { op, budget_usd, from }));
  move(ctx, slot, 'running', `${question.id} is answered`);
}

async function whyNotFree(ctx: EngineerContext, slot: Slot): Promise<AttemptStart | undefined> {
  if (slot.issue.assignee)
    return { kind: 'skipped', reason: `the plan gives it to ${slot.issue.assignee}, a person` };
  if (slot.gone) return { kind: 'cancelled', reason: issueIsGone };
  if (slot.taken !== undefined) return { kind: 'skipped', reason: slot.taken };
  if (slot.attempt > 1) return undefined;
  const { number } = slot.issue;
  const now = await ctx.github.issue(number).catch(refusedBy(404, 410));
  if ('refused' in now) return { kind: 'cancelled', reason: issueIsGone };
  if (now.state !== 'open') return { kind: 'cancelled', reason: closedBefore };
  const reason = await whyTaken(ctx.github, number, now);
  return reason === undefined ? undefined : { kind: 'skipped', reason };
}

/** The commit to begin at: the base, or the delivered branches this issue needs, merged. */
async function standing(ctx: BatchContext, slot: Slot): Promise<Stands | { reason: string }> {
  const { slots } = ctx;
  const on = standsOn(scheduled(slot), slots.map(scheduled), ctx.config.overlap).flatMap(number => {
    const delivered = slotOf(ctx, number)?.delivered;
    return delivered ? [{ number, ...delivered }] : [];
  });
  const [first] = on;
  if (!first) return { ...ctx.base, on: [] };
  const numbers = on.map(({ number }) => number);
  if (on.length === 1) return { commit: first.commit, branch: first.branch, on: numbers };
  const mirror = await ctx.mirror();
  const merge = {
    commits: on.map(({ commit }) => commit),
    message: `Merge what #${slot.issue.number} stands on: ${numbers.map(each => `#${each}`).join(', ')}`,
    date: new Date(ctx.view.started).toISOString(),
  };
  const merged = await mirror.merge(merge.commits, merge);
  if ('conflicts' in merged)
    return { reason: `the branches it stands on conflict in ${merged.conflicts.slice(0, 5).join(', ')}` };
  return { commit: merged.commit, branch: null, on: numbers, merge };
}

/** Knowledge for later attempts and rounds, which have conversations of their own. */
function known(slot: Slot): string | null {
  const { previous, asked, round } = slot;
  const answers = asked.flatMap(({ text, answer }) =>
    answer === undefined ? [] : [`The person was asked: ${text}\nThe person answered: ${answer}`],
  );
  return [guidanceText(slot), round ? null : previous, ...answers].filter(Boolean).join('\n\n') || null;
}

/**
 * The job whose changes the next attempt goes on from: the one that has failed, or, where it left none, the one that it
 * was to go on from itself. None where they were judged, refused, or taken back.
 */
export function lastTree({ slot, report }: Reported): string | null {
  if (report.kind !== 'failed' || report.class === 'rejected' || report.class === 'no_changes') return null;
  return report.partial ? startedOf(slot).op : slot.lastTree;
}

/** However long an attempt worked before its question, with the answer it gets this long (milliseconds). */
const AFTER_ANSWER_MS = 60_000;

/** As many as its share pays a first call for each; what people ask and what is answered is one engineer's. */
function candidatesFor(
  { config, settings }: EngineerContext,
  { round }: Slot,
  { budget_usd, from }: Pick<JobStart, 'budget_usd' | 'from'>,
): Pick<JobSpec, 'candidates'> {
  const paid = settings.leastUsd > 0 ? Math.floor(budget_usd / settings.leastUsd) : Infinity;
  const candidates = Math.min(config.candidates, paid);
  return round || from?.answer !== undefined || candidates < 2 ? {} : { candidates };
}

/** Input for starting a job. */
interface JobStart {
  op: string;
  budget_usd: number;
  /** Default: the tree of the attempt before; of a round, none. */
  from?: JobSpec['from'];
}

/** The job of a slot's present attempt, or of the round that is under way on its pull request. */
export function jobSpec(ctx: BatchContext, slot: Slot, { op, budget_usd, ...start }: JobStart): JobSpec {
  const { round } = slot;
  const { commit, merge } = startedOf(slot).stands;
  const last = round || slot.lastTree === null ? undefined : { op: slot.lastTree };
  const { from = last } = start;
  const { timeouts, turns, limits } = ctx.config;
  const left = Math.min(timeouts.attempt, Math.max(timeouts.attempt - (slot.usedMs ?? 0), AFTER_ANSWER_MS));
  const { number, title, body } = slot.issue;
  const begins = round ? { merge: round.fit?.merge, wanted: round.wanted } : { merge };
  const ground = { base: round ? (round.fit?.commit ?? round.head) : commit, ...begins };
  const before = testsBefore(ctx, ground.base);
  const told = ctx.view.baseTests && baseTestsForModel(ctx.view.baseTests);
  return {
    version: 1,
    op,
    directive: ctx.view.issue,
    issue: { number, title, body },
    around: aroundOf(ctx, slot),
    attempt: slot.attempt,
    ...ground,
    ...ctx.settings.job,
    limits: {
      ...{ attempt_ms: left, stuck_ms: timeouts.stuck },
      ...{ budget_usd, turns: turns.director, warn_at: limits.warn_at },
    },
    previous: known(slot),
    ...(from && { from }),
    ...candidatesFor(ctx, slot, { budget_usd, from }),
    ...(told !== undefined && { base_tests: told }),
    ...(before && { before }),
    ...(ctx.green.size > 0 && { green: [...ctx.green] }),
  };
}
