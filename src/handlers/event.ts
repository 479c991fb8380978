// From an event to its handler.
import type { Event } from '../events/parse.ts';
import { RateLimited } from '../github/octokit.ts';
import { afterwards, driveKey, MAX_KEPT } from './afterwards.ts';
import { commented } from './commented.ts';
import { type Desk, driveSoon } from './desk.ts';
import { labelled } from './labelled.ts';

/** Events that something is done about today. */
export const handled = ['issues.labeled', 'issue_comment.created'] as const;

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
  const what = event.kind === 'issue_comment.created' ? event.comment.id : issue;
  return { key: `${event.kind} ${what}`, work: () => handleEvent(desk, event) };
}

async function handle(desk: Desk, event: Event): Promise<void> {
  switch (event.kind) {
    case 'issues.labeled':
      return await labelled(desk, event.issue, event.label);
    case 'issue_comment.created': {
      const { id, body, author } = event.comment;
      return event.isPullRequest
        ? undefined
        : await commented(desk, event.issue, { id, body, by: author.login });
    }
    default:
      return undefined;
  }
}
