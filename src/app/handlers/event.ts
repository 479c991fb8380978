// From an event to its handler.
import type { Actor, CommentSaid, Event } from '../events/parse.ts';
import { RateLimited } from '../github/octokit.ts';
import { afterwards, driveKey, MAX_KEPT } from './deferred-work.ts';
import { commented, edited, type Spoken } from './commented.ts';
import { type Desk, driveSoon } from './repository-context.ts';
import { elsewhere } from './other-threads.ts';
import { labelled } from './labelled.ts';

/** Events that something is done about today. */
export const handled = ['issues.labeled', 'issue_comment.created', 'issue_comment.edited'] as const;

/** Does what the event asks for; what GitHub does not take now is done when its limit is over. */
export async function handleEvent(desk: Desk, event: Event): Promise<void> {
  try {
    await handle(desk, event);
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    afterwards(desk, error.until, later(desk, event));
  }
}

/** The event again, or where there are too many of them a look at its issue, which takes in the commands on it. */
function later(desk: Desk, event: Event) {
  const issue = 'issue' in event ? event.issue : undefined;
  if (issue !== undefined && desk.kept.size >= MAX_KEPT)
    return { key: driveKey(issue), work: () => driveSoon(desk, issue) };
  const what = 'comment' in event ? event.comment.id : issue;
  const label = 'label' in event ? ` ${event.label}` : '';
  return { key: `${event.kind} ${what}${label}`, work: () => handleEvent(desk, event) };
}

const spokenIn = ({ comment }: { comment: CommentSaid }, { login }: Actor): Spoken => ({
  id: comment.id,
  body: comment.body,
  author: login,
  createdAt: Date.parse(comment.createdAt),
});

async function handle(desk: Desk, event: Event): Promise<void> {
  switch (event.kind) {
    case 'issues.labeled':
      return await labelled(desk, event.issue, event.label);
    case 'issue_comment.created': {
      const comment = spokenIn(event, event.comment.author);
      return event.isPullRequest
        ? await elsewhere(desk, event.issue, comment)
        : await commented(desk, event.issue, comment);
    }
    case 'issue_comment.edited':
      // Who edits is the one who is answered.
      return await edited(desk, event.issue, spokenIn(event, event.sender), event.before);
    default:
      return undefined;
  }
}
