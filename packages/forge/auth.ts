// Identifies the caller: a user, an installation of an app, an app itself, or nobody.
import { jsonOf } from '@echelon/ground';
import { createVerify } from 'node:crypto';
import { z } from 'zod';
import type { Act, By } from './emit.ts';
import type { Core } from './core.ts';
import { ApiError, badCredentials, forbidden, needsToken, notForIntegration, notFound } from './errors.ts';
import { repositoriesOfToken } from './apps/app-json.ts';
import {
  type App,
  appOfIssuer,
  findInstallation,
  findInstallationToken,
  getApp,
  type InstallationToken,
  type Permissions,
} from './apps/app-rows.ts';
import {
  allRepositories,
  atLeast,
  type Repository,
  type Role,
  roleOf,
} from './repositories/repository-rows.ts';
import { getUser, type User } from './apps/users.ts';

export type Identity =
  | { kind: 'nobody' }
  | { kind: 'user'; user: User }
  | { kind: 'installation'; user: User; app: App; token: InstallationToken }
  | { kind: 'app'; app: App };

/** Reads an Authorization header: `token`, `Bearer`, or basic with the token as the password. */
export function identify(core: Core, authorization: string | undefined): Identity {
  if (!authorization) return { kind: 'nobody' };
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(authorization) ?? [];
  switch (scheme.toLowerCase()) {
    case 'token':
    case 'bearer':
      return identifyToken(core, rest.trim());
    case 'basic': {
      const [, user = '', password = ''] =
        /^([^:]*):?(.*)$/s.exec(Buffer.from(rest, 'base64').toString()) ?? [];
      return identifyToken(core, password === '' || password === 'x-oauth-basic' ? user : password);
    }
    default:
      throw badCredentials();
  }
}

function identifyToken(core: Core, token: string): Identity {
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return { kind: 'app', app: verifyAppToken(core, token) };
  const user = core.db.find<User>('users', { token });
  if (user) return { kind: 'user', user };
  const row = findInstallationToken(core, token);
  const installation = row && findInstallation(core, row.installation_id);
  if (!row || !installation) throw badCredentials();
  const app = getApp(core, installation.app_id);
  return { kind: 'installation', user: getUser(core, app.bot_id), app, token: row };
}

const header = z.object({ alg: z.literal('RS256') });
const claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.unknown(), exp: z.unknown() });

/**
 * The app behind a JSON web token. Signature RS256; `exp` in the future and at most ten minutes away, `iat` not
 * in the future, with GitHub's leeway of a minute. The messages are those by which clients set their clock right.
 */
function verifyAppToken(core: Core, token: string): App {
  const bad = () => new ApiError(401, 'A JSON web token could not be decoded');
  const [head = '', body = '', signature = ''] = token.split('.');
  const part = (text: string) => jsonOf(Buffer.from(text, 'base64url').toString());
  const payload = claims.safeParse(part(body));
  if (!header.safeParse(part(head)).success || !payload.success) throw bad();
  const app = appOfIssuer(core, payload.data.iss);
  if (!app) throw new ApiError(404, 'Integration not found');
  const verified = createVerify('RSA-SHA256')
    .update(`${head}.${body}`)
    .verify(app.public_key, Buffer.from(signature, 'base64url'));
  if (!verified) throw bad();
  const { iat, exp } = payload.data;
  const time = core.clock.now() / 1000;
  if (typeof exp !== 'number' || exp <= time)
    throw new ApiError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp > time + 660) throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  if (typeof iat !== 'number' || iat > time + 60)
    throw new ApiError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  return app;
}

/** The one who acts: 401 for nobody, 403 for an app that did not take an installation token. */
export function actor(identity: Identity): By {
  switch (identity.kind) {
    case 'nobody':
      throw needsToken();
    case 'app':
      throw new ApiError(401, 'A JSON web token could not be used here: take an installation token');
    case 'user':
      return { user: identity.user, app: null };
    case 'installation':
      return { user: identity.user, app: identity.app };
  }
}

/** Someone who was let into a repository, as `authorize` found: what the changes are handed. */
export interface Access extends Act {
  identity: Identity;
  /** The caller's role; see `authorize`. */
  role: Role;
}

/** Rights that a call needs in a repository. */
export interface Need {
  /** For people: at least this role. */
  role: Role;
  /** For apps: one of these, as `issues:write`. */
  scopes: string[];
}

/**
 * The caller's role in a repository; `none` where it may not know of it. An installation counts as admin of its
 * repositories: what bounds it are the app's permissions.
 */
export function roleIn(core: Core, identity: Identity, repository: Repository): Role {
  if (identity.kind === 'user') return roleOf(core, repository, identity.user.id);
  if (identity.kind === 'installation' && repositoriesOfToken(core, identity.token).includes(repository.id))
    return 'admin';
  return repository.private ? 'none' : 'read';
}

/**
 * The caller's role in a repository. 404 where it may not know the repository, 403 where the call needs more.
 */
export function authorize(core: Core, identity: Identity, repository: Repository, need: Need): Role {
  const role = roleIn(core, identity, repository);
  if (role === 'none') throw notFound();
  const writes = need.role !== 'read' || need.scopes.some(scope => scope.endsWith(':write'));
  if (writes && identity.kind === 'nobody') throw needsToken();
  if (writes) actor(identity);
  if (identity.kind === 'installation') {
    const open = !writes && !repository.private;
    if (!open && !(role === 'admin' && holds(JSON.parse(identity.token.permissions), need.scopes)))
      throw notForIntegration();
  } else if (!atLeast(role, need.role)) {
    throw forbidden(
      need.role === 'admin'
        ? 'Must have admin rights to Repository.'
        : `Must have ${need.role} access to the repository.`,
    );
  }
  return role;
}

/** The repositories in which the caller may read what one of these permissions lets an app read. */
export const readableRepositories = (core: Core, identity: Identity, scopes: string[]): Repository[] =>
  allRepositories(core).filter(repository => {
    try {
      authorize(core, identity, repository, { role: 'read', scopes });
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  });

/** True if permissions cover one of the scopes; `write` covers `read`. */
function holds(permissions: Permissions, scopes: string[]): boolean {
  return (
    scopes.length === 0 ||
    scopes.some(scope => {
      const [name = '', level = ''] = scope.split(':');
      const held = permissions[name];
      return held === 'admin' || held === 'write' || (held !== undefined && held === level);
    })
  );
}
