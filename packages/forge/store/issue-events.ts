// What happened to issues, in the order in which it happened.
import type { Core } from '../core.ts';

export interface IssueEvent {
  id: number;
  issue_id: number;
  actor_id: number;
  app_id: number | null;
  event: string;
  commit_id: string | null;
  /** JSON object: the fields that only this kind of event has. */
  detail: string;
  created_at: string;
}

export const countEvents = (core: Core, issueId: number): number =>
  core.db.count('issue_events WHERE issue_id = ?', issueId);

export const eventsOf = (core: Core, issueId: number, limit: number, offset: number): IssueEvent[] =>
  core.db.all<IssueEvent>(
    'SELECT * FROM issue_events WHERE issue_id = ? ORDER BY id LIMIT ? OFFSET ?',
    issueId,
    limit,
    offset,
  );
