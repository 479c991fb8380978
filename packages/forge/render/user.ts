// Users as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import type { User } from '../store/users.ts';
import { getUser } from '../store/users.ts';

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

/** GitHub's `public-user`. */
function publicUser(core: Core, user: User) {
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
  };
}

/** GitHub's `private-user`: what a user sees of itself. */
export function privateUser(core: Core, user: User) {
  const hidden = core.db.count('repositories WHERE owner_id = ? AND private = 1', user.id);
  return {
    ...publicUser(core, user),
    private_gists: 0,
    total_private_repos: hidden,
    owned_private_repos: hidden,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: false,
  };
}
