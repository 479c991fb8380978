// Serves the local forge with the App on it, and its pages.
import { digest, HOUR_MS, messageOf, systemClock } from '@echelon/ground';
import { quickReplies, table } from '../../app/app.ts';
import { anyKey } from '../../engine/models/provider-keys.ts';
import { type Forge, pages, allowFormsTo, field, form, Refusal, show } from '@echelon/forge';
import { type AppCredentials, webOf } from '../app/server-settings.ts';
import type { Installations } from '../app/installations.ts';
import { issueRuns } from './issue-runs/issue-runs.ts';
import { bot, openLocal } from './local.ts';
import { person, repositoryName } from './own-repository.ts';
import { directiveIn, sampleDirective, sampleRepository } from './sample.ts';
import { RECONCILE_MS, type Running, type ServePlan, appNeedsModel } from './serve-plan.ts';
import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { keepCredentials, NotRegistered, redeem, registrationOf } from '../app/registration.ts';
import { webhookPath } from '../app/webhooks.ts';

/** `registered`: the App is on GitHub now, and is to be served in the place of this. */
export async function serveForge(
  { parts, data, port, repo, fresh, server: { logLevel, host, api, webhookProxy } }: ServePlan,
  registered: (app: AppCredentials) => void,
): Promise<Running> {
  const name = repositoryName(repo);
  const scripted = parts.model.provider === 'scripted';
  const banner = scripted
    ? `The scripted model is playing: replies come from a file that fits the sample only. Open an issue from the sample's examples; set ${anyKey} and start again to work for real, with npm start -- --repo FOLDER on a repository of your own.`
    : undefined;
  let installations: Installations | undefined;
  const local = await openLocal({
    folder: data,
    port,
    ...(host && { host }),
    // A forge that was kept shows what it has; a new one gets the sample.
    repository:
      repo || fresh ? { owner: person, name, from: repo ?? (await sampleRepository(data)) } : undefined,
    person,
    logLevel,
    installations: parts,
    pages: forge => {
      // The key comes from the person's token, so the person must be there first.
      forge.addUser(person);
      const missing = scripted ? `${appNeedsModel}: set it, and start again` : undefined;
      const setup = setupPages({
        ...{ api, data, webhookProxy, missing },
        registered(app, install) {
          console.log(`install the App on a repository: ${install}`);
          console.log(`the next start is this App again with --data ${data}`);
          registered(app);
        },
      });
      const also = { name: 'Register on GitHub', path: '/setup', pages: setup };
      const fits = { repository: `${person}/${name}`, labels: 'echelon', ...directiveIn(sampleDirective()) };
      const examples = repo ? [] : [fits];
      return pages(forge, {
        ...{ actor: person, key: pageKey(forge), also, examples, ...(banner && { banner }) },
        commands: table,
        issueRuns: issueRuns(() => installations?.repositories() ?? [], forge.changes),
        quickReplies: thread => quickReplies(thread.map(each => ({ ...each, byBot: each.author === bot }))),
      });
    },
  });
  installations = local.installations;
  const at = local.forge.url.replace('127.0.0.1', 'localhost');
  console.log(
    `the local forge is at ${at}${repo || fresh ? `/${person}/${name}` : '/'}?key=${pageKey(local.forge)}`,
  );
  console.log(`its API is at ${at}/api/v3, the token of ${person} is ${local.forge.tokenFor(person)}`);
  console.log(
    'open an issue, put the label echelon on it, and approve when asked; the pages renew themselves',
  );
  console.log(`to register the App on GitHub: ${at}/setup?key=${pageKey(local.forge)}`);
  if (banner) console.log(banner);
  return {
    port: Number(new URL(local.forge.url).port || 80),
    pace: () => RECONCILE_MS,
    reconcile: thorough => local.webhooks.reconcileAll(thorough),
    close: () => local.close(),
  };
}

/** Opens the pages; the same after a restart, known only to who sees what is printed. */
const pageKey = (forge: Forge) => digest(`pages ${forge.tokenFor(person)}`).slice(0, 32);

// The pages at /setup: a person registers the App on GitHub, and the process goes on as that App.

export interface SetupOptions {
  /** Base URL of the REST API of the GitHub that the App is registered on. */
  api: string;
  data: string;
  /** URL from which webhooks are fetched, if any. */
  webhookProxy: string | undefined;
  /** Error that would keep the App from working once it is registered, with the remedy. */
  missing: string | undefined;
  /** The App is registered, its credentials are kept, and the browser has its answer: on to `install`, an address. */
  registered(credentials: AppCredentials, install: string): void;
}

/** To be shown behind the key of the pages: whoever comes this far decides which App this process is. */
function setupPages({ api, data, webhookProxy, missing, registered }: SetupOptions) {
  const web = webOf(api);
  const app = new Hono<{ Bindings: HttpBindings }>();
  /** The registration that was begun last: GitHub's answer to any other is not taken, and to this one once. */
  let begun: { state: string; session: string; until: number } | undefined;

  app.get('/setup', c =>
    show(
      c,
      'Register on GitHub',
      html`<h1>Register on GitHub</h1>
<p>This makes a GitHub App of your own on ${web}. This process then is that App, and the local forge rests. On GitHub you can change its name, which has to be new there.</p>
${
  missing === undefined
    ? form(
        c,
        '/setup',
        html`<p><label>Organization that is to own it (empty: you) <input name="organization"></label></p>
${webhookProxy === undefined ? html`<p><label>Public address of this server (empty: it has none, and looks on GitHub every 30 s) <input name="address" placeholder="https://echelon.example.com"></label></p>` : html`<p>Webhooks come through WEBHOOK_PROXY_URL.</p>`}
<p><button type="submit">Go on</button></p>`,
      )
    : html`<p role="alert">${missing}</p>`
}`,
    ),
  );

  app.post('/setup', async c => {
    if (missing !== undefined) throw new Refusal(422, missing);
    const organization = (await field(c, 'organization')).trim();
    if (!/^([a-z\d][a-z\d-]{0,38})?$/i.test(organization))
      throw new Refusal(422, 'The organization is not a name on GitHub: letters, digits and hyphens.');
    const webhook = webhookProxy ?? webhookAt((await field(c, 'address')).trim());
    const state = randomBytes(32).toString('base64url');
    begun = { state, session: c.get('csrf'), until: systemClock.now() + HOUR_MS };
    const manifest = registrationOf(new URL('/setup/registered', c.req.url).href, webhook);
    const owner = organization === '' ? '' : `/organizations/${organization}`;
    allowFormsTo(c, web);
    return show(
      c,
      'Register on GitHub',
      html`<h1>Register on GitHub</h1>
<form method="post" action="${`${web}${owner}/settings/apps/new?state=${state}`}"><input type="hidden" name="manifest" value="${JSON.stringify(manifest)}">
<p>${webhook === undefined ? 'GitHub sends it no webhooks.' : `GitHub sends webhooks to ${webhook}.`} GitHub asks you to confirm the App, and then on which repositories to install it.</p>
<p><button type="submit">Register on GitHub</button></p></form>`,
    );
  });

  app.get('/setup/registered', async c => {
    const mine = begun;
    if (
      mine === undefined ||
      c.req.query('state') !== mine.state ||
      c.get('csrf') !== mine.session ||
      systemClock.now() > mine.until
    )
      throw new Refusal(
        403,
        'This is not the answer to the registration that was begun here last, or it was taken already. Begin again at /setup.',
      );
    begun = undefined;
    const { credentials, page } = await redeem(api, c.req.query('code') ?? '').catch(error => {
      throw error instanceof NotRegistered ? new Refusal(422, error.message) : error;
    });
    try {
      keepCredentials(data, credentials);
    } catch (error) {
      throw new Refusal(
        500,
        `The credentials could not be kept: ${messageOf(error)}. Delete the App in its settings on GitHub, and begin again.`,
      );
    }
    // Serving the App ends this connection: first the browser gets its answer.
    // On the site that the person is signed in to, whatever it calls itself.
    const install = `${web}${new URL(page).pathname}/installations/new`;
    c.env.outgoing.once('close', () => registered(credentials, install));
    c.header('Connection', 'close');
    return c.redirect(install, 303);
  });

  return app;
}

function webhookAt(address: string): string | undefined {
  if (address === '') return undefined;
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new Refusal(422, 'The public address is not one that begins with https:// and names a server.');
  return `${url.origin}${url.pathname.replace(/\/$/, '')}${webhookPath}`;
}
