// Issues: list, open, read, edit, lock, assign, and their events.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import {
  closeIssue,
  editText,
  emitIssue,
  insertIssue,
  recordEvent,
  reopenIssue,
  setAssignees,
  setLabels,
} from '../changes/issues.ts';
import type { Value } from '../database.ts';
import { invalidField } from '../errors.ts';
import { page } from '../page.ts';
import { issueEventJson, issueJson } from '../render/issue.ts';
import {
  type Answer,
  created,
  noContent,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { assigneesOf, eventsOf, getIssue, type Issue } from '../store/issues.ts';
import {
  assigneesNamed,
  authorOrTriage,
  checkLength,
  issueOf,
  labelList,
  labelsNamed,
  mayTriage,
  readScopes,
  writeScopes,
} from './issue-input.ts';

const title = z.union([z.string(), z.number()]).transform(String);
const states = z.enum(['open', 'closed']);
const newIssue = z.object({
  title,
  body: z.string().nullish(),
  labels: labelList.optional(),
  assignees: z.array(z.string()).optional(),
});
const issueChange = z.object({
  title: title.optional(),
  body: z.string().nullish(),
  state: states.optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
  labels: labelList.optional(),
  assignees: z.array(z.string()).optional(),
});

const show = (call: RepositoryCall, issue: Issue) =>
  issueJson(call.core, call.repository, getIssue(call.core, issue.id));

const sortColumns = new Map([
  ['updated', 'updated_at'],
  ['comments', '(SELECT count(*) FROM comments WHERE issue_id = issues.id)'],
]);

function listIssues(call: RepositoryCall): Answer {
  const { core, repository, query } = call;
  const conditions = ['repository_id = ?'];
  const values: Value[] = [repository.id];
  const add = (condition: string, ...more: Value[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  const state = query.get('state') ?? 'open';
  if (state !== 'all') add('state = ?', state);
  const since = query.get('since');
  if (since) add('updated_at >= ?', sinceTime(since));
  const creator = query.get('creator');
  if (creator) add('author_id = (SELECT id FROM users WHERE login = ?)', creator);
  const assignee = query.get('assignee');
  const assigned = 'id IN (SELECT issue_id FROM assignees';
  if (assignee === 'none') add(`NOT ${assigned})`);
  else if (assignee === '*') add(`${assigned})`);
  else if (assignee) add(`${assigned} WHERE user_id = (SELECT id FROM users WHERE login = ?))`, assignee);
  for (const name of (query.get('labels') ?? '').split(',').filter(each => each.trim() !== ''))
    add(
      'id IN (SELECT issue_id FROM issue_labels JOIN labels ON labels.id = label_id WHERE labels.repository_id = ? AND name = ?)',
      repository.id,
      name.trim(),
    );
  const by = sortColumns.get(query.get('sort') ?? '') ?? 'created_at';
  const direction = query.get('direction') === 'asc' ? 'ASC' : 'DESC';
  const from = `issues WHERE ${conditions.join(' AND ')}`;
  return page(call, core.db.count(from, ...values), (limit, offset) =>
    core.db
      .all<Issue>(
        `SELECT * FROM ${from} ORDER BY ${by} ${direction}, id ${direction} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map(issue => issueJson(core, repository, issue)),
  );
}

/** A time from a query in the form the tables hold. */
export function sinceTime(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidField('Issue', 'since', 'invalid');
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function openIssue(call: WriteCall): Answer {
  const { core, by, repository } = call;
  const input = parse(call, 'Issue', newIssue);
  if (input.title.trim() === '') throw invalidField('Issue', 'title', 'missing_field');
  checkLength('Issue', input.body);
  const issue = insertIssue(core, by, repository, { ...input, body: input.body ?? null, isPull: false });
  emitIssue(core, by, issue, 'opened');
  // Those without triage may open issues, but not label or assign them: GitHub drops that part in silence.
  if (mayTriage(call)) {
    if (input.labels) setLabels(core, by, issue, labelsNamed(call, input.labels));
    if (input.assignees) setAssignees(core, by, issue, assigneesNamed(call, input.assignees, true));
  }
  return created(show(call, issue));
}

function changeIssue(call: WriteCall): Answer {
  const { core, by } = call;
  const issue = issueOf(call);
  authorOrTriage(call, issue.author_id);
  const input = parse(call, 'Issue', issueChange);
  if (input.title?.trim() === '') throw invalidField('Issue', 'title', 'missing_field');
  checkLength('Issue', input.body);
  const changes = editText(core, by, issue, { title: input.title, body: input.body });
  if (Object.keys(changes).length > 0) emitIssue(core, by, issue, 'edited', () => ({ changes }));
  if (mayTriage(call)) {
    if (input.labels) setLabels(core, by, issue, labelsNamed(call, input.labels));
    if (input.assignees) setAssignees(core, by, issue, assigneesNamed(call, input.assignees, true));
  }
  if (input.state === 'closed' && issue.state === 'open')
    closeIssue(core, by, issue, issue.is_pull ? null : (input.state_reason ?? 'completed'));
  if (input.state === 'open' && issue.state === 'closed') reopenIssue(core, by, issue);
  return ok(show(call, issue));
}

const logins = z.object({ assignees: z.array(z.string()).default([]) });

function changeAssignees(call: WriteCall, remove: boolean): Issue {
  const issue = issueOf(call);
  const named = assigneesNamed(call, parse(call, 'Issue', logins).assignees, false);
  const before = assigneesOf(call.core, issue.id);
  const after = remove
    ? before.filter(user => !named.some(each => each.id === user.id))
    : [...before, ...named];
  setAssignees(call.core, call.by, issue, after);
  return issue;
}

const lockReason = z.object({
  lock_reason: z.enum(['off-topic', 'too heated', 'resolved', 'spam']).nullish(),
});

const triage: Need = { role: 'triage', scopes: writeScopes };
const pushers: Need = { role: 'write', scopes: writeScopes };

export const issueRoutes: Route[] = [
  read('/issues', readScopes, listIssues),
  write('POST', '/issues', { role: 'read', scopes: ['issues:write'] }, openIssue),
  read('/issues/{issue_number}', readScopes, call => ok(show(call, issueOf(call)))),
  write('PATCH', '/issues/{issue_number}', { role: 'read', scopes: writeScopes }, changeIssue),
  write('PUT', '/issues/{issue_number}/lock', pushers, call => {
    const issue = issueOf(call);
    const reason = parse(call, 'Issue', lockReason).lock_reason ?? null;
    call.core.db.update('issues', issue.id, { locked: 1, lock_reason: reason });
    recordEvent(call.core, call.by, issue, 'locked', { lock_reason: reason });
    emitIssue(call.core, call.by, issue, 'locked');
    return noContent();
  }),
  write('DELETE', '/issues/{issue_number}/lock', pushers, call => {
    const issue = issueOf(call);
    call.core.db.update('issues', issue.id, { locked: 0, lock_reason: null });
    recordEvent(call.core, call.by, issue, 'unlocked');
    emitIssue(call.core, call.by, issue, 'unlocked');
    return noContent();
  }),
  write('POST', '/issues/{issue_number}/assignees', triage, call =>
    created(show(call, changeAssignees(call, false))),
  ),
  write('DELETE', '/issues/{issue_number}/assignees', triage, call =>
    ok(show(call, changeAssignees(call, true))),
  ),
  read('/issues/{issue_number}/events', readScopes, call => {
    const issue = issueOf(call);
    const total = call.core.db.count('issue_events WHERE issue_id = ?', issue.id);
    return page(call, total, (limit, offset) =>
      eventsOf(call.core, issue.id, limit, offset).map(event =>
        issueEventJson(call.core, call.repository, event),
      ),
    );
  }),
];
