// From an event to its handler; of comments: commands are acknowledged at once, answered where they only ask, and else taken
// in by the run.
import type { Event } from '../events/parse.ts';
import { editsDoNotCount, labelTakenOff } from '../comments/replies.ts';
import { hasLabel, sameLabel } from '../github/issues.ts';
import { RateLimited } from '../github/octokit.ts';
import { sayOnce } from '../github/once.ts';
import { suffices } from '../github/repository.ts';
import { answer, groundOf, isCommand } from './answer.ts';
import { advanceKey, afterwards, MAX_KEPT } from './deferred-work.ts';
import { inspectRun, isEnded } from '../run/inspect-run.ts';
import { advanceSoon, type RepositoryContext } from './repository-context.ts';
import { isHeard, mayWrite } from './listening-limits.ts';
import { elsewhere, gone, partOf, touched } from './other-threads.ts';
import { isWip } from '../engineer/slots/facts.ts';
import { begin, labelled, triggerLabel } from './labelled.ts';
import type { ParsedComment, Spoken } from '../commands/parse.ts';
import { commands as rows, interrupts } from '../commands/table.ts';

/** Does what the event asks for; what GitHub does not take now is done when its limit is over. */
export async function handleEvent(ctx: RepositoryContext, event: Event): Promise<void> {
  try {
    await handle(ctx, event);
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    afterwards(ctx, error.until, later(ctx, event));
  }
}

/** The event again, or where there are too many of them a look at its issue, which takes in the commands on it. */
function later(ctx: RepositoryContext, event: Event) {
  const { kind, issue } = event;
  if (ctx.kept.size >= MAX_KEPT) return { key: advanceKey(issue), work: () => advanceSoon(ctx, issue) };
  const what = 'comment' in event ? event.comment.id : `${issue} ${'label' in event ? event.label : ''}`;
  return { key: `${kind} ${what}`, work: () => handleEvent(ctx, event) };
}

async function handle(ctx: RepositoryContext, event: Event): Promise<void> {
  switch (event.kind) {
    case 'issues.labeled':
    case 'issues.unlabeled': {
      const { kind, issue, label, sender } = event;
      if (isWip(label)) return await touched(ctx, issue, sender);
      return await (kind === 'issues.labeled' ? labelled : unlabelled)(ctx, issue, label);
    }
    case 'workflow_job.completed': {
      // Anybody who can name a job can send this: only open runs of this process are looked at.
      const view = ctx.views.get(event.issue);
      return view && !isEnded(view) ? await advanceSoon(ctx, event.issue) : undefined;
    }
    case 'check_suite.completed':
      // The event's sender is whoever pushed the commit: the bot itself.
      return await touched(ctx, event.issue, { login: event.app });
    case 'issue_comment.created':
      return await (event.isPullRequest ? elsewhere : commented)(ctx, event.issue, event.comment);
    case 'issue_comment.edited':
      return await edited(ctx, event.issue, event.comment, event.before);
    case 'pull_request_review.submitted':
      // Everybody may review a public pull request; a review counts only of people with write access.
      return (await mayWrite(ctx, event.issue, event.sender.login))
        ? await touched(ctx, event.issue, event.sender)
        : undefined;
    case 'issues.deleted':
    case 'issues.transferred':
      return await gone(ctx, event);
    default:
      return await touched(ctx, event.issue, event.sender);
  }
}

/** Nothing ends by taking the label off a run that goes on: it says what would, once for each time that it was put on. */
async function unlabelled(ctx: RepositoryContext, issue: number, label: string): Promise<void> {
  const { github } = ctx;
  // Of an issue that this process has driven it is known; of any other one its record tells.
  const known = ctx.views.get(issue);
  if ((known && isEnded(known)) || !sameLabel(label, await triggerLabel(ctx))) return;
  const { thread, run } = await groundOf(ctx, issue);
  if (!run || hasLabel(thread.labels, label) || isEnded(await inspectRun(run, ctx))) return;
  const put = await github.labelling(issue, label);
  if (put) await sayOnce(github, thread, { key: `unlabelled/${put.id}`, body: labelTakenOff(label) });
}

/** A new comment by a person on an issue. */
async function commented(ctx: RepositoryContext, issue: number, comment: Spoken): Promise<void> {
  const { github } = ctx;
  const { commands, problems } = comment;
  if (!isCommand(comment) || !(await isHeard(ctx, issue, comment))) return;
  const changing = commands.filter(({ name }) => rows[name].kind === 'changes');
  const asking = commands.length > changing.length || problems.length > 0;
  const permission = changing.length > 0 ? await github.permission(comment.author) : 'none';
  const followed = changing.filter(({ name }) => suffices(permission, rows[name].who));
  // A run this process has advanced is known; otherwise, and for every question, the issue is read once.
  let label: string | undefined;
  if (asking || followed.length < changing.length || !ctx.views.has(issue)) {
    const ground = await groundOf(ctx, issue);
    if (!ground.hasRecord && ground.label === undefined && (await partOf(ctx, ground.thread)) !== undefined)
      return await elsewhere(ctx, issue, comment);
    label = ground.label;
    // A run that is about to begin takes in what was said; what is left then is answered.
    if (label === undefined || followed.length === 0) await answer(ctx, ground, comment);
    // Other bots have commands of the same names: where there is neither run nor label, this one is not meant.
    if (!ground.hasRecord && label === undefined) return;
  }
  if (followed.length === 0) return;
  // Before it is answered: who sees the answer may rely on nothing new being begun.
  if (followed.some(({ name }) => interrupts.some(each => each === name)))
    ctx.queue.interrupt(issue, 'a person ended the run');
  else ctx.queue.makeWay(issue);
  await github.react(comment.id, 'eyes');
  if (label === undefined) return await advanceSoon(ctx, issue);
  await begin(ctx, issue, label);
  await answer(ctx, await groundOf(ctx, issue), comment);
}

/** A person changed a comment: a command that came into it so is not followed, and that is said, once. */
async function edited(
  ctx: RepositoryContext,
  issue: number,
  comment: Spoken,
  before: ParsedComment,
): Promise<void> {
  const old = new Set(before.commands.map(({ line, ...said }) => JSON.stringify(said)));
  const isNew = comment.commands.some(({ line, ...said }) => !old.has(JSON.stringify(said)));
  const met = ctx.hearing.edited;
  if (!isNew || met.has(comment.id) || !(await isHeard(ctx, issue, comment))) return;
  met.add(comment.id);
  await tellOfEdit(ctx, issue, comment).catch(error => {
    met.delete(comment.id);
    throw error;
  });
}

async function tellOfEdit(ctx: RepositoryContext, issue: number, comment: Spoken): Promise<void> {
  const { github } = ctx;
  const now = await github.issue(issue);
  const { labels } = now;
  if ((await partOf(ctx, now)) === undefined && !ctx.views.has(issue)) {
    const { hasRecord, label } = labels.length > 0 ? await groundOf(ctx, issue) : { hasRecord: false };
    if (!hasRecord && label === undefined) return;
  }
  const place = { number: issue, comments: await github.comments(issue) };
  await sayOnce(github, place, { key: `edited/${comment.id}`, body: editsDoNotCount });
}
