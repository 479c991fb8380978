// A directive was deleted, or moved to another repository: its work ends, and nothing is written to it any more.
import { HOUR_MS } from '@echelon/ground';
import { directiveGone, directiveIn } from '../comments/issue-end.ts';
import { refusedBy } from '../github/octokit.ts';
import { markOf, sayOnce } from '../github/once.ts';
import { threadUnlessGone } from '../github/thread.ts';
import { isDelivered, type RunView } from '../comments/view.ts';
import type { RepositoryAccess } from '../run/active-run.ts';
import { advanceKey, type Keeper } from './deferred-work.ts';

/** Known directives. */
interface Known extends Keeper, Pick<RepositoryAccess, 'github' | 'jobsOf'> {
  views: Map<number, RunView>;
  heard: Map<number, unknown>;
  failures: Map<number, unknown>;
  seen: Map<number, unknown>;
}

/** Sub-issues are looked for so far back where nothing is known of the run (milliseconds). */
const PAST_MS = 30 * 24 * HOUR_MS;

/** Answers whether the issue is not there any more. */
export async function letGoIfGone(ctx: Known, directive: number): Promise<boolean> {
  const { github } = ctx;
  if (await threadUnlessGone(github, directive)) return false;
  // Its record went with it: what there is to end is found by its number.
  for (const execution of ['local', 'actions'] as const)
    await ctx
      .jobsOf({ directive, execution })
      .stopOf(directive)
      // A repository without the workflow has no jobs there.
      .catch(refusedBy(404));
  const view = ctx.views.get(directive);
  ctx.kept.delete(advanceKey(directive));
  const delivered = view?.issues.filter(isDelivered).map(({ number }) => number) ?? [];
  const own = await github.ownIssues(view?.started ?? ctx.clock.now() - PAST_MS);
  const left = own.filter(
    ({ number, body, state }) =>
      state === 'open' &&
      markOf(body) !== undefined &&
      directiveIn(body) === directive &&
      !delivered.includes(number),
  );
  for (const { number } of left) {
    const place = { number, comments: await github.comments(number) };
    await sayOnce(github, place, { key: `gone/${directive}`, body: directiveGone(directive) });
  }
  // Last: who is interrupted before this comes here again.
  for (const known of [ctx.views, ctx.heard, ctx.failures, ctx.seen]) known.delete(directive);
  return true;
}
