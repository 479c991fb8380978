// Users, rate limits, apps, installations and their tokens, webhook deliveries.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { actor, type Identity } from '../auth.ts';
import { redeemCode } from './manifest.ts';
import type { Core } from '../core.ts';
import { ApiError, forbidden, found, needsToken, notFound } from '../errors.ts';
import { page, pageOfAll } from '../page.ts';
import { appJson, installationJson, permissionsOfApp, repositoriesOfToken, tokenJson } from './app-json.ts';
import { repositoryJson } from '../repositories/repository-json.ts';
import { privateUser } from './users.ts';
import { type Call, created, ok, parse, route } from '../route.ts';
import {
  type App,
  closeToken,
  findApp,
  findInstallation,
  type Installation,
  installationsOfApp,
  issueToken,
} from './app-rows.ts';
import { getRepository, repositoriesOfInstallation } from '../repositories/repository-rows.ts';
import { listDeliveries } from './delivery-routes.ts';

/** The app that calls as itself, with a JSON web token. */
function asApp(identity: Identity): App {
  if (identity.kind === 'app') return identity.app;
  if (identity.kind === 'nobody') throw needsToken();
  throw new ApiError(401, 'A JSON web token could not be decoded');
}

function installationOf(core: Core, app: App, id: string | undefined): Installation {
  const installation = findInstallation(core, Number(id));
  if (installation?.app_id !== app.id) throw notFound();
  return installation;
}

const tokenRequest = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
});

function newToken(call: Call) {
  const { core } = call;
  const app = asApp(call.identity);
  const installation = installationOf(core, app, call.params['installation_id']);
  const asked = parse(call, 'Installation', tokenRequest);
  const within = repositoriesOfInstallation(core, installation.id);
  const granted = permissionsOfApp(app);
  for (const [name, level] of Object.entries(asked.permissions ?? {}))
    if (granted[name] !== level && granted[name] !== 'write')
      throw new ApiError(422, 'The permissions requested are not granted to this installation.');
  const named = [
    ...(asked.repositories ?? []).map(name => within.find(repository => repository.name === name)?.id),
    ...(asked.repository_ids ?? []).map(id => within.find(repository => repository.id === id)?.id),
  ];
  const ids = named.filter(id => id !== undefined);
  if (ids.length < named.length)
    throw new ApiError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  const token = issueToken(core, installation, asked.permissions ?? granted, named.length > 0 ? ids : null);
  return created(tokenJson(core, token));
}

export const accountRoutes = [
  route('GET', '/user', ({ core, identity }) => {
    if (identity.kind === 'installation') throw forbidden('Resource not accessible by integration');
    return ok(privateUser(core, actor(identity).user));
  }),
  route('GET', '/apps/{app_slug}', ({ core, params }) =>
    ok(appJson(core, found(findApp(core, params['app_slug'] ?? '')))),
  ),
  route('POST', '/app-manifests/{code}/conversions', ({ core, params }) => {
    const app = found(redeemCode(core, params['code'] ?? ''));
    const { private_key: pem, webhook_url, webhook_secret } = app;
    return created({
      ...appJson(core, app),
      client_secret: randomBytes(20).toString('hex'),
      webhook_secret: webhook_url === '' ? null : webhook_secret,
      pem,
    });
  }),
  route('GET', '/app', ({ core, identity }) => ok(appJson(core, asApp(identity)))),
  route('GET', '/app/installations', call =>
    pageOfAll(call, installationsOfApp(call.core, asApp(call.identity)), each =>
      installationJson(call.core, each),
    ),
  ),
  route('POST', '/app/installations/{installation_id}/access_tokens', newToken),
  route('GET', '/installation/repositories', call => {
    if (call.identity.kind !== 'installation')
      throw forbidden('You must authenticate via an installation token.');
    const ids = repositoriesOfToken(call.core, call.identity.token);
    return page(
      call,
      ids.length,
      (limit, offset) =>
        ids
          .slice(offset, offset + limit)
          .map(id => repositoryJson(call.core, getRepository(call.core, id), 'write')),
      repositories => ({ total_count: ids.length, repository_selection: 'selected', repositories }),
    );
  }),
  route('DELETE', '/installation/token', ({ core, identity }) => {
    if (identity.kind !== 'installation') throw forbidden('You must authenticate via an installation token.');
    closeToken(core, identity.token.token);
    return { status: 204 };
  }),
  route('GET', '/repos/{owner}/{repo}/installation', call => {
    const app = asApp(call.identity);
    const mine = installationsOfApp(call.core, app).find(each =>
      repositoriesOfInstallation(call.core, each.id).some(
        ({ owner, name }) =>
          owner.toLowerCase() === call.params['owner']?.toLowerCase() &&
          name.toLowerCase() === call.params['repo']?.toLowerCase(),
      ),
    );
    return ok(installationJson(call.core, found(mine)));
  }),
  route('GET', '/app/hook/deliveries', call => listDeliveries(call, asApp(call.identity).id)),
];
