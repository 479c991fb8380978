// Where a person installs an App on a repository of theirs, and sees what an installation may do, as on GitHub.
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { appJson } from '../render/app.ts';
import type { repositoryJson } from '../render/repository.ts';
import type { Forge } from '../forge.ts';
import { type Api, Refusal } from './api.ts';
import { form, type Html, show } from './layout.ts';
import { field, idOf } from './request.ts';

type Repository = ReturnType<typeof repositoryJson>;

export function installationPages(api: Api, forge: Pick<Forge, 'installApp' | 'installation'>) {
  const app = new Hono();
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

  return app;
}

const rights = (permissions: Record<string, string>): Html =>
  html`<p class="quiet">It may: ${Object.entries(permissions)
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ')}.</p>`;
