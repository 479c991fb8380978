// What an issue waits for, and what waits for it.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { recordEvent } from '../changes/history.ts';
import { touch } from '../changes/issues.ts';
import { ApiError, invalid } from '../errors.ts';
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
import { blockersOf, findIssueById, getIssue, type Issue } from '../store/issues.ts';
import { getRepository } from '../store/repositories.ts';
import { issueOf } from './issue-input.ts';

/** GitHub's limit: issues that one waits for. */
const mostBlockers = 50;

const dependency = z.object({ issue_id: z.int() });
const triage: Need = { role: 'triage', scopes: ['issues:write'] };

const show = (call: RepositoryCall, issue: Issue) =>
  issueJson(call.core, getRepository(call.core, issue.repository_id), getIssue(call.core, issue.id));

const reference = ({ id, number, title }: Issue) => ({ id, number, title });

function add(call: WriteCall) {
  const { core, by } = call;
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
  recordEvent(core, by, issue, 'blocked_by_added', { blocked_by: reference(other) });
  recordEvent(core, by, other, 'blocking_added', { blocking: reference(issue) });
  touch(core, issue);
  return created(show(call, issue));
}

function remove(call: WriteCall) {
  const { core, by } = call;
  const issue = issueOf(call);
  const other = blockersOf(core, issue.id).find(({ id }) => id === Number(call.params['issue_id']));
  if (!other) throw new ApiError(404, 'The provided dependency does not exist');
  core.db.remove('issue_dependencies', { issue_id: issue.id, blocker_id: other.id });
  recordEvent(core, by, issue, 'blocked_by_removed', { blocked_by: reference(other) });
  recordEvent(core, by, other, 'blocking_removed', { blocking: reference(issue) });
  touch(core, issue);
  return ok(show(call, issue));
}

export const dependencyRoutes: Route[] = [
  read('/issues/{issue_number}/dependencies/blocked_by', ['issues:read'], call =>
    pageOf(
      call,
      blockersOf(call.core, issueOf(call).id).map(issue => show(call, issue)),
    ),
  ),
  write('POST', '/issues/{issue_number}/dependencies/blocked_by', triage, add),
  write('DELETE', '/issues/{issue_number}/dependencies/blocked_by/{issue_id}', triage, remove),
];
