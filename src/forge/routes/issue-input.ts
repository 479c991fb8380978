// What the routes about issues take from a request: the issue named in the path, texts, labels, people.
import { z } from 'zod';
import { authorize } from '../auth.ts';
import { invalid, invalidField, notFound } from '../errors.ts';
import type { RepositoryCall, WriteCall } from '../route.ts';
import { findIssue, type Issue } from '../store/issues.ts';
import { ensureLabel, type Label } from '../store/labels.ts';
import { atLeast, roleOf } from '../store/repositories.ts';
import { findUser, type User } from '../store/users.ts';

/** Either permission lets an app work on issues and pull requests alike. */
export const readScopes = ['issues:read', 'pull_requests:read'];
export const writeScopes = ['issues:write', 'pull_requests:write'];

/** GitHub's limit of a body, in characters. */
const longest = 65_536;

export function checkLength(resource: string, body: string | null | undefined): void {
  // A text has at most as many characters as code units, so short ones need no counting.
  if (body && body.length > longest && [...body].length > longest)
    throw invalid(resource, `body is too long (maximum is ${longest} characters)`, 'body');
}

/** The issue or pull request of the path's number. */
export function issueOf(call: RepositoryCall): Issue {
  const issue = findIssue(call.core, call.repository.id, Number(call.params['issue_number']));
  if (!issue) throw notFound();
  return issue;
}

/** Passes the author and those with at least `triage`. */
export function authorOrTriage(call: WriteCall, authorId: number): void {
  if (call.by.user.id === authorId) return;
  authorize(call.core, call.identity, call.repository, { role: 'triage', scopes: writeScopes });
}

export const mayTriage = (call: WriteCall): boolean => atLeast(call.role, 'triage');

/** Labels by name, or as objects with one. */
export const labelList = z.array(z.union([z.string(), z.object({ name: z.string() })]));

/** The labels of these names; unknown ones are made. */
export function labelsNamed(call: WriteCall, given: z.infer<typeof labelList>): Label[] {
  return given.map(each => {
    const name = (typeof each === 'string' ? each : each.name).trim();
    if (name === '') throw invalidField('Label', 'name', 'missing_field');
    if (name.length > 50) throw invalid('Label', 'name is too long (maximum is 50 characters)', 'name');
    return ensureLabel(call.core, call.repository.id, name);
  });
}

/** The assignees of these logins. Those who cannot be are 422 when `strict`, left out otherwise. */
export function assigneesNamed(call: RepositoryCall, logins: string[], strict: boolean): User[] {
  return logins.flatMap(login => {
    const user = findUser(call.core, login);
    const role = user ? roleOf(call.core, call.repository, user.id) : 'none';
    if (user && role !== 'none') return [user];
    if (strict) throw invalidField('Issue', 'assignees', 'invalid');
    return [];
  });
}
