// Commands on the sub-issues and pull requests of a run: what asks is answered there, what can be followed there is
// handed to the run, for the rest the place is named.
import { HOUR_MS } from '@echelon/ground';
import { type Spoken, spoken } from '../commands/parse.ts';
import type { Actor } from '../events/parse.ts';
import { directiveIn, directiveGone } from '../comments/issue-end.ts';
import { issueOfPull } from '../comments/pull.ts';
import { needsPlace } from '../comments/round.ts';
import type { RunView } from '../comments/view.ts';
import type { IssueNow } from '../github/issues.ts';
import { belongsElsewhere, noRun, notPermitted, ofRun } from '../comments/replies.ts';
import { saidBefore, markOf } from '../github/once.ts';
import { threadUnlessGone } from '../github/thread.ts';
import { RateLimited } from '../github/octokit.ts';
import { suffices } from '../github/repository.ts';
import { isBranchOf } from '../scheduler/branches.ts';
import { loadRun } from '../run/read-record.ts';
import type { Loaded } from '../run/comment-store.ts';
import { inspectRun } from '../run/inspect-run.ts';
import { answersTo, groundOf, isCommand, respond } from './answer.ts';
import { advanceSoon, noteHeard, type RepositoryContext } from './repository-context.ts';
import { answerKey, isHeard } from './listening-limits.ts';

/**
 * The directive whose run made this issue or pull request, or has taken it up; undefined where none did. A workflow's pull requests may be
 * opened by an App that it knows no name of: those are known by their branch, which takes write access to make.
 */
export async function partOf(
  ctx: RepositoryContext,
  { number, author, body, parent }: Pick<IssueNow, 'number' | 'author' | 'body'> & Partial<IssueNow>,
): Promise<number | undefined> {
  const { github } = ctx;
  const directive = markOf(body) === undefined ? undefined : directiveIn(body);
  if (directive === undefined) return await takenUpBy(ctx, number, parent);
  if (author === github.bot) return directive;
  const issue = issueOfPull(body);
  if (issue === undefined) return undefined;
  return isBranchOf(issue, (await github.branchOpenedByApp(number)) ?? '') ? directive : undefined;
}

/** The directive whose run works an issue that it has not made: this process knows it, or the issue's parent has a record. */
async function takenUpBy(
  ctx: RepositoryContext,
  number: number,
  parent: number | null | undefined,
): Promise<number | undefined> {
  const isIn = ({ issues }: RunView) => issues.some(issue => issue.number === number);
  for (const [directive, view] of ctx.views) if (isIn(view)) return directive;
  const above = parent === undefined ? (await ctx.github.issue(number)).parent : parent;
  if (above === null || ctx.views.has(above)) return undefined;
  const { run } = await groundOf(ctx, above);
  return run && isIn(await inspectRun(run, ctx)) ? above : undefined;
}

/** A comment on something that may be part of a run. */
export async function elsewhere(ctx: RepositoryContext, number: number, comment: Spoken): Promise<void> {
  const { github } = ctx;
  if (!isCommand(comment) || !(await isHeard(ctx, number, comment))) return;
  const part = await github.issue(number);
  const directive = await partOf(ctx, part);
  if (directive === undefined) return;
  const place = { number, comments: await github.comments(number) };
  const stands = place.comments.find(({ id }) => id === comment.id);
  if (stands?.body !== comment.body || saidBefore(github, place, answerKey(comment.id)).at !== undefined)
    return;
  const said = await answersTo(comment, {
    async say(say) {
      const loaded = await runOf(ctx, directive);
      if (loaded === undefined) return directiveGone(directive);
      return ofRun(directive, loaded.kind === 'run' ? say(await inspectRun(loaded.store, ctx)) : noRun);
    },
    async whyNot({ name, who, anywhere }) {
      if (!anywhere) return belongsElsewhere(name, directive, `/${name}`);
      const permission = await github.permission(comment.author);
      if (!suffices(permission, who)) return notPermitted(comment.author, name, permission, who);
      if (ctx.views.has(directive)) return undefined;
      const loaded = await runOf(ctx, directive);
      if (loaded === undefined) return directiveGone(directive);
      return loaded.kind === 'none' ? ofRun(directive, noRun) : undefined;
    },
  });
  if (said.followed) {
    ctx.queue.makeWay(directive);
    await github.react(comment.id, 'eyes');
  }
  await respond(ctx, place, comment.id, said);
  if (said.followed) await ctx.hear(directive, number);
}

/** Something other than a comment has happened to an issue or a pull request: the run it is part of looks at it. */
export async function touched(
  ctx: RepositoryContext,
  number: number,
  { login }: Pick<Actor, 'login'>,
): Promise<void> {
  const { github } = ctx;
  // The bot's own actions are known.
  if (login === github.bot) return;
  if (ctx.views.has(number)) return await advanceSoon(ctx, number);
  const part = await github.issue(number);
  const directive = await partOf(ctx, part);
  if (directive !== undefined) {
    await ctx.hear(directive, number);
    // Finished work of other runs may have waited for its place.
    if (part.isPull && part.state === 'closed')
      for (const [of, view] of ctx.views)
        if (of !== directive && needsPlace(view)) await advanceSoon(ctx, of);
    return;
  }
  // Of a directive nothing is known yet in a process that has just begun.
  if (part.labels.length > 0 && (await groundOf(ctx, number)).hasRecord) await advanceSoon(ctx, number);
}

/** An issue was deleted or moved away: a part of a run, or one that may have a run of its own. */
export async function gone(
  ctx: RepositoryContext,
  { issue, ...said }: { issue: number; body: string; author: string },
): Promise<void> {
  const directive = await partOf(ctx, { number: issue, parent: null, ...said });
  if (directive !== undefined) return await ctx.hear(directive, issue);
  ctx.queue.interrupt(issue, 'its issue is gone');
  await advanceSoon(ctx, issue);
}

/** Undefined: the directive was deleted or moved away. */
async function runOf(ctx: RepositoryContext, directive: number): Promise<Loaded | undefined> {
  const thread = await threadUnlessGone(ctx.github, directive);
  return thread && (await loadRun(thread, ctx));
}

/** So far back the first look of a process goes (milliseconds). */
const FIRST_MS = 24 * HOUR_MS;

/** Looks at what was written since the last look, on all issues but these, in one call for a hundred comments. */
export async function lookElsewhere(ctx: RepositoryContext, but: ReadonlySet<number>): Promise<void> {
  const from = ctx.looked ?? { at: ctx.clock.now() - FIRST_MS, id: 0 };
  const recent = await ctx.github.recentComments(from.at);
  // The oldest first; an old one that was changed since is not new.
  for (const comment of recent.reverse()) {
    if (comment.id <= from.id || comment.createdAt < from.at) continue;
    try {
      if (!comment.bot && !but.has(comment.issue)) await elsewhere(ctx, comment.issue, spoken(comment));
    } catch (error) {
      if (error instanceof RateLimited) throw error;
      // An unanswerable comment (a locked conversation) must not hold up all later ones.
      const { owner, name } = ctx.github;
      ctx.report(error, `${owner}/${name}#${comment.issue}`);
    }
    ctx.looked = { at: comment.createdAt, id: comment.id };
  }
}

/** Has the runs of these directives look at their parts to which anything has happened since the last look. */
export async function lookAtParts(ctx: RepositoryContext, directives: ReadonlySet<number>): Promise<void> {
  const owners = new Map<number, number>();
  for (const [directive, { issues }] of ctx.views)
    for (const { number, pull } of directives.has(directive) ? issues : [])
      for (const part of [number, pull ?? number]) owners.set(part, directive);
  const moved = new Set<number>();
  for (const { number, mark, at } of await ctx.github.marks([...owners.keys()])) {
    const directive = owners.get(number);
    if (directive === undefined || ctx.seen.get(number) === mark) continue;
    noteHeard(ctx, directive, [number]);
    moved.add(directive);
    if (hasSettled(ctx, at)) ctx.seen.set(number, mark);
  }
  if (moved.size > 0) for (const [of, view] of ctx.views) if (needsPlace(view)) moved.add(of);
  for (const directive of moved) await advanceSoon(ctx, directive);
}

/** GitHub, whose clock is near to ours, dates changes by the second: what follows at once is not told from this one. */
export const hasSettled = ({ clock }: RepositoryContext, changedAt: number): boolean =>
  clock.now() - changedAt > 5_000;
