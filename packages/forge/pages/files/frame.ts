// What the pages of files have in common: the branch, the path, and where else one can go from here.
import { html } from 'hono/html';
import type { Api } from '../api.ts';
import { type Html, repositoryBar } from '../layout.ts';
import { addressOf, type FilePlace, readable, type View } from './place.ts';

/** Branches that are offered; every other one can be reached by its address. */
const mostBranches = 100;

/** A list of branches that lead to the same place of each. */
export async function branchPicker(api: Api, view: View, place: FilePlace): Promise<Html> {
  const { items, more } = await api.page<{ name: string }>(`/repos/${place.repository}/branches`);
  const shown = items.slice(0, mostBranches);
  const name = /^[\da-f]{40}$/.test(place.ref) ? place.ref.slice(0, 7) : place.ref;
  return html`<details class="branches"><summary class="button">${readable(name)}<span class="unseen">: other branches</span></summary><ul>${shown.map(
    branch =>
      html`<li><a href="${addressOf(view, { ...place, ref: branch.name })}"${branch.name === place.ref ? html` aria-current="true"` : ''}>${branch.name}</a></li>`,
  )}${more ? html`<li class="quiet">and more</li>` : ''}</ul></details>`;
}

/** The path, each folder of it a link. */
function trail(place: FilePlace): Html {
  const parts = place.path === '' ? [] : place.path.split('/');
  const names = [place.repository.split('/')[1] ?? '', ...parts];
  return html`<nav class="trail" aria-label="Path"><ol>${names.map((name, at) =>
    at === parts.length
      ? html`<li><b>${readable(name)}</b></li>`
      : html`<li><a href="${addressOf('tree', { ...place, path: parts.slice(0, at).join('/') })}">${readable(name)}</a></li>`,
  )}</ol></nav>`;
}

/** `links`: beside the path. */
export async function frame(
  api: Api,
  view: View,
  place: FilePlace,
  { links, body }: { links: Html; body: Html },
): Promise<Html> {
  return html`${repositoryBar(place.repository, 'Code')}
<h1 class="unseen">${readable(place.path === '' ? place.repository : place.path)} on ${readable(place.ref)}</h1>
<div class="place">${await branchPicker(api, view, place)} ${trail(place)} <span class="links">${links}</span></div>
${body}`;
}
