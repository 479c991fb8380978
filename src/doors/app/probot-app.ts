// Echelon as a Probot app, for `probot run` and other hosts of Probot: the default export takes the instance.
import { lock } from '@echelon/ground/workspace';
import { anyKey, hasKey, secretsOf } from '../../engine/models/provider-keys.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Probot } from 'probot';
import { eventNames } from '../../app/app.ts';
import { readSettings } from '../settings.ts';
import { EchelonOctokit, echelonApp } from './app.ts';
import { openLiveApp } from './installations.ts';
import { readServerSettings } from './server-settings.ts';

/**
 * Takes part in a process of others: events come from `host`, mirrors and jobs are kept in `.echelon` of the present
 * folder. Its calls go by a client of its own, made from the variables that Probot reads too, since the host's sends a
 * write again that may have been applied. Throws an Error that names the variable, and InUse.
 */
export default async function echelon(host: Probot): Promise<void> {
  const settings = readSettings();
  const { app, caps } = readServerSettings();
  if (!app) throw new Error('APP_ID, PRIVATE_KEY and WEBHOOK_SECRET must be set in the environment');
  if (!hasKey(settings.providers)) throw new Error(`the App needs ${anyKey} in the environment`);
  const data = join(process.cwd(), '.echelon');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  process.once('exit', lock(join(data, 'lock.db'), data));
  const { id, privateKey, secret, baseUrl } = app;
  const own = new Probot({ appId: id, privateKey, secret, baseUrl, Octokit: EchelonOctokit, log: host.log });
  await own.ready();
  const installations = openLiveApp(
    {
      model: { provider: 'served', keys: settings.providers },
      secrets: secretsOf(settings.providers),
      host: settings,
      caps,
      log: line => host.log.warn(line),
    },
    data,
    app,
    settings.stateKeys,
  );
  const { receive, reconcileAll } = echelonApp(installations, own, { paced: true });
  // Not awaited: GitHub wants its answer within 10 s, and the work may take hours.
  for (const name of eventNames) host.on(name, ({ payload }) => installations.track(receive(name, payload)));
  installations.track(reconcileAll(true));
}
