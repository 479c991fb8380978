// Accounts as GraphQL shows them, and its small whole numbers.
import { type Core, nodeId } from '../core.ts';
import { getUser, type User } from '../store/users.ts';

/** GitHub's Int is of 32 bits: larger ids are only in `fullDatabaseId`. */
export const int = (id: number): number | null => (id < 2 ** 31 ? id : null);

/** An account. GraphQL names an app's bot by its slug alone. */
export function userObject(core: Core, user: User) {
  const login = user.type === 'Bot' ? user.login.replace(/\[bot\]$/, '') : user.login;
  return {
    __typename: user.type,
    id: nodeId(user.type === 'Bot' ? 'BOT' : 'U', user.id),
    databaseId: user.id,
    login,
    name: user.name,
    url: `${core.site}/${user.type === 'Bot' ? `apps/${login}` : login}`,
  };
}

export const userOfId = (core: Core, id: number | null) =>
  id === null ? null : userObject(core, getUser(core, id));
