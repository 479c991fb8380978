// Context of every handler: one repository, and the functions that resume its runs.
import { HOUR_MS, messageOf } from '@echelon/ground';
import type { RunView } from '../comments/view.ts';
import type { Provider } from '../../engine/models/provider-keys.ts';
import { ProviderWait } from '../../engine/models.ts';
import { errorComment } from '../comments/replies.ts';
import { RateLimited } from '../github/octokit.ts';
import type { RunEvent, RunNotice } from '../run-events.ts';
import type { RepositoryAccess } from '../run/active-run.ts';
import { advanceRun, type Begin } from '../run/advance-run.ts';
import { sayOnce } from '../github/once.ts';
import type { Caps } from '../config/caps.ts';
import type { Config } from '../config/config.ts';
import type { Start } from '../run/run-start.ts';
import type { ReadConfig } from '../config/config-file.ts';
import { type IssueQueue, Stopped } from '../run/queue.ts';
import { afterwards, advanceKey, type Keeper } from './deferred-work.ts';
import { letGoIfGone } from './let-go.ts';
import type { Hearing } from './listening-limits.ts';

export interface RepositoryContext extends RepositoryAccess, Keeper {
  /** Choice of this installation's models. */
  model: {
    scripted: boolean;
    /** Providers whose models can be asked; absent if another job asks them. */
    providers?: readonly Provider[];
  };
  /** True if there is anything that model-written code must not see. */
  secretsPresent: boolean;
  /** Isolation of model-written code where jobs run. Throws IsolationMissing. */
  isolation(config: Pick<Config, 'isolation' | 'execution'>): Promise<Start['isolation']>;
  /** Reason that no configured engine can work; undefined: one can, or that is not known here. */
  engineFault(config: Pick<Config, 'engines' | 'execution'>): string | undefined;
  /** Reason that no pull request of a branch can be opened; undefined: none is wanted, or no reason is known. */
  pullsFault(config: Pick<Config, 'create_pr' | 'dry_run'>, branch: string): Promise<string | undefined>;
  /** False in a job of a workflow: nothing that failed is tried again there, and the workflow is at work already. */
  livesOn: boolean;
  /** Settings that the operator permits repositories, although there are secrets. */
  allows: { isolationNone: boolean; network: boolean };
  /** Caps that no repository may exceed. */
  caps: Caps;
  /** Reads a repository's configuration, held against the caps. */
  readConfig: ReadConfig;
  /** Overrides the configuration's test command. */
  test: string | undefined;
  queue: IssueQueue;
  emit(notice: RunNotice): void;
  /** Runs begun within the last hour, as far as this process knows: by their id, when (milliseconds since the epoch). */
  begun: Map<string, number>;
  /** Those that other processes began have been looked for. */
  hourKnown: Promise<void> | undefined;
  /** Errors in a row while an issue's run was advanced, and until when it is not tried again by itself. */
  failures: Map<number, { count: number; until: number }>;
  /** Issues with the label, with the time of their last change when they were looked at and were not to be begun or gone on with; parts of runs, with their marks. */
  seen: Map<number, string>;
  hearing: Hearing;
  /** The newest comment of the repository that was looked at: when it was written (milliseconds since the epoch), its id. */
  looked: { at: number; id: number } | undefined;
  /** State of each run when this process last resumed it, by the number of its issue. */
  views: Map<number, RunView>;
  /** By the number of a directive: its sub-issues and pull requests on which something was said that its run has not taken in. */
  heard: Map<number, Set<number>>;
  /** Has the run of a directive take in what was said or done on a part of it. */
  hear(directive: number, part: number): Promise<void>;
}

/** Forgets what was begun more than an hour ago, and notes one that was not. */
export function noteBegun({ begun, clock }: RepositoryContext, run: string, at: number): void {
  const from = clock.now() - HOUR_MS;
  for (const [id, time] of begun) if (time <= from) begun.delete(id);
  if (at > from) begun.set(run, at);
}

/** Queues the advancing of the issue's run; where a limit stands in the way, again when that is over. */
export function advanceSoon(ctx: RepositoryContext, issue: number, begin?: Begin): Promise<void> {
  return ctx.queue.add(issue, async stops => {
    const { owner, name } = ctx.github;
    const emit = (event: RunEvent) =>
      ctx.emit({ ...event, issue_of_run: issue, repository: `${owner}/${name}`, at: ctx.clock.now() });
    // A part that is heard from now on is looked at again.
    const heard = [...(ctx.heard.get(issue) ?? [])];
    ctx.heard.delete(issue);
    try {
      const view = await advanceRun(issue, ctx, { begin, heard, ...stops, emit });
      ctx.failures.delete(issue);
      if (view) {
        ctx.views.set(issue, view);
        noteBegun(ctx, view.run, view.started);
      }
    } catch (error) {
      noteHeard(ctx, issue, heard);
      if (error instanceof Stopped) throw error;
      const why = laterThan(error) === undefined ? await unlessGone(ctx, issue, error) : error;
      if (why === undefined) return;
      if (stops.abort.aborted) throw error;
      const until = laterThan(why);
      if (until === undefined) {
        failed(ctx, issue);
        await tellError(ctx, issue, why);
        throw why;
      }
      emit({ type: 'rate_limited', until });
      // Work that may begin a run also resumes an existing one.
      const fuller = begin !== undefined;
      const work = () => advanceSoon(ctx, issue, begin);
      afterwards(ctx, until, { key: advanceKey(issue), work, fuller });
    }
  });
}

/** The error, or a limit that was met in between; undefined: its issue is gone, and nothing is left to be done. */
async function unlessGone(ctx: RepositoryContext, issue: number, error: unknown): Promise<unknown> {
  try {
    return (await letGoIfGone(ctx, issue)) ? undefined : error;
  } catch (second) {
    return second instanceof RateLimited ? second : error;
  }
}

/** Time for retrying an error that only has to wait (milliseconds since the epoch); undefined: a real error. */
const laterThan = (error: unknown): number | undefined =>
  error instanceof RateLimited || error instanceof ProviderWait ? error.until : undefined;

/** Tries after which an issue that only fails waits for a person (a comment, a label). */
const MAX_TRIES = 5;

/** Each failure doubles the time to the next try, so that an error that stays does not spend money for ever. */
function failed(ctx: RepositoryContext, issue: number): void {
  const count = (ctx.failures.get(issue)?.count ?? 0) + 1;
  const wait = count < MAX_TRIES ? 60_000 * 2 ** count : Number.POSITIVE_INFINITY;
  ctx.failures.set(issue, { count, until: ctx.clock.now() + wait });
}

/** An error of the program itself is told on the issue, once for each message, so that nobody waits in vain. */
async function tellError(ctx: RepositoryContext, issue: number, error: unknown): Promise<void> {
  const message = ctx.mask(messageOf(error));
  try {
    const thread = await ctx.github.thread(issue);
    await sayOnce(ctx.github, thread, {
      key: `error/${message}`,
      body: errorComment(message, ctx.livesOn),
    });
  } catch (second) {
    ctx.report(second, `issue #${issue}`);
  }
}

/** The directive's run looks at these parts when it is advanced next. */
export function noteHeard({ heard }: RepositoryContext, directive: number, parts: readonly number[]): void {
  if (parts.length > 0) heard.set(directive, new Set([...(heard.get(directive) ?? []), ...parts]));
}

/** The run of the directive takes in what was said on a part of it, in this process. */
export async function hearHere(ctx: RepositoryContext, directive: number, part: number): Promise<void> {
  noteHeard(ctx, directive, [part]);
  await advanceSoon(ctx, directive);
}
