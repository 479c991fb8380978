// Issues: list, search, open, read, edit, lock, assign.
import { escapeMarkup } from '@echelon/ground';
import { z } from 'zod';
import { changeIssue, type IssueChange, openIssue } from './edit-issue.ts';
import { setAssignees, setLock } from './issue-changes.ts';
import { assigneesNamed, labelsNamed, pushers, triagers, writeScopes } from '../permitted.ts';
import { page, pageOfIssues } from '../page.ts';
import { issueJson } from './issue-json.ts';
import {
  created,
  noContent,
  ok,
  parse,
  read,
  type RepositoryCall,
  route,
  write,
  type WriteCall,
} from '../route.ts';
import * as where from './issue-conditions.ts';
import { assigneesOf, getIssue, type Issue } from './issue-rows.ts';
import { filtersOf, issueOf, labelList, readScopes } from './issue-input.ts';
import { invalidField } from '../errors.ts';
import { parseSearch } from './search.ts';
import { getRepository } from '../repositories/repository-rows.ts';

const title = z.union([z.string(), z.number()]).transform(String);
/** GitHub's older way to assign one person; null or nothing for nobody. */
const assignee = z.string().nullish();
const states = z.enum(['open', 'closed']);
const newIssue = z.object({
  title,
  body: z.string().nullish(),
  labels: labelList.optional(),
  assignees: z.array(z.string()).optional(),
  assignee,
});
const issueChange = z.object({
  title: title.optional(),
  body: z.string().nullish(),
  state: states.optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
  labels: labelList.optional(),
  assignees: z.array(z.string()).optional(),
  assignee,
});

const show = (call: RepositoryCall, issue: Issue) =>
  issueJson(call.core, call.repository, getIssue(call.core, issue.id));

function listIssues(call: RepositoryCall) {
  const { core, repository, query } = call;
  const wanted = [where.inRepository(repository.id), ...filtersOf(query)];
  const creator = query.get('creator');
  if (creator) wanted.push(where.writtenBy(creator));
  const assignee = query.get('assignee');
  if (assignee === 'none') wanted.push(where.not(where.isAssigned));
  else if (assignee) wanted.push(assignee === '*' ? where.isAssigned : where.assignedTo(assignee));
  const order = where.issueOrder(query.get('sort'), query.get('direction'));
  return pageOfIssues(call, where.all(wanted), order, issue => issueJson(core, repository, issue));
}

/** Converts a request body to the input of an issue change. */
const inputOf = (
  call: WriteCall,
  {
    labels,
    assignee: one,
    assignees = one === undefined ? undefined : one ? [one] : [],
    ...rest
  }: z.infer<typeof issueChange>,
): IssueChange => ({
  ...rest,
  labels: labels && (() => labelsNamed(call, labels)),
  assignees: assignees && (() => assigneesNamed(call, assignees, true)),
});

function create(call: WriteCall) {
  const input = parse(call, 'Issue', newIssue);
  return created(show(call, openIssue(call, { ...inputOf(call, input), title: input.title })));
}

function change(call: WriteCall) {
  const issue = issueOf(call);
  const { state_reason, ...input } = parse(call, 'Issue', issueChange);
  return ok(show(call, changeIssue(call, issue, { ...inputOf(call, input), stateReason: state_reason })));
}

const lockReason = z.object({
  lock_reason: z.enum(['off-topic', 'too heated', 'resolved', 'spam']).nullish(),
});

const logins = z.object({ assignees: z.array(z.string()).default([]) });

function assign(call: WriteCall, remove: boolean) {
  const issue = issueOf(call);
  const named = assigneesNamed(call, parse(call, 'Issue', logins).assignees, false);
  const before = assigneesOf(call.core, issue.id);
  const after = remove
    ? before.filter(user => !named.some(each => each.id === user.id))
    : [...before, ...named];
  setAssignees(call, issue, after);
  return issueJson(call.core, call.repository, getIssue(call.core, issue.id));
}

export const issueRoutes = [
  read('/issues', readScopes, listIssues),
  write('POST', '/issues', { role: 'read', scopes: ['issues:write'] }, create),
  read('/issues/{issue_number}', readScopes, call => {
    const issue = issueOf(call);
    if (!/\.full\b/.test(call.accept)) return ok(show(call, issue));
    // As HTML in its smallest form: of all Markdown only images are rendered.
    const shown = escapeMarkup(issue.body ?? '').replace(
      /!\[[^\]]*\]\((https?:[^)\s"]+)\)/g,
      '<img src="$1">',
    );
    return ok({ ...show(call, issue), body_html: shown });
  }),
  write('PATCH', '/issues/{issue_number}', { role: 'read', scopes: writeScopes }, change),
  write('PUT', '/issues/{issue_number}/lock', pushers, call => {
    const issue = issueOf(call);
    const reason = parse(call, 'Issue', lockReason).lock_reason ?? null;
    setLock(call, issue, true, reason);
    return noContent();
  }),
  write('POST', '/issues/{issue_number}/assignees', triagers, call => created(assign(call, false))),
  write('DELETE', '/issues/{issue_number}/assignees', triagers, call => ok(assign(call, true))),
  route('GET', '/search/issues', call => {
    const { core, identity, query } = call;
    const text = query.get('q') ?? '';
    if (text.trim() === '') throw invalidField('Search', 'q', 'missing');
    const { wanted, order } = parseSearch(core, identity, text);
    const asked = query.get('sort') ? where.issueOrder(query.get('sort'), query.get('order')) : order;
    const total_count = where.countIssues(core, wanted);
    return page(
      call,
      total_count,
      (limit, offset) =>
        where.findIssues(core, wanted, asked, limit, offset).map(issue => ({
          ...issueJson(core, getRepository(core, issue.repository_id), issue),
          // GitHub's description of what a search finds knows no body that is null.
          body: issue.body ?? '',
          score: 1,
        })),
      items => ({ total_count, incomplete_results: false, search_type: 'lexical', items }),
    );
  }),
];
