// From an event to its handler.
import type { Event } from '../events/parse.ts';
import { commented } from './commented.ts';
import type { Desk } from './desk.ts';
import { labelled } from './labelled.ts';

/** Events that something is done about today. */
export const handled = ['issues.labeled', 'issue_comment.created'] as const;

export async function handleEvent(desk: Desk, event: Event): Promise<void> {
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
