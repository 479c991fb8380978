// GitHub Apps, their installations and the tokens of these.
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { HOUR_MS, present } from '@echelon/ground';
import { type Core, now, timestamp } from '../core.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import { addUser, newToken } from './users.ts';

/** Permission name -> `read` or `write`, as in an app's manifest. */
export type Permissions = Record<string, string>;

export interface App {
  id: number;
  slug: string;
  name: string;
  client_id: string;
  bot_id: number;
  private_key: string;
  public_key: string;
  webhook_url: string;
  webhook_secret: string;
  events: string;
  permissions: string;
  created_at: string;
  updated_at: string;
}

export interface Installation {
  id: number;
  app_id: number;
  account_id: number;
  created_at: string;
  updated_at: string;
}

export interface InstallationToken {
  token: string;
  installation_id: number;
  expires_at: string;
  permissions: string;
  /** JSON array of repository ids, null for all of the installation. */
  repository_ids: string | null;
}

export interface AppSettings {
  slug: string;
  name: string;
  /** Empty: it is sent none. */
  webhookUrl: string;
  events: string[];
  permissions: Permissions;
}

/** Adds the app with a fresh RSA key and webhook secret, or brings the settings of the known one up to date. */
export function registerApp(core: Core, settings: AppSettings, appId?: number): App {
  const row: Record<string, string> = {
    name: settings.name,
    webhook_url: settings.webhookUrl,
    events: JSON.stringify(settings.events),
    permissions: JSON.stringify({ metadata: 'read', ...settings.permissions }),
  };
  const known = findApp(core, settings.slug);
  if (known) {
    const changed = Object.entries(row).some(([name, value]) => known[name as keyof App] !== value);
    if (changed) core.db.update('apps', known.id, { ...row, updated_at: now(core) });
    return getApp(core, known.id);
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const bot = addUser(core, `${settings.slug}[bot]`, { type: 'Bot' });
  return core.db.add<App>('apps', {
    ...row,
    ...(appId !== undefined && { id: appId }),
    slug: settings.slug,
    client_id: `Iv23${randomBytes(8).toString('hex')}`,
    bot_id: bot.id,
    private_key: String(privateKey.export({ type: 'pkcs1', format: 'pem' })),
    public_key: String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })),
    webhook_secret: randomBytes(20).toString('hex'),
    created_at: now(core),
    updated_at: now(core),
  });
}

export const findApp = (core: Core, slug: string): App | undefined => core.db.find<App>('apps', { slug });

/** The app that a JSON web token names as its issuer: by id or by client id. */
export const appOfIssuer = (core: Core, issuer: string | number): App | undefined =>
  core.db.one<App>('SELECT * FROM apps WHERE id = ? OR client_id = ?', Number(issuer) || 0, String(issuer));

export const getApp = (core: Core, id: number): App => core.db.get<App>('apps', id);

/** Installs the app on the repository's owner, if it is not yet, and gives it this repository. */
export function installApp(core: Core, app: App, repository: Repository): Installation {
  const on = { app_id: app.id, account_id: repository.owner_id };
  core.db.ensure('installations', { ...on, created_at: now(core), updated_at: now(core) });
  const installation = present(core.db.find<Installation>('installations', on), 'the installation');
  core.db.ensure('installation_repositories', {
    installation_id: installation.id,
    repository_id: repository.id,
  });
  return installation;
}

export const findInstallation = (core: Core, id: number): Installation | undefined =>
  core.db.find<Installation>('installations', { id });

export const installationsOfApp = (core: Core, app: App): Installation[] =>
  core.db.rows<Installation>('installations', { app_id: app.id });

/** The installations that see what happens in a repository. */
export const installationsOn = (core: Core, repositoryId: number): Installation[] =>
  core.db.all<Installation>(
    `SELECT i.* FROM installations i JOIN installation_repositories r ON r.installation_id = i.id
     WHERE r.repository_id = ? ORDER BY i.id`,
    repositoryId,
  );

/** A token for one hour, GitHub's lifetime for those of apps. Expired ones are dropped on the way. */
export function issueToken(
  core: Core,
  installation: Installation,
  permissions: Permissions,
  repositoryIds: number[] | null,
  lifetimeMs = HOUR_MS,
): InstallationToken {
  core.db.run('DELETE FROM installation_tokens WHERE expires_at < ?', now(core));
  const token: InstallationToken = {
    token: newToken('ghs_'),
    installation_id: installation.id,
    expires_at: timestamp(core.clock.now() + lifetimeMs),
    permissions: JSON.stringify(permissions),
    repository_ids: repositoryIds && JSON.stringify(repositoryIds),
  };
  core.db.insert('installation_tokens', { ...token });
  return token;
}

export const closeToken = (core: Core, token: string): void =>
  core.db.remove('installation_tokens', { token });

/** The unexpired token of that text. */
export const findInstallationToken = (core: Core, token: string): InstallationToken | undefined =>
  core.db.one<InstallationToken>(
    'SELECT * FROM installation_tokens WHERE token = ? AND expires_at > ?',
    token,
    now(core),
  );

/** GitHub's own id of the app. */
export const actionsAppId = 15_368;
const slug = 'github-actions';
/** GitHub's longest life of such a token; it dies with its job before that. */
const lifetimeMs = 24 * HOUR_MS;

/** A token that may do just this in the repository. Scopes in the words of workflow files (`pull-requests`). */
export function openJobToken(
  core: Core,
  repository: Repository,
  permissions: Readonly<Record<string, string>>,
): string {
  const settings = { slug, name: 'GitHub Actions', webhookUrl: '', events: [], permissions: {} };
  const installation = installApp(core, registerApp(core, settings, actionsAppId), repository);
  const scopes = Object.entries(permissions).map(([scope, level]) => [scope.replaceAll('-', '_'), level]);
  const granted = { metadata: 'read', ...Object.fromEntries(scopes) };
  return issueToken(core, installation, granted, [repository.id], lifetimeMs).token;
}

/** Closes the tokens of jobs that died with the process. */
export function closeJobTokens(core: Core): void {
  const app = findApp(core, slug);
  if (app)
    core.db.run(
      'DELETE FROM installation_tokens WHERE installation_id IN (SELECT id FROM installations WHERE app_id = ?)',
      app.id,
    );
}
