// The runs of a repository that have not ended, as far as this process can know them.
import { RateLimited } from '../github/octokit.ts';
import { loadRun } from '../run/read-record.ts';
import { isEnded, inspectRun } from '../run/inspect-run.ts';
import type { OpenRun } from '../scheduler/overlapping-runs.ts';
import type { RepositoryContext } from './repository-context.ts';

/** Records of issues with the label that are read at most; each costs at least a call. */
const MAX_READ = 20;

/** Those it drove, and those whose record stands on an issue with the label; `more`: not all of these were read. */
export async function openRuns(
  ctx: RepositoryContext,
  label: string,
): Promise<{ runs: OpenRun[]; more: boolean }> {
  const { github } = ctx;
  const views = new Map(ctx.views);
  const { issues, more } = await github.labelled(label);
  const unknown = issues.filter(({ number }) => !views.has(number) && !ctx.unbegun.has(number));
  let unread = unknown.length > MAX_READ;
  for (const { number } of unknown.slice(0, MAX_READ))
    try {
      const loaded = await loadRun(await github.thread(number), ctx);
      if (loaded.kind === 'run') views.set(number, await inspectRun(loaded.store, ctx));
    } catch (error) {
      if (error instanceof RateLimited) throw error;
      // What is wrong with another run does not hold this one up.
      unread = true;
      ctx.report(error, `issue #${number}`);
    }
  const runs = [...views.values()]
    .filter(view => !isEnded(view) && view.paths.length > 0)
    .map(({ issue, paths }) => ({ issue, paths }));
  return { runs, more: more || unread };
}
