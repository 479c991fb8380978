// People and bots.
import { randomInt } from 'node:crypto';
import { type Core, now } from '../core.ts';

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
  const id = core.db.insert('users', {
    login,
    type: options.type ?? (login.endsWith('[bot]') ? 'Bot' : 'User'),
    name: options.name ?? null,
    token: newToken('ghp_'),
    created_at: now(core),
  });
  return getUser(core, id);
}

export const findUser = (core: Core, login: string): User | undefined =>
  core.db.find<User>('users', { login });

export const userOfToken = (core: Core, token: string): User | undefined =>
  core.db.find<User>('users', { token });

/** The user of an id that another row holds. */
export const getUser = (core: Core, id: number): User => core.db.get<User>('users', id);
