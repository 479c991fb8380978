// Checks that an issue's text is still the one that was labelled, and whether somebody with the right
// wants a dry run.
import { HOUR_MS } from '@echelon/ground';
import { runId } from '@echelon/ground/journal';
import { runOfBoard } from '../comments/board.ts';
import { changedAfterLabel, tooManyRuns } from '../comments/replies.ts';
import type { Start } from '../run/run-start.ts';
import { noteBegun, type RepositoryContext } from './repository-context.ts';
import { TooLong } from '../github/pages.ts';
import { type Repository, suffices } from '../github/repository.ts';
import { spokenIn } from '../run/receive-signals.ts';
import type { Thread } from '../github/thread.ts';

/**
 * Returns the reason that a run must not begin with the present text, otherwise undefined. The text counts if everyone
 * who changed the title or the description since the label was added has write access, or added the label. GitHub
 * dates the label and the changes by the second, so a change within the label's second counts as later. The text must
 * have been read before.
 */
export async function whyNotThisText(
  github: Pick<Repository, 'editsSince' | 'permission'>,
  issue: number,
  { by, at }: { by: string; at: number },
): Promise<string | undefined> {
  const mayWrite = new Set([by]);
  try {
    for (const edit of await github.editsSince(issue, at)) {
      if (mayWrite.has(edit.by)) continue;
      // Nobody can be asked for the rights of an account that is gone.
      if (edit.by === 'ghost' || !suffices(await github.permission(edit.by), 'write'))
        return changedAfterLabel(edit);
      mayWrite.add(edit.by);
    }
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return `${error.message}, so nobody can tell who changed the text since the label was put on. Open a new issue`;
  }
  return undefined;
}

/**
 * `/dry-run` counts for one run: that of the label (`at`, milliseconds since the epoch) after it, unless another
 * one began since. Nobody's rights are asked for where nobody says it.
 */
export async function askedDry(
  github: Pick<Repository, 'bot' | 'permission'>,
  thread: Thread,
  at: number,
): Promise<boolean> {
  const board = thread.comments.findLast(
    ({ author, body }) => author === github.bot && runOfBoard(body) !== undefined,
  );
  for (const comment of spokenIn(thread, board?.id ?? 0)) {
    // GitHub dates both by the second.
    if (comment.createdAt > at || !comment.commands.some(({ name }) => name === 'dry-run')) continue;
    if (suffices(await github.permission(comment.author), 'write')) return true;
  }
  return false;
}

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
