// Sub-issues of an issue, and its parent.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { recordEvent } from '../changes/history.ts';
import { touch } from '../changes/issues.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { pageOf } from '../page.ts';
import { issueJson } from '../render/issue.ts';
import {
  created,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { findIssueById, getIssue, type Issue, parentOf, subIssuesOf } from '../store/issues.ts';
import { getRepository } from '../store/repositories.ts';
import { issueOf } from './issue-input.ts';

/** GitHub's limits: sub-issues of one parent, and levels of nesting. */
const mostChildren = 100;
const deepest = 8;

const newChild = z.object({ sub_issue_id: z.int(), replace_parent: z.boolean().optional() });

const show = (call: RepositoryCall, issue: Issue) =>
  issueJson(call.core, getRepository(call.core, issue.repository_id), getIssue(call.core, issue.id));

function levelsAbove(call: WriteCall, issue: Issue): Issue[] {
  const above: Issue[] = [];
  for (let at = parentOf(call.core, issue.id); at; at = parentOf(call.core, at.id)) above.push(at);
  return above;
}

function addChild(call: WriteCall) {
  const { core, by } = call;
  const parent = issueOf(call);
  const input = parse(call, 'SubIssue', newChild);
  const child = findIssueById(core, input.sub_issue_id);
  if (!child || child.is_pull) throw new ApiError(404, 'The provided sub-issue does not exist');
  const owner = getRepository(core, child.repository_id).owner_id;
  if (owner !== call.repository.owner_id) throw invalid('SubIssue', 'Sub-issue must have the same owner');
  const children = subIssuesOf(core, parent.id);
  const old = parentOf(core, child.id);
  if (old?.id === parent.id)
    throw invalid('SubIssue', 'Issue may not contain duplicate sub-issues', 'sub_issue_id');
  if (old && !input.replace_parent)
    throw invalid('SubIssue', 'Sub issue may only have one parent', 'sub_issue_id');
  const above = levelsAbove(call, parent);
  if (child.id === parent.id || above.some(issue => issue.id === child.id))
    throw invalid('SubIssue', 'Sub-issue cannot be an ancestor of its parent', 'sub_issue_id');
  if (above.length + 2 > deepest) throw invalid('SubIssue', `Sub-issues are limited to ${deepest} levels`);
  if (children.length >= mostChildren)
    throw invalid('SubIssue', `Parent cannot have more than ${mostChildren} sub-issues`);
  if (old) removeLink(call, old, child);
  const last = core.db.one<{ n: number | null }>(
    'SELECT max(position) AS n FROM sub_issues WHERE parent_id = ?',
    parent.id,
  );
  core.db.insert('sub_issues', { child_id: child.id, parent_id: parent.id, position: (last?.n ?? 0) + 1 });
  recordEvent(core, by, parent, 'sub_issue_added', { sub_issue: reference(child) });
  recordEvent(core, by, child, 'parent_issue_added', { parent_issue: reference(parent) });
  touch(core, parent);
  return created(show(call, parent));
}

const reference = (issue: Issue) => ({ id: issue.id, number: issue.number, title: issue.title });

function removeLink(call: WriteCall, parent: Issue, child: Issue): void {
  call.core.db.remove('sub_issues', { child_id: child.id });
  recordEvent(call.core, call.by, parent, 'sub_issue_removed', { sub_issue: reference(child) });
  recordEvent(call.core, call.by, child, 'parent_issue_removed', { parent_issue: reference(parent) });
  touch(call.core, parent);
}

const triage: Need = { role: 'triage', scopes: ['issues:write'] };

export const subIssueRoutes: Route[] = [
  read('/issues/{issue_number}/sub_issues', ['issues:read'], call =>
    pageOf(
      call,
      subIssuesOf(call.core, issueOf(call).id).map(issue => show(call, issue)),
    ),
  ),
  write('POST', '/issues/{issue_number}/sub_issues', triage, addChild),
  read('/issues/{issue_number}/parent', ['issues:read'], call => {
    const parent = parentOf(call.core, issueOf(call).id);
    if (!parent) throw notFound();
    return ok(show(call, parent));
  }),
];
