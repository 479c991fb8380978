// The history of an issue: what was done to it.
import { type Core, now } from '../core.ts';
import type { Issue } from '../store/issues.ts';
import type { By } from './emit.ts';

/** Adds to the issue's history. `detail` holds what only this kind of event has; users as `<role>_id`. */
export function recordEvent(
  core: Core,
  by: By,
  issue: Issue,
  event: string,
  detail: Record<string, unknown> = {},
  commit: string | null = null,
): void {
  core.db.insert('issue_events', {
    issue_id: issue.id,
    actor_id: by.user.id,
    app_id: by.app?.id ?? null,
    event,
    commit_id: commit,
    detail: JSON.stringify(detail),
    created_at: now(core),
  });
}
