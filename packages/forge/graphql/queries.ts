// The fields of Query, each checked as its REST counterpart is.
import { actor, type Identity } from '../auth.ts';
import { type Core, idOfNode, timestamp } from '../core.ts';
import { rateLimit } from '../rate-limit.ts';
import { parseSearch } from '../issues/search.ts';
import { findComment } from '../issues/comment-rows.ts';
import { countIssues, findIssues } from '../issues/issue-conditions.ts';
import { getIssue, type Issue } from '../issues/issue-rows.ts';
import { findRepository, getRepository, type Repository } from '../repositories/repository-rows.ts';
import { findUser, type User } from '../apps/users.ts';
import { userObject } from './accounts.ts';
import {
  type Asked,
  issueScopes,
  pullScopes,
  repositoryScopes,
  connection,
  GraphqlRefusal,
  type Window,
} from './connection.ts';
import { issueObject } from './issue.ts';
import { enter, findThread, missing, repositoryOfNode, unknownNode } from './nodes.ts';
import { pullObject } from './pull.ts';
import { repositoryObject } from './repository.ts';
import { commentObject } from './thread.ts';

export const threadObject = (core: Core, issue: Issue) =>
  issue.is_pull ? pullObject(core, issue) : issueObject(core, issue);

/** Values for the fields of one request. */
export function askedBy(core: Core, identity: Identity): Asked {
  const mayRead = (repository: Repository, scopes: string[]) =>
    void enter(core, identity, repository, 'read', scopes, missing('a Repository.'));
  return {
    core,
    identity,
    viewer: identity.kind === 'user' || identity.kind === 'installation' ? identity.user.id : undefined,
    mayRead,
    repository: repository => repositoryObject(core, repository),
    thread(issue) {
      try {
        mayRead(getRepository(core, issue.repository_id), issue.is_pull ? pullScopes : issueScopes);
      } catch {
        // An object without permission is absent for the caller: a parent in a private repository.
        return null;
      }
      return threadObject(core, issue);
    },
  };
}

export function queries(core: Core, identity: Identity) {
  function node(id: string): object {
    if (id.startsWith('R_')) {
      const repository = repositoryOfNode(core, id);
      enter(core, identity, repository, 'read', repositoryScopes, unknownNode(id));
      return repositoryObject(core, repository);
    }
    const comment = findComment(core, idOfNode('IC', id));
    const issue = comment ? getIssue(core, comment.issue_id) : findThread(core, id);
    if (!issue) throw unknownNode(id);
    const scopes = issue.is_pull && !comment ? pullScopes : issueScopes;
    enter(core, identity, getRepository(core, issue.repository_id), 'read', scopes, unknownNode(id));
    return comment ? commentObject(core, comment) : threadObject(core, issue);
  }
  const account = (login: string, kind: string, types: User['type'][]) => {
    const user = findUser(core, login);
    if (!user || !types.includes(user.type)) throw missing(`${kind} with the login of '${login}'.`);
    return userObject(core, user);
  };
  return {
    viewer: () => userObject(core, actor(identity).user),
    rateLimit() {
      const { reset, ...rate } = rateLimit(core);
      return { ...rate, cost: 1, nodeCount: 0, resetAt: timestamp(reset * 1000) };
    },
    user: ({ login }: { login: string }) => account(login, 'a User', ['User']),
    organization: ({ login }: { login: string }) => account(login, 'an Organization', ['Organization']),
    repositoryOwner({ login }: { login: string }) {
      const user = findUser(core, login);
      return user && user.type !== 'Bot' ? userObject(core, user) : null;
    },
    repository({ owner, name }: { owner: string; name: string }) {
      const unknown = missing(`a Repository with the name '${owner}/${name}'.`);
      const repository = findRepository(core, owner, name);
      if (!repository) throw unknown;
      enter(core, identity, repository, 'read', repositoryScopes, unknown);
      return repositoryObject(core, repository);
    },
    node: ({ id }: { id: string }) => node(id),
    nodes({ ids }: { ids: string[] }) {
      if (ids.length > 100)
        throw new GraphqlRefusal(
          'ARGUMENT_LIMIT',
          `You may not provide more than 100 node ids; you provided ${ids.length}.`,
        );
      return ids.map(node);
    },
    search({ query, ...given }: Window & { query: string }) {
      const { wanted, order } = parseSearch(core, identity, query);
      const issueCount = countIssues(core, wanted);
      // GitHub's search reads `last` as `first`: what is found is in the order of the search.
      const window = { ...given, first: given.first ?? given.last ?? null, last: null };
      const found = connection('search', window, issueCount, (limit, offset) =>
        findIssues(core, wanted, order, limit, offset).map(issue => threadObject(core, issue)),
      );
      const none = { codeCount: 0, repositoryCount: 0, userCount: 0, wikiCount: 0, discussionCount: 0 };
      return { ...found, ...none, issueCount };
    },
  };
}
