// The other runs of a repository, as far as this process can know them: those that go on, and what came of those that ended.
import { HOUR_MS } from '@echelon/ground';
import { RateLimited } from '../github/octokit.ts';
import { threadUnlessGone } from '../github/thread.ts';
import type { RunView } from '../comments/view.ts';
import { loadRun } from '../run/read-record.ts';
import { isEnded, inspectRun } from '../run/inspect-run.ts';
import { pastOf } from '../scheduler/estimate.ts';
import type { OtherRuns } from '../scheduler/globs.ts';
import type { RepositoryContext } from './repository-context.ts';

/** Records that are read at most; each costs at least a call. */
const MAX_READ = 20;

/** A month: what closed before was worked by other models on other code. */
const PAST_MS = 30 * 24 * HOUR_MS;

/**
 * Those it drove, and those whose record stands on an issue with the label; `more`: not all of these were read. Where nothing is known of the past, the issue with the label that was closed last is read too: a run's record
 * tells what was known before it.
 */
export async function otherRuns(ctx: RepositoryContext, label: string): Promise<OtherRuns> {
  const { issues, more } = await ctx.github.labelled(label);
  const carrying = issues.map(({ number }) => number);
  const views = new Map(ctx.views);
  const unknown = carrying.filter(number => !views.has(number) && !ctx.seen.has(number));
  let unread = unknown.length > MAX_READ;
  for (const number of unknown.slice(0, MAX_READ)) {
    const found = await viewOf(ctx, number);
    if (found === 'unreadable') unread = true;
    else if (found) views.set(number, found);
  }
  const runs = [...views.values()]
    .filter(view => !isEnded(view) && view.paths.length > 0)
    .map(({ issue, paths }) => ({ issue, paths }));
  const alike = (view: RunView) => view.scripted === ctx.model.scripted;
  let past = pastOf([...views.values()].filter(alike));
  const since = ctx.clock.now() - PAST_MS;
  const [closed] = past.length === 0 ? await ctx.github.closedSince(label, since) : [];
  const last = closed === undefined ? undefined : await viewOf(ctx, closed);
  if (last && last !== 'unreadable') past = pastOf([last].filter(alike));
  return { runs, past, more: more || unread };
}

/** Undefined where there is no run. What is wrong with another run does not hold this one up. */
async function viewOf(ctx: RepositoryContext, number: number): Promise<RunView | 'unreadable' | undefined> {
  try {
    const thread = await threadUnlessGone(ctx.github, number);
    const loaded = thread && (await loadRun(thread, ctx));
    return loaded?.kind === 'run' ? await inspectRun(loaded.store, ctx) : undefined;
  } catch (error) {
    if (error instanceof RateLimited) throw error;
    ctx.report(error, `issue #${number}`);
    return 'unreadable';
  }
}
