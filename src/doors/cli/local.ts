// A forge and the App on it in one process: what `npm start` serves without credentials, and what the demo plays on.
import { join } from 'node:path';
import { type Forge, type ForgeOptions, openForge } from '@echelon/forge';
import { type Endpoints, openEndpoints } from '../app/endpoints.ts';
import { openInstallations } from '../app/installations.ts';
import type { OperatorOptions } from '../app/open-repository.ts';
import { appManifest } from '../app/registration.ts';
import { derivedKey } from '../app/server-settings.ts';
import { openWebhooks, type Webhooks, webhookPath } from '../app/webhooks.ts';

export interface LocalOptions extends Pick<ForgeOptions, 'host' | 'port' | 'pages' | 'onCall' | 'runner'> {
  /** Holds the forge, the mirrors and the jobs; everything is found again there. */
  folder: string;
  /** A repository to add to the forge, and the local git repository it is cloned from; it may be there already. */
  repository?: { owner: string; name: string; from: string } | undefined;
  /** Login of the person who uses the forge; has admin permission. */
  person: string;
  installations: OperatorOptions;
  logLevel: string;
}

export type Local = Awaited<ReturnType<typeof openLocal>>;

const slug = 'echelon';

/** Login under which the App writes on the forge. */
export const bot = `${slug}[bot]`;

/** Opens the forge, installs the App on the repository, and brings open runs up to date. */
export async function openLocal({
  folder,
  repository,
  person,
  installations: chosen,
  logLevel,
  ...served
}: LocalOptions) {
  let webhooks: Webhooks | undefined;
  let endpoints: Endpoints | undefined;
  const forge = await openForge({
    ...served,
    folder: join(folder, 'forge'),
    before: (request, response) =>
      (webhooks?.take(request, response) || endpoints?.(request, response)) ?? false,
  });
  try {
    forge.addUser(person);
    // Exactly the permissions and events that app.yml asks for.
    const { name, default_events: events, default_permissions: permissions } = appManifest();
    const webhookUrl = `${forge.url}${webhookPath}`;
    const registered = forge.registerApp({ slug, name, events, permissions, webhookUrl });
    const { privateKey, webhookSecret: secret } = registered;
    if (repository) await addRepository(forge, person, repository);
    const installations = openInstallations({
      ...chosen,
      // The forge's own keys are worth nothing elsewhere, but the record's key comes from one of them.
      secrets: [...chosen.secrets, privateKey, secret],
      secretsPresent: chosen.model.provider !== 'scripted',
      data: folder,
      keys: [derivedKey(privateKey)],
      web: forge.url,
    });
    const credentials = { id: String(registered.id), privateKey, secret, baseUrl: forge.api };
    webhooks = await openWebhooks(installations, credentials, { paced: false, logLevel });
    endpoints = openEndpoints(installations, webhooks.github);
    // Not awaited: open runs go on while people can already look.
    installations.track(webhooks.reconcileAll(true));
    return {
      forge,
      installations,
      webhooks,
      /** Resolves when every webhook was taken and every run has gone as far as it can; jobs may be running. */
      async idle(): Promise<void> {
        await forge.webhooksSettled();
        await installations.idle();
      },
      /** Ends every job that is running, at once. */
      stopJobs: (): Promise<void> => installations.stopJobs(),
      async close(): Promise<void> {
        await installations.close();
        await forge.close();
      },
    };
  } catch (error) {
    await forge.close();
    throw error;
  }
}

/** Adds the repository if it is not there, with the App on it and the person as its admin. */
async function addRepository(
  forge: Forge,
  person: string,
  repository: NonNullable<LocalOptions['repository']>,
) {
  const { owner, name } = repository;
  const { status } = await forge.call(person, 'GET', `/repos/${owner}/${name}`);
  if (status !== 200) await forge.addRepository(repository);
  forge.setPermission(owner, name, person, 'admin');
  forge.installApp(slug, owner, name);
}
