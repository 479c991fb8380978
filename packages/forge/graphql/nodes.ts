// Finds what a global id names, and lets in who may do what is asked.
import { type Access, actor, authorize, type Identity } from '../auth.ts';
import { findReviewComment, issueOfReview } from '../pulls/review-changes.ts';
import { type Core, idOfNode } from '../core.ts';
import { ApiError } from '../errors.ts';
import { findIssueById, getIssue, type Issue, type Label } from '../issues/issue-rows.ts';
import type { Pull, ReviewComment } from '../pulls/pull-rows.ts';
import { getRepository, type Repository, type Role } from '../repositories/repository-rows.ts';
import type { User } from '../apps/users.ts';
import { GraphqlRefusal } from './connection.ts';

export const missing = (what: string) => new GraphqlRefusal('NOT_FOUND', `Could not resolve to ${what}`);
export const unknownNode = (id: string) => missing(`a node with the global id of '${id}'.`);

/** The caller's role in a repository; refusals in GraphQL's words, `unknown` where it may not be known. */
export function enter(
  core: Core,
  identity: Identity,
  repository: Repository,
  role: Role,
  scopes: string[],
  unknown: Error,
): Role {
  try {
    return authorize(core, identity, repository, { role, scopes });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw unknown;
    throw error;
  }
}

/** Lets the caller change something in a repository; `id` is what it was named by. */
export function access(
  core: Core,
  identity: Identity,
  repository: Repository,
  id: string,
  role: Role,
  scopes: string[],
): Access {
  const by = actor(identity);
  return {
    ...{ core, identity, repository, by },
    role: enter(core, identity, repository, role, scopes, unknownNode(id)),
  };
}

export function repositoryOfNode(core: Core, id: string): Repository {
  const known = core.db.find<{ id: number }>('repositories', { id: idOfNode('R', id) });
  if (!known) throw unknownNode(id);
  return getRepository(core, known.id);
}

/** The issue or pull request of an id. */
export function findThread(core: Core, id: string): Issue | undefined {
  const pull = core.db.find<Pull>('pulls', { id: idOfNode('PR', id) });
  return pull ? getIssue(core, pull.issue_id) : findIssueById(core, idOfNode('I', id));
}

export function threadOfNode(core: Core, id: string, kind?: 'issue' | 'pull'): Issue {
  const issue = findThread(core, id);
  if (!issue || (kind && (kind === 'pull') !== (issue.is_pull === 1))) throw unknownNode(id);
  return issue;
}

export function reviewThreadOfNode(core: Core, id: string): { first: ReviewComment; issue: Issue } {
  const first = findReviewComment(core, idOfNode('PRRT', id));
  if (!first) throw unknownNode(id);
  return { first, issue: issueOfReview(core, first) };
}

/** Labels of this repository; those of another are not known here. */
export const labelsOfNodes = ({ core, repository }: Access, ids: string[]): Label[] =>
  ids.map(id => {
    const label = core.db.find<Label>('labels', { repository_id: repository.id, id: idOfNode('LA', id) });
    if (!label) throw unknownNode(id);
    return label;
  });

export const usersOfNodes = (core: Core, ids: string[]): User[] =>
  ids.map(id => {
    const user = core.db.one<User>(
      'SELECT * FROM users WHERE id IN (?, ?)',
      idOfNode('U', id),
      idOfNode('BOT', id),
    );
    if (!user) throw unknownNode(id);
    return user;
  });
