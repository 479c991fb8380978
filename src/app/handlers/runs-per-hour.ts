// How many runs may begin in a repository within an hour, and when the next one may.
import { tooManyRuns } from '../comments/replies.ts';
import { runId } from '../../journal/codec.ts';
import type { Start } from '../run/run-start.ts';
import { HOUR_MS } from '../../lib/clock.ts';
import { type RepositoryContext, noteBegun } from './repository-context.ts';

/**
 * Takes a place among the runs of this hour for the run that begins so; answers why there is none, else nothing.
 * Runs that were begun by another process are known once they were advanced here: a reconcile advances them all.
 */
export function placeThisHour(
  ctx: RepositoryContext,
  issue: number,
  { trigger, config }: Pick<Start, 'trigger' | 'config'>,
): string | undefined {
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

const limitedBy = ({ caps }: RepositoryContext, most: number): string =>
  caps.runs_per_hour?.most === most
    ? `the operator of this installation (${caps.runs_per_hour.by})`
    : '`limits.runs_per_hour` of the configuration';
