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

/** Who speaks of an issue stands in its timeline, but is no event of it. */
const isEvent = "event <> 'cross-referenced'";
const ofRepository = 'issue_id IN (SELECT id FROM issues WHERE repository_id = ?)';

export const countEvents = (core: Core, issueId: number): number =>
  core.db.count(`issue_events WHERE issue_id = ? AND ${isEvent}`, issueId);

export const eventsOf = (core: Core, issueId: number, limit: number, offset: number): IssueEvent[] =>
  core.db.all<IssueEvent>(
    `SELECT * FROM issue_events WHERE issue_id = ? AND ${isEvent} ORDER BY id LIMIT ? OFFSET ?`,
    issueId,
    limit,
    offset,
  );

export const historyOf = (core: Core, issueId: number): IssueEvent[] =>
  core.db.all<IssueEvent>('SELECT * FROM issue_events WHERE issue_id = ? ORDER BY id', issueId);

export const countRepositoryEvents = (core: Core, repositoryId: number): number =>
  core.db.count(`issue_events WHERE ${ofRepository} AND ${isEvent}`, repositoryId);

/** Newest first. */
export const repositoryEvents = (
  core: Core,
  repositoryId: number,
  limit: number,
  offset: number,
): IssueEvent[] =>
  core.db.all<IssueEvent>(
    `SELECT * FROM issue_events WHERE ${ofRepository} AND ${isEvent} ORDER BY id DESC LIMIT ? OFFSET ?`,
    repositoryId,
    limit,
    offset,
  );

export const findEvent = (core: Core, repositoryId: number, id: number): IssueEvent | undefined =>
  core.db.one<IssueEvent>(
    `SELECT * FROM issue_events WHERE id = ? AND ${ofRepository} AND ${isEvent}`,
    id,
    repositoryId,
  );
