// From an event to its handler.
import type { Actor, CommentSaid, Event } from '../events/parse.ts';
import { labelTakenOff } from '../comments/replies.ts';
import { hasLabel, sameLabel } from '../github/labels.ts';
import { RateLimited } from '../github/octokit.ts';
import { sayOnce } from '../github/once.ts';
import { groundOf } from './answer.ts';
import { afterwards, advanceKey, MAX_KEPT } from './deferred-work.ts';
import { commented, edited } from './commented.ts';
import { inspectRun, isEnded } from '../run/inspect-run.ts';
import { type RepositoryContext, advanceSoon } from './repository-context.ts';
import { mayWrite } from './listening-limits.ts';
import { elsewhere, gone, type Spoken, touched } from './other-threads.ts';
import { isWip } from '../engineer/slots/taken.ts';
import { labelled, triggerLabel } from './labelled.ts';

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

const spokenIn = ({ comment }: { comment: CommentSaid }, { login }: Actor): Spoken => ({
  id: comment.id,
  body: comment.body,
  author: login,
  createdAt: Date.parse(comment.createdAt),
});

async function handle(ctx: RepositoryContext, event: Event): Promise<void> {
  switch (event.kind) {
    case 'issues.labeled':
    case 'issues.unlabeled': {
      const { kind, issue, label, sender } = event;
      if (isWip(label)) return await touched(ctx, issue, sender);
      return await (kind === 'issues.labeled' ? labelled : unlabelled)(ctx, issue, label);
    }
    case 'workflow_job.completed': {
      // Whoever may name a job can send this: only what goes on here is looked at.
      const view = ctx.views.get(event.issue);
      return view && !isEnded(view) ? await advanceSoon(ctx, event.issue) : undefined;
    }
    case 'issue_comment.created': {
      const comment = spokenIn(event, event.comment.author);
      return event.isPullRequest
        ? await elsewhere(ctx, event.issue, comment)
        : await commented(ctx, event.issue, comment);
    }
    case 'issue_comment.edited':
      // Who edits is the one who is answered.
      return await edited(ctx, event.issue, spokenIn(event, event.sender), event.before);
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
