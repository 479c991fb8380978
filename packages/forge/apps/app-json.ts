// Apps, installations and installation tokens as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import {
  type App,
  getApp,
  type Installation,
  type InstallationToken,
  installationsOfApp,
  type Permissions,
} from './app-rows.ts';
import { getRepository, repositoriesOfInstallation } from '../repositories/repository-rows.ts';
import { repositoryJson } from '../repositories/repository-json.ts';
import { userOfId } from './users.ts';

export const permissionsOfApp = (app: App): Permissions => JSON.parse(app.permissions);
export const eventsOfApp = (app: App): string[] => JSON.parse(app.events);

/** GitHub's `integration`. */
export function appJson(core: Core, app: App) {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('A', app.id),
    client_id: app.client_id,
    owner: userOfId(core, app.bot_id),
    name: app.name,
    description: null,
    external_url: `${core.site}/apps/${app.slug}`,
    html_url: `${core.site}/apps/${app.slug}`,
    created_at: app.created_at,
    updated_at: app.updated_at,
    permissions: permissionsOfApp(app),
    events: eventsOfApp(app),
    installations_count: installationsOfApp(core, app).length,
  };
}

export const appOrNull = (core: Core, id: number | null) =>
  id === null ? null : appJson(core, getApp(core, id));

/** GitHub's `installation`. */
export function installationJson(core: Core, installation: Installation) {
  const app = getApp(core, installation.app_id);
  return {
    id: installation.id,
    account: userOfId(core, installation.account_id),
    repository_selection: 'selected',
    access_tokens_url: `${core.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${core.api}/installation/repositories`,
    html_url: `${core.site}/settings/installations/${installation.id}`,
    app_id: app.id,
    client_id: app.client_id,
    app_slug: app.slug,
    target_id: installation.account_id,
    target_type: userOfId(core, installation.account_id).type,
    permissions: permissionsOfApp(app),
    events: eventsOfApp(app),
    created_at: installation.created_at,
    updated_at: installation.updated_at,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}

/** Ids of the repositories a token reaches. */
export function repositoriesOfToken(core: Core, token: InstallationToken): number[] {
  if (token.repository_ids !== null) return JSON.parse(token.repository_ids);
  return repositoriesOfInstallation(core, token.installation_id).map(repository => repository.id);
}

/** GitHub's `installation-token`. */
export function tokenJson(core: Core, token: InstallationToken) {
  return {
    token: token.token,
    expires_at: token.expires_at,
    permissions: JSON.parse(token.permissions),
    repository_selection: 'selected',
    ...(token.repository_ids !== null && {
      repositories: repositoriesOfToken(core, token).map(id => repositoryJson(core, getRepository(core, id))),
    }),
  };
}
