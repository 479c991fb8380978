// Pages on which a person installs an App on a repository and sees an installation's permissions.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { appJson } from '../apps/app-json.ts';
import type { repositoryJson } from '../repositories/repository-json.ts';
import type { Forge } from '../forge.ts';
import { type Api, Refusal, field, idOf } from './api.ts';
import { form, type Html, show } from './layout.ts';
import { AppManifest } from '../apps/manifest.ts';
import { ApiError } from '../errors.ts';
import { allowFormsTo } from './guard.ts';

/** Page to which other sites post manifests. It only asks for confirmation. */
export const newAppPath = /^(\/organizations\/[\w-]+)?\/settings\/apps\/new$/;

export function newAppPages(app: Hono, forge: Pick<Forge, 'registerManifest'>) {
  const ask = async (c: Context) => {
    const text = await field(c, 'manifest');
    const manifest = manifestIn(text);
    const state = c.req.query('state') ?? '';
    const hook = manifest.hook_attributes?.url ?? 'none';
    allowFormsTo(c, new URL(manifest.redirect_url).origin);
    return show(
      c,
      'Create GitHub App',
      html`<h1>Create GitHub App</h1>
${form(
  c,
  '/settings/apps/create',
  html`<input type="hidden" name="manifest" value="${text}"><input type="hidden" name="state" value="${state}">
<p><label>Name <input name="name" value="${manifest.name}" maxlength="34" required></label></p>
<p class="quiet">Webhook: ${hook}.</p>
${rights(manifest.default_permissions)}
<p><button type="submit">Create GitHub App for me</button></p>`,
)}`,
    );
  };
  app.post('/settings/apps/new', ask);
  app.post('/organizations/:organization/settings/apps/new', ask);

  app.post('/settings/apps/create', async c => {
    const manifest = manifestIn(await field(c, 'manifest'));
    try {
      const code = forge.registerManifest({ ...manifest, name: await field(c, 'name') });
      const back = new URL(manifest.redirect_url);
      back.searchParams.set('code', code);
      back.searchParams.set('state', await field(c, 'state'));
      return c.redirect(back.href, 302);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new Refusal(error.status, error.message);
    }
  });
}

function manifestIn(text: string): AppManifest {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Refusal(422, `The manifest is no JSON: ${(error as Error).message}`);
  }
  const read = AppManifest.safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Refusal(422, `The manifest is not one of an App: ${problems.join('; ')}`);
}

type Repository = ReturnType<typeof repositoryJson>;

export function installationPages(app: Hono, api: Api, forge: Pick<Forge, 'installApp' | 'installation'>) {
  const appOf = async (slug: string) => {
    const found = await api.find<ReturnType<typeof appJson>>(`/apps/${encodeURIComponent(slug)}`);
    if (!found) throw new Refusal(404, `There is no App ${slug}.`);
    return found;
  };
  /** Those that the person may install an App on. */
  const mine = async () =>
    (await api.all<Repository>('/user/repos')).items
      .filter(({ permissions }) => permissions?.admin)
      .map(({ full_name: name }) => name);

  app.get('/apps/:slug/installations/new', async c => {
    const slug = c.req.param('slug');
    const { name, permissions } = await appOf(slug);
    const names = await mine();
    return show(
      c,
      `Install ${name}`,
      html`<h1>Install ${name}</h1>
${rights(permissions)}
${
  names.length === 0
    ? html`<p class="empty">You administer no repository here.</p>`
    : form(
        c,
        `/apps/${slug}/installations/new`,
        html`<p><label>Repository <select name="repository">${names.map(each => html`<option>${each}</option>`)}</select></label></p>
<p><button class="primary">Install</button></p>`,
      )
}`,
    );
  });

  app.post('/apps/:slug/installations/new', async c => {
    const slug = c.req.param('slug');
    await appOf(slug);
    const repository = await field(c, 'repository');
    if (!(await mine()).includes(repository))
      throw new Refusal(403, `You do not administer a repository ${repository}.`);
    const [owner = '', name = ''] = repository.split('/');
    return c.redirect(`/settings/installations/${forge.installApp(slug, owner, name)}`, 303);
  });

  app.get('/settings/installations/:id', async c => {
    const id = idOf(c.req.param('id'));
    const there = forge.installation(id);
    // Of repositories of others not even their names are told.
    const names = await mine();
    const shown = there?.repositories.filter(each => names.includes(each)) ?? [];
    if (!there || shown.length === 0) throw new Refusal(404, `There is no installation ${id} of yours.`);
    const { name, permissions } = await appOf(there.slug);
    return show(
      c,
      `${name} is installed`,
      html`<h1>${name} is installed</h1>
<p>On ${shown.map((each, index) => html`${index > 0 ? ', ' : ''}<a href="/${each}">${each}</a>`)}. <a href="/apps/${there.slug}/installations/new">Add a repository</a></p>
${rights(permissions)}`,
    );
  });
}

const rights = (permissions: Record<string, string>): Html =>
  html`<p class="quiet">It may: ${Object.entries(permissions)
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ')}.</p>`;
