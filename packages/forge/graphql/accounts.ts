// Accounts as GraphQL shows them, and its small whole numbers.
import { readableRepositories } from '../auth.ts';
import type { Core } from '../core.ts';
import { simpleUser, getUser, type User } from '../apps/users.ts';
import { isCollaborator } from '../repositories/repository-rows.ts';
import { type Asked, repositoryScopes, empty, listed } from './connection.ts';

/** GitHub's Int is of 32 bits: larger ids are only in `fullDatabaseId`. */
export const int = (id: number): number | null => (id < 2 ** 31 ? id : null);

interface Choice {
  privacy?: 'PUBLIC' | 'PRIVATE' | null;
  isFork?: boolean | null;
  ownerAffiliations?: ('OWNER' | 'COLLABORATOR' | 'ORGANIZATION_MEMBER')[] | null;
  orderBy?: { field: 'CREATED_AT' | 'NAME' | 'PUSHED_AT' | 'UPDATED_AT'; direction: 'ASC' | 'DESC' } | null;
}

/** Those of an account that the caller may know of. */
const ownRepositories = (user: User) =>
  listed('repositories', ({ privacy, isFork, ownerAffiliations, orderBy }: Choice, asked: Asked) => {
    const { core, identity } = asked;
    const how = ownerAffiliations ?? ['OWNER', 'COLLABORATOR'];
    const found = readableRepositories(core, identity, repositoryScopes)
      .filter(
        repository =>
          (how.includes('OWNER') && repository.owner_id === user.id) ||
          (how.includes('COLLABORATOR') && isCollaborator(core, repository, user.id)),
      )
      .filter(repository => !privacy || (privacy === 'PRIVATE') === (repository.private === 1))
      // The forge has no forks.
      .filter(() => !isFork);
    if (orderBy) {
      const by = columns[orderBy.field];
      found.sort((a, b) => a[by].localeCompare(b[by]));
      if (orderBy.direction === 'DESC') found.reverse();
    }
    return found.map(repository => asked.repository(repository));
  });

const columns = {
  CREATED_AT: 'created_at',
  NAME: 'name',
  PUSHED_AT: 'pushed_at',
  UPDATED_AT: 'updated_at',
} as const;

/** An account. GraphQL names an app's bot by its slug alone. */
export function userObject(core: Core, user: User) {
  const { node_id, html_url, avatar_url } = simpleUser(core, user);
  return {
    __typename: user.type,
    id: node_id,
    databaseId: user.id,
    login: user.type === 'Bot' ? user.login.replace(/\[bot\]$/, '') : user.login,
    name: user.name,
    url: html_url,
    avatarUrl: avatar_url,
    repositories: ownRepositories(user),
    ...empty('teams', 'projects', 'projectsV2'),
  };
}

export const userOfId = (core: Core, id: number | null) =>
  id === null ? null : userObject(core, getUser(core, id));
