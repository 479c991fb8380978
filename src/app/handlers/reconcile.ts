// Level-triggered: looks at every open issue with the label and brings it up to date, whatever was missed meanwhile.
import { HOUR_MS } from '@echelon/ground';
import { RateLimited } from '../github/octokit.ts';
import { saidBefore } from '../github/once.ts';
import { isGone } from '../github/thread.ts';
import type { Permission } from '../github/repository.ts';
import { isEnded, sinceOf } from '../run/inspect-run.ts';
import { spokenIn } from '../run/receive-signals.ts';
import { advanceKey } from './deferred-work.ts';
import { answer, groundOf, isCommand } from './answer.ts';
import { advanceSoon, type RepositoryContext } from './repository-context.ts';
import { hasSettled, lookAtParts, lookElsewhere } from './other-threads.ts';
import { answerKey, isHeard } from './listening-limits.ts';
import { begin, triggerLabel } from './labelled.ts';

/**
 * At the start of a process, and from time to time: begins what was not begun, goes on where it was left.
 * `thorough`: also issues without a run on which nothing has changed, and the parts of runs; looking at all of them each
 * minute would use up what GitHub allows. What cannot be read holds nothing else up.
 */
export async function reconcile(ctx: RepositoryContext, thorough: boolean): Promise<void> {
  const { owner, name } = ctx.github;
  const label = await triggerLabel(ctx);
  const { issues, more } = await ctx.github.labelled(label);
  if (more && thorough) {
    const why = `more than ${issues.length} open issues carry the label ${label}: only the oldest are looked at again, the others when something happens on them`;
    ctx.report(new Error(why), `${owner}/${name}`);
  }
  for (const { number, updatedAt } of issues) {
    if ((ctx.failures.get(number)?.until ?? 0) > ctx.clock.now()) continue;
    if (isQuiet(ctx, number, updatedAt, thorough)) continue;
    try {
      const isRun = await bringUpToDate(ctx, number, label);
      if (isRun && !ctx.views.has(number)) continue;
      if (hasSettled(ctx, Date.parse(updatedAt))) ctx.seen.set(number, updatedAt);
    } catch (error) {
      if (error instanceof RateLimited) throw error;
      // Deleted since it was listed.
      if (!isGone(error)) ctx.report(error, `${owner}/${name}#${number}`);
    }
  }
  const carrying = new Set(issues.map(({ number }) => number));
  if (thorough) await endClosed(ctx, label);
  // Without a labelled issue nothing belongs to a run.
  if (issues.length > 0) await lookElsewhere(ctx, carrying);
  if (thorough && issues.length > 0) await lookAtParts(ctx, carrying);
}

/** Ends runs whose directive was closed: nobody else would notice where the event was lost. */
async function endClosed(ctx: RepositoryContext, label: string): Promise<void> {
  for (const number of await ctx.github.closedSince(label, ctx.clock.now() - CLOSED_MS)) {
    const view = ctx.views.get(number);
    const isOver = view !== undefined && isEnded(view);
    if (!isOver && (ctx.failures.get(number)?.until ?? 0) <= ctx.clock.now()) await advanceSoon(ctx, number);
  }
}

/** Closed directives are looked at for so long (milliseconds). */
const CLOSED_MS = 24 * HOUR_MS;

/** True if this process knows of nothing to do: no change since its last look, and it was refused, waits, or is over. */
function isQuiet(ctx: RepositoryContext, issue: number, updatedAt: string, thorough: boolean): boolean {
  if (ctx.kept.has(advanceKey(issue))) return !thorough;
  if (ctx.failures.has(issue) || ctx.seen.get(issue) !== updatedAt) return false;
  const view = ctx.views.get(issue);
  return view ? view.status !== 'running' : !thorough;
}

/** Begins, goes on, and takes in what was said meanwhile. Answers whether the issue has a run. */
export async function bringUpToDate(ctx: RepositoryContext, issue: number, label: string): Promise<boolean> {
  const { github } = ctx;
  const labelledAt = await begin(ctx, issue, label);
  const ground = await groundOf(ctx, issue);
  const { thread, run } = ground;
  const permissions = new Map<string, Permission>();
  for (const comment of spokenIn(thread, run ? sinceOf(run) : 0)) {
    // If the label began no run, earlier comments may have been meant for others.
    if (!run && comment.createdAt < (labelledAt ?? Number.POSITIVE_INFINITY)) continue;
    if (!isCommand(comment) || saidBefore(github, thread, answerKey(comment.id)).at !== undefined) continue;
    if (await isHeard(ctx, issue, comment, thread)) await answer(ctx, ground, comment, permissions);
  }
  return run !== undefined;
}
