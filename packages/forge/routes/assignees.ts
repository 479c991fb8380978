// People assigned to an issue.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { setAssignees } from '../changes/issues.ts';
import { assigneesNamed, writeScopes } from '../changes/permitted.ts';
import { issueJson } from '../render/issue.ts';
import { created, ok, parse, type Route, type WriteCall, write } from '../route.ts';
import { assigneesOf, getIssue } from '../store/issues.ts';
import { issueOf } from './issue-input.ts';

const logins = z.object({ assignees: z.array(z.string()).default([]) });

function change(call: WriteCall, remove: boolean) {
  const issue = issueOf(call);
  const named = assigneesNamed(call, parse(call, 'Issue', logins).assignees, false);
  const before = assigneesOf(call.core, issue.id);
  const after = remove
    ? before.filter(user => !named.some(each => each.id === user.id))
    : [...before, ...named];
  setAssignees(call.core, call.by, issue, after);
  return issueJson(call.core, call.repository, getIssue(call.core, issue.id));
}

const triage: Need = { role: 'triage', scopes: writeScopes };

export const assigneeRoutes: Route[] = [
  write('POST', '/issues/{issue_number}/assignees', triage, call => created(change(call, false))),
  write('DELETE', '/issues/{issue_number}/assignees', triage, call => ok(change(call, true))),
];
