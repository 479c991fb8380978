// Issues with their labels and events; a pull request is an issue with a row in pulls as well.
import type { Core } from '../core.ts';
import type { User } from '../apps/users.ts';

export interface Issue {
  id: number;
  repository_id: number;
  number: number;
  is_pull: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  state_reason: string | null;
  author_id: number;
  app_id: number | null;
  locked: number;
  lock_reason: string | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  closed_by: number | null;
  edited_at: string | null;
  editor_id: number | null;
}

export const findIssue = (core: Core, repositoryId: number, number: number): Issue | undefined =>
  core.db.find<Issue>('issues', { repository_id: repositoryId, number });

export const findIssueById = (core: Core, id: number): Issue | undefined =>
  core.db.find<Issue>('issues', { id });

/** The issue of an id that another row holds. */
export const getIssue = (core: Core, id: number): Issue => core.db.get<Issue>('issues', id);

export const assigneesOf = (core: Core, issueId: number): User[] =>
  core.db.all<User>(
    'SELECT u.* FROM users u JOIN assignees a ON a.user_id = u.id WHERE a.issue_id = ? ORDER BY u.id',
    issueId,
  );

export const subIssuesOf = (core: Core, parentId: number): Issue[] =>
  core.db.all<Issue>(
    'SELECT i.* FROM issues i JOIN sub_issues s ON s.child_id = i.id WHERE s.parent_id = ? ORDER BY s.position',
    parentId,
  );

export const parentOf = (core: Core, childId: number): Issue | undefined =>
  core.db.one<Issue>(
    'SELECT i.* FROM issues i JOIN sub_issues s ON s.parent_id = i.id WHERE s.child_id = ?',
    childId,
  );

/** The issues that one waits for. */
export const blockersOf = (core: Core, issueId: number): Issue[] =>
  core.db.all<Issue>(
    'SELECT i.* FROM issues i JOIN issue_dependencies d ON d.blocker_id = i.id WHERE d.issue_id = ? ORDER BY i.id',
    issueId,
  );

/** Number of sub-issues of an issue, and number of closed ones. */
export function subIssueCounts(core: Core, parentId: number): { total: number; completed: number } {
  const row = core.db.one<{ total: number; completed: number }>(
    `SELECT count(*) AS total, coalesce(sum(i.state = 'closed'), 0) AS completed
     FROM sub_issues s JOIN issues i ON i.id = s.child_id WHERE s.parent_id = ?`,
    parentId,
  );
  return row ?? { total: 0, completed: 0 };
}

export interface Label {
  id: number;
  repository_id: number;
  name: string;
  color: string;
  description: string | null;
  is_default: number;
}

/** Colour of a label created without one. */
const plainColor = 'ededed';

export const findLabel = (core: Core, repositoryId: number, name: string): Label | undefined =>
  core.db.find<Label>('labels', { repository_id: repositoryId, name });

export const labelsOf = (core: Core, issueId: number): Label[] =>
  core.db.all<Label>(
    'SELECT l.* FROM labels l JOIN issue_labels i ON i.label_id = l.id WHERE i.issue_id = ? ORDER BY l.id',
    issueId,
  );

export function addLabel(
  core: Core,
  repositoryId: number,
  label: { name: string; color?: string | undefined; description?: string | null | undefined },
): Label {
  return core.db.add<Label>('labels', {
    repository_id: repositoryId,
    name: label.name,
    color: label.color ?? plainColor,
    description: label.description ?? null,
  });
}

/** The label of that name, made when the repository has none. */
export const ensureLabel = (core: Core, repositoryId: number, name: string): Label =>
  findLabel(core, repositoryId, name) ?? addLabel(core, repositoryId, { name });

/** The labels of a repository whose name or description holds the text, by name or in the order they were made. */
export const labelsOfRepository = (
  core: Core,
  repositoryId: number,
  text: string,
  byName: boolean,
): Label[] =>
  core.db.all<Label>(
    `SELECT * FROM labels WHERE repository_id = ?1
     AND (instr(lower(name), lower(?2)) > 0 OR instr(lower(coalesce(description, '')), lower(?2)) > 0)
     ORDER BY ${byName ? 'name' : 'id'}`,
    repositoryId,
    text,
  );

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
