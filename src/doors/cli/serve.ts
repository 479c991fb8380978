// `npm start`: with an App's credentials the App for GitHub, without them the local forge with the App on it and its pages.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@echelon/ground';
import { InUse, lock } from '@echelon/ground/workspace';
import type { Settings } from '../settings.ts';
import type { AppCredentials } from '../app/server-settings.ts';
import { anyKey } from '../../engine/models/provider-keys.ts';
import type { Command } from './command.ts';
import { planServe, type Running, serveOptions, type ServePlan } from './serve-plan.ts';

/** Between two looks also at runs that wait or are over (milliseconds). */
const THOROUGH_MS = 15 * 60_000;

export const serve: Command = {
  usage: 'npm start -- [options]      (or: echelon serve [options])',
  about: `With APP_ID, PRIVATE_KEY and WEBHOOK_SECRET in the environment, or registered by the page /setup: serves the GitHub
App, webhooks at /api/github/webhooks. Otherwise: a local GitHub with the App on it at http://localhost:3000.
${anyKey} makes the models real; without one a script plays the sample's story. Your own
repository needs a key, or --script.`,
  options: serveOptions,
  async run(given, settings) {
    const plan = await planServe(given, settings);
    if ('problems' in plan) return plan;
    const { data } = plan;
    mkdirSync(data, { recursive: true, mode: 0o700 });
    let unlock: () => void;
    try {
      unlock = lock(join(data, 'lock.db'), `--data ${data}`);
    } catch (error) {
      if (!(error instanceof InUse)) throw error;
      console.error(error.message);
      return 2;
    }
    try {
      await serveAll(plan, settings);
    } finally {
      unlock();
    }
    return 0;
  },
};

/** The App, or the local forge, and the App after it when it was registered from there; until the process is to end. */
async function serveAll(plan: ServePlan, { stateKeys }: Settings): Promise<void> {
  const asked = new Promise<undefined>(done => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => done(undefined));
  });
  let { port } = plan;
  let app = plan.server.app;
  // Loaded only now: wrong options are answered before Probot and the forge are.
  if (!app) {
    const registered = Promise.withResolvers<AppCredentials>();
    const { serveForge } = await import('./serve-forge.ts');
    const forge = await serveForge(plan, registered.resolve);
    app = await served(forge, Promise.race([asked, registered.promise]), plan.parts.log);
    if (!app) return;
    console.log('the App is registered on GitHub; the local forge rests');
    // Keep the port: the browser is there, and webhooks are sent to it.
    port = forge.port;
  }
  const { serveApp } = await import('./serve-app.ts');
  await served(await serveApp({ ...plan, port }, app, stateKeys), asked, plan.parts.log);
}

/** Looks at open runs now and then, until `end`; closes what runs then, and answers what `end` did. */
async function served<T>(running: Running, end: Promise<T>, log: (line: string) => void): Promise<T> {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  let thorough = systemClock.now();
  const look = async () => {
    const due = systemClock.now() - thorough >= THOROUGH_MS;
    if (due) thorough = systemClock.now();
    await running.reconcile(due).catch(error => log(`reconcile: ${String(error)}`));
    lookLater();
  };
  const lookLater = () => {
    if (!over) timer = setTimeout(look, running.pace());
  };
  lookLater();
  const ended = await end;
  over = true;
  clearTimeout(timer);
  if (!ended) console.log('stopping; jobs that run go on and are found again at the next start');
  await running.close();
  return ended;
}
