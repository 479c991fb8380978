// Changes of issues, each with its event and its webhook.
import { type Core, now } from '../core.ts';
import { issueJson, labelJson } from './issue-json.ts';
import { pullJson } from '../pulls/pull-json.ts';
import { userOfId, type User } from '../apps/users.ts';
import { recordEdit } from './comment-rows.ts';
import { assigneesOf, getIssue, type Issue, type Label, labelsOf } from './issue-rows.ts';
import { nextNumber } from '../repositories/repository-rows.ts';
import { type Act, emit, recordEvent } from '../emit.ts';

/** Emits `issues` or, for a pull request, `pull_request`, with the object as it is now. */
export function emitIssue(
  act: Act,
  issue: Issue,
  action: string,
  part: (core: Core) => Record<string, unknown> = () => ({}),
): void {
  const { repository } = act;
  emit(act, issue.is_pull ? 'pull_request' : 'issues', action, core => {
    const current = getIssue(core, issue.id);
    return issue.is_pull
      ? { number: issue.number, pull_request: pullJson(core, repository, current), ...part(core) }
      : { issue: issueJson(core, repository, current), ...part(core) };
  });
}

/** The row of a new issue or pull request, with the next number. */
export function insertIssue(
  { core, by, repository }: Act,
  issue: { title: string; body: string | null; isPull: boolean },
): Issue {
  const time = now(core);
  return core.db.add<Issue>('issues', {
    repository_id: repository.id,
    number: nextNumber(core, repository),
    is_pull: issue.isPull,
    title: issue.title,
    body: issue.body,
    state: 'open',
    author_id: by.user.id,
    app_id: by.app?.id ?? null,
    created_at: time,
    updated_at: time,
  });
}

export function touch(core: Core, issue: Issue): void {
  core.db.update('issues', issue.id, { updated_at: now(core) });
}

/** Sets title or body; the old body is kept as a revision. */
export function editText(
  act: Act,
  issue: Issue,
  text: { title?: string | undefined; body?: string | null | undefined },
): Record<string, { from: string }> {
  const { core, by } = act;
  const changes: Record<string, { from: string }> = {};
  const time = now(core);
  if (text.title !== undefined && text.title !== issue.title) {
    changes['title'] = { from: issue.title };
    core.db.update('issues', issue.id, { title: text.title, updated_at: time });
    recordEvent(act, issue, 'renamed', { rename: { from: issue.title, to: text.title } });
  }
  if (text.body !== undefined && text.body !== issue.body) {
    changes['body'] = { from: issue.body ?? '' };
    recordEdit(act, 'issue', issue, text.body);
    core.db.update('issues', issue.id, {
      body: text.body,
      updated_at: time,
      edited_at: time,
      editor_id: by.user.id,
    });
  }
  return changes;
}

/** Closes an open issue. `commit` is the commit that did it, for one closed by a merge. */
export function closeIssue(
  act: Act,
  issue: Issue,
  reason: string | null,
  commit: string | null = null,
): void {
  const { core, by } = act;
  const time = now(core);
  core.db.update('issues', issue.id, {
    state: 'closed',
    state_reason: reason,
    closed_at: time,
    closed_by: by.user.id,
    updated_at: time,
  });
  recordEvent(act, issue, 'closed', { state_reason: reason }, commit);
  emitIssue(act, issue, 'closed');
}

export function reopenIssue(act: Act, issue: Issue): void {
  const { core } = act;
  core.db.update('issues', issue.id, {
    state: 'open',
    state_reason: 'reopened',
    closed_at: null,
    closed_by: null,
    updated_at: now(core),
  });
  recordEvent(act, issue, 'reopened');
  emitIssue(act, issue, 'reopened');
}

/** Nobody without write access comments on a locked issue. `reason` in REST's words. */
export function setLock(act: Act, issue: Issue, locked: boolean, reason: string | null = null): void {
  act.core.db.update('issues', issue.id, { locked, lock_reason: reason });
  recordEvent(act, issue, locked ? 'locked' : 'unlocked', locked ? { lock_reason: reason } : {});
  emitIssue(act, issue, locked ? 'locked' : 'unlocked');
}

/** Of `before` those that are no more wanted, then the wanted ones that are new. */
function difference<T extends { id: number }>(before: T[], wanted: T[]): { gone: T[]; come: T[] } {
  const without = (all: T[], others: T[]) => all.filter(({ id }) => !others.some(each => each.id === id));
  const once = [...new Map(wanted.map(each => [each.id, each])).values()];
  return { gone: without(before, once), come: without(once, before) };
}

/** Makes the labels exactly these; each one that comes or goes has its event. */
export function setLabels(act: Act, issue: Issue, labels: Label[]): void {
  const { core, repository } = act;
  const { gone, come } = difference(labelsOf(core, issue.id), labels);
  const change = (label: Label, event: 'labeled' | 'unlabeled') => {
    const row = { issue_id: issue.id, label_id: label.id };
    if (event === 'labeled') core.db.insert('issue_labels', row);
    else core.db.remove('issue_labels', row);
    recordEvent(act, issue, event, { label: { name: label.name, color: label.color } });
    touch(core, issue);
    emitIssue(act, issue, event, core => ({ label: labelJson(core, repository, label) }));
  };
  for (const label of gone) change(label, 'unlabeled');
  for (const label of come) change(label, 'labeled');
}

/** Makes the assignees exactly these. */
export function setAssignees(act: Act, issue: Issue, users: User[]): void {
  const { core, by } = act;
  const { gone, come } = difference(assigneesOf(core, issue.id), users);
  const change = ({ id }: User, event: 'assigned' | 'unassigned') => {
    const row = { issue_id: issue.id, user_id: id };
    if (event === 'assigned') core.db.insert('assignees', row);
    else core.db.remove('assignees', row);
    recordEvent(act, issue, event, { assignee_id: id, assigner_id: by.user.id });
    touch(core, issue);
    emitIssue(act, issue, event, core => ({ assignee: userOfId(core, id) }));
  };
  for (const user of gone) change(user, 'unassigned');
  for (const user of come) change(user, 'assigned');
}

/** Takes the issue away with all that hangs on it; its number is not given out again. */
export function deleteIssue(act: Act, issue: Issue): void {
  const { core } = act;
  emitIssue(act, issue, 'deleted');
  for (const table of ['reactions', 'edits']) {
    core.db.remove(table, { kind: 'issue', subject_id: issue.id });
    core.db.run(
      `DELETE FROM ${table} WHERE kind = 'comment' AND subject_id IN (SELECT id FROM comments WHERE issue_id = ?)`,
      issue.id,
    );
  }
  core.db.remove('issues', { id: issue.id });
}
