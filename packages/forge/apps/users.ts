// Users as the REST API shows them.
import { type Core, nodeId, now } from '../core.ts';
import { randomInt } from 'node:crypto';

export interface User {
  id: number;
  login: string;
  type: 'User' | 'Bot' | 'Organization';
  name: string | null;
  token: string;
  created_at: string;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A token in GitHub's format: the prefix and 36 letters or digits. */
export function newToken(prefix: 'ghp_' | 'ghs_'): string {
  return prefix + Array.from({ length: 36 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Adds the user, or returns the one of that login. */
export function addUser(
  core: Core,
  login: string,
  options: { type?: User['type']; name?: string } = {},
): User {
  const known = findUser(core, login);
  if (known) return known;
  if (!/^[a-z\d](?:[a-z\d-]{0,38})(?:\[bot\])?$/i.test(login))
    throw new Error(`"${login}" is not a login: letters, digits and hyphens, at most 39`);
  return core.db.add<User>('users', {
    login,
    type: options.type ?? (login.endsWith('[bot]') ? 'Bot' : 'User'),
    name: options.name ?? null,
    token: newToken('ghp_'),
    created_at: now(core),
  });
}

export const findUser = (core: Core, login: string): User | undefined =>
  core.db.find<User>('users', { login });

/** The user of an id that another row holds. */
export const getUser = (core: Core, id: number): User => core.db.get<User>('users', id);

/** GitHub's `simple-user`. */
export function simpleUser(core: Core, user: User) {
  const url = `${core.api}/users/${encodeURIComponent(user.login)}`;
  const page = user.type === 'Bot' ? `apps/${user.login.replace(/\[bot\]$/, '')}` : user.login;
  return {
    login: user.login,
    id: user.id,
    node_id: nodeId(user.type === 'Bot' ? 'BOT' : 'U', user.id),
    avatar_url: `${core.site}/avatars/u/${user.id}`,
    gravatar_id: '',
    url,
    html_url: `${core.site}/${page}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: user.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

export const userOfId = (core: Core, id: number) => simpleUser(core, getUser(core, id));
export const userOrNull = (core: Core, id: number | null) => (id === null ? null : userOfId(core, id));

/** GitHub's `private-user`: what a user sees of itself. */
export function privateUser(core: Core, user: User) {
  const hidden = core.db.count('repositories WHERE owner_id = ? AND private = 1', user.id);
  return {
    ...simpleUser(core, user),
    name: user.name,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: core.db.count('repositories WHERE owner_id = ? AND private = 0', user.id),
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: user.created_at,
    updated_at: user.created_at,
    private_gists: 0,
    total_private_repos: hidden,
    owned_private_repos: hidden,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: false,
  };
}
