// Sub-issues of an issue and its parent; what an issue waits for.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { recordEvent } from '../emit.ts';
import { touch } from './issue-changes.ts';
import { ApiError, found, invalid } from '../errors.ts';
import { pageOfAll } from '../page.ts';
import { issueJson } from './issue-json.ts';
import { created, ok, parse, read, type RepositoryCall, write, type WriteCall } from '../route.ts';
import { blockersOf, findIssueById, getIssue, type Issue, parentOf, subIssuesOf } from './issue-rows.ts';
import { getRepository } from '../repositories/repository-rows.ts';
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
  const { core } = call;
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
  if (old) {
    core.db.remove('sub_issues', { child_id: child.id });
    tellBoth(call, 'removed', [old, 'sub_issue'], [child, 'parent_issue']);
  }
  const last = core.db.one<{ n: number | null }>(
    'SELECT max(position) AS n FROM sub_issues WHERE parent_id = ?',
    parent.id,
  );
  core.db.insert('sub_issues', { child_id: child.id, parent_id: parent.id, position: (last?.n ?? 0) + 1 });
  tellBoth(call, 'added', [parent, 'sub_issue'], [child, 'parent_issue']);
  return created(show(call, parent));
}

type Side = [issue: Issue, name: string];

/** In the history of each issue the other one comes or goes, by what it is to that issue. */
function tellBoth(call: WriteCall, what: 'added' | 'removed', [one, ofOne]: Side, [two, ofTwo]: Side): void {
  const reference = ({ id, number, title }: Issue) => ({ id, number, title });
  recordEvent(call, one, `${ofOne}_${what}`, { [ofOne]: reference(two) });
  recordEvent(call, two, `${ofTwo}_${what}`, { [ofTwo]: reference(one) });
  touch(call.core, one);
}

const triage: Need = { role: 'triage', scopes: ['issues:write'] };

/** GitHub's limit: issues that one waits for. */
const mostBlockers = 50;

const dependency = z.object({ issue_id: z.int() });

function add(call: WriteCall) {
  const { core } = call;
  const issue = issueOf(call);
  const other = findIssueById(core, parse(call, 'IssueDependency', dependency).issue_id);
  if (!other || other.is_pull) throw new ApiError(404, 'The provided issue does not exist');
  const blockers = blockersOf(core, issue.id);
  if (other.id === issue.id) throw invalid('IssueDependency', 'An issue cannot depend on itself');
  if (blockers.some(({ id }) => id === other.id))
    throw invalid('IssueDependency', 'The dependency exists already');
  if (blockersOf(core, other.id).some(({ id }) => id === issue.id))
    throw invalid('IssueDependency', 'Two issues cannot wait for each other');
  if (blockers.length >= mostBlockers)
    throw invalid('IssueDependency', `An issue waits for ${mostBlockers} others at most`);
  core.db.insert('issue_dependencies', { issue_id: issue.id, blocker_id: other.id });
  tellBoth(call, 'added', [issue, 'blocked_by'], [other, 'blocking']);
  return created(show(call, issue));
}

function remove(call: WriteCall) {
  const { core } = call;
  const issue = issueOf(call);
  const other = blockersOf(core, issue.id).find(({ id }) => id === Number(call.params['issue_id']));
  if (!other) throw new ApiError(404, 'The provided dependency does not exist');
  core.db.remove('issue_dependencies', { issue_id: issue.id, blocker_id: other.id });
  tellBoth(call, 'removed', [issue, 'blocked_by'], [other, 'blocking']);
  return ok(show(call, issue));
}

export const subIssueRoutes = [
  read('/issues/{issue_number}/sub_issues', ['issues:read'], call =>
    pageOfAll(call, subIssuesOf(call.core, issueOf(call).id), issue => show(call, issue)),
  ),
  write('POST', '/issues/{issue_number}/sub_issues', triage, addChild),
  read('/issues/{issue_number}/parent', ['issues:read'], call =>
    ok(show(call, found(parentOf(call.core, issueOf(call).id)))),
  ),
  read('/issues/{issue_number}/dependencies/blocked_by', ['issues:read'], call =>
    pageOfAll(call, blockersOf(call.core, issueOf(call).id), issue => show(call, issue)),
  ),
  write('POST', '/issues/{issue_number}/dependencies/blocked_by', triage, add),
  write('DELETE', '/issues/{issue_number}/dependencies/blocked_by/{issue_id}', triage, remove),
];
