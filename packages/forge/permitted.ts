// Checks shared by changes of issues and pull requests: permissions, and valid texts, labels and people.
import { type Access, authorize, type Need } from './auth.ts';
import { invalid, invalidField } from './errors.ts';
import { ensureLabel, type Label } from './issues/issue-rows.ts';
import { atLeast, roleOf } from './repositories/repository-rows.ts';
import { findUser, type User } from './apps/users.ts';

/** Either permission lets an app work on issues and pull requests alike. */
export const writeScopes = ['issues:write', 'pull_requests:write'];

export const triagers: Need = { role: 'triage', scopes: writeScopes };
export const pushers: Need = { role: 'write', scopes: writeScopes };

/** GitHub's limit of a body, in characters. */
const longest = 65_536;

export function checkLength(resource: string, body: string | null | undefined, field = 'body'): void {
  // A text has at most as many characters as code units, so short ones need no counting.
  if (body && body.length > longest && [...body].length > longest)
    throw invalid(resource, `${field} is too long (maximum is ${longest} characters)`, field);
}

/** Passes the author and those with at least `triage`. */
export function authorOrTriage({ core, identity, repository, by }: Access, authorId: number): void {
  if (by.user.id === authorId) return;
  authorize(core, identity, repository, triagers);
}

export const mayTriage = ({ role }: Pick<Access, 'role'>): boolean => atLeast(role, 'triage');

/** The labels of these names; unknown ones are made. */
export function labelsNamed({ core, repository }: Access, names: string[]): Label[] {
  return names.map(given => {
    const name = given.trim();
    if (name === '') throw invalidField('Label', 'name', 'missing_field');
    if (name.length > 50) throw invalid('Label', 'name is too long (maximum is 50 characters)', 'name');
    return ensureLabel(core, repository.id, name);
  });
}

/** True if someone can be assigned here, or asked for a review. */
const isAssignable = ({ core, repository }: Pick<Access, 'core' | 'repository'>, user: User) =>
  roleOf(core, repository, user.id) !== 'none';

/** These people; 422 where one of them cannot be assigned here. */
export function assigneesOnly(access: Access, users: User[]): User[] {
  if (!users.every(user => isAssignable(access, user))) throw invalidField('Issue', 'assignees', 'invalid');
  return users;
}

/** The assignees of these logins. Those who cannot be are 422 when `strict`, left out otherwise. */
export function assigneesNamed(access: Access, logins: string[], strict: boolean): User[] {
  return logins.flatMap(login => {
    const user = findUser(access.core, login);
    if (user && isAssignable(access, user)) return [user];
    if (strict) throw invalidField('Issue', 'assignees', 'invalid');
    return [];
  });
}
