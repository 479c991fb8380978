// The forge's repositories, and one repository's front page.
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { shortBranch } from '../repositories/commit-json.ts';
import type { repositoryJson } from '../repositories/repository-json.ts';
import { type Api, repositoryOf } from './api.ts';
import type { Entry } from './files/contents.ts';
import { branchPicker, tree } from './files/frame.ts';
import { addressOf, contentsOf } from './files/place.ts';
import { repositoryBar, show, when } from './layout.ts';

type Repository = ReturnType<typeof repositoryJson>;

/** `site` is the address that people clone from. */
export function repositoryPages(app: Hono, api: Api, site: string) {
  app.get('/', async c => {
    const { items } = await api.all<Repository>('/user/repos');
    return show(
      c,
      'Repositories',
      html`<h1>Repositories</h1>
${
  items.length === 0
    ? html`<p class="empty">No repository yet.</p>`
    : html`<ul class="list">${items.map(
        ({ full_name: name, pushed_at }) =>
          html`<li><div><a class="strong" href="/${name}">${name}</a><p class="quiet">last push ${when(pushed_at)}</p></div>
<nav class="row" aria-label="${name}"><a href="/${name}/issues">Issues</a> <a href="/${name}/pulls">Pull requests</a></nav></li>`,
      )}</ul>`
}`,
    );
  });

  app.get('/:owner/:repo', async c => {
    const repository = repositoryOf(c);
    const { default_branch, private: hidden, pushed_at } = await api.get<Repository>(`/repos/${repository}`);
    const top = { repository, ref: default_branch, path: '' };
    const [branches, entries] = await Promise.all([
      api.page<ReturnType<typeof shortBranch>>(`/repos/${repository}/branches`),
      api.find<Entry[]>(contentsOf(top)),
    ]);
    return show(
      c,
      repository,
      html`${repositoryBar(repository, 'Code')}
<div class="columns"><div>
<div class="place">${branchPicker(api, 'tree', top)} <span class="links"><a href="${addressOf('commits', top)}">History</a></span></div>
${entries === undefined ? html`<p class="empty">No commit on ${default_branch} yet.</p>` : tree(api, top, entries)}
</div><aside>
<section><h2>About</h2><p>${hidden ? 'private' : 'public'}, last push ${when(pushed_at)}</p></section>
<section><h2>Clone</h2><p><code>git clone ${site}/${repository}.git</code></p></section>
<section><h2>Branches</h2><ul class="plain">${branches.items.map(
        ({ name, commit }) =>
          html`<li><a href="${addressOf('tree', { ...top, ref: name })}"><code>${name}</code></a> <span class="quiet">${commit.sha.slice(0, 7)}${name === default_branch ? ' default' : ''}</span></li>`,
      )}${branches.more ? html`<li class="quiet">and more</li>` : ''}</ul></section>
</aside></div>`,
    );
  });
}
