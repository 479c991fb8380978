// Limits the runs that may begin in a repository within an hour, and computes the start of the next one.
import { HOUR_MS } from '@echelon/ground';
import { runId } from '@echelon/ground/journal';
import { runOfBoard } from '../comments/record.ts';
import { tooManyRuns } from '../comments/replies.ts';
import type { Start } from '../run/run-start.ts';
import { type RepositoryContext, noteBegun } from './repository-context.ts';

/** Takes a place among the runs of this hour for the run that begins so; answers why there is none, else nothing. */
export async function placeThisHour(
  ctx: RepositoryContext,
  issue: number,
  { trigger, config }: Pick<Start, 'trigger' | 'config'>,
): Promise<string | undefined> {
  await lookBack(ctx);
  const run = runId({ repository: ctx.github.id, issue }, trigger, ctx.keys);
  const now = ctx.clock.now();
  const most = config.limits.runs_per_hour;
  const others = [...ctx.begun]
    .filter(([id, at]) => id !== run && at > now - HOUR_MS)
    .map(([, at]) => at)
    .sort((a, b) => a - b);
  const until = others[others.length - most];
  if (until !== undefined) return tooManyRuns(others.length, until + HOUR_MS, limitedBy(ctx, most));
  noteBegun(ctx, run, now);
  return undefined;
}

/** Runs that other processes began, by their run comments: read once a process, in a call. */
async function lookBack(ctx: RepositoryContext): Promise<void> {
  const now = ctx.clock.now();
  ctx.hourKnown ??= ctx.github.recentComments(now - HOUR_MS).then(comments => {
    for (const { author, body, createdAt } of comments) {
      const run = author === ctx.github.bot ? runOfBoard(body) : undefined;
      if (run !== undefined && !ctx.begun.has(run)) noteBegun(ctx, run, createdAt);
    }
  });
  // Told to who waits for it; the next one asks again.
  await ctx.hourKnown.catch(error => {
    ctx.hourKnown = undefined;
    throw error;
  });
}

const limitedBy = ({ caps }: RepositoryContext, most: number): string =>
  caps.runs_per_hour?.most === most
    ? `the operator of this installation (${caps.runs_per_hour.by})`
    : '`limits.runs_per_hour` of the configuration';
