// Frame of the file pages: branch, path, and links to the other views.
import { html } from 'hono/html';
import type { Api } from '../api.ts';
import { type Html, repositoryBar, pager } from '../layout.ts';
import { addressOf, type FilePlace, readable, type View, textAt } from './place.ts';
import { markdown } from '../markdown/markdown.ts';
import { bytesOf, charsetOf, contentsAt, type Entry, isMarkdown, size } from './contents.ts';

/** Entries of one page. */
const shownAtOnce = 500;
/** Bytes of a readme that are rendered; a longer one is only linked. */
const longestReadme = 200_000;

/** Of page `number` of the entries, which may be many. */
export async function tree(api: Api, place: FilePlace, entries: Entry[], number = 1): Promise<Html> {
  const folders = entries.filter(({ type }) => type === 'dir');
  const sorted = [...folders, ...entries.filter(({ type }) => type !== 'dir')];
  const shown = sorted.slice((number - 1) * shownAtOnce, number * shownAtOnce);
  const more = sorted.length > number * shownAtOnce;
  return html`${
    entries.length === 0
      ? html`<p class="empty">No files.</p>`
      : html`<ul class="list files">${shown.map(entry => row(place, entry))}</ul>`
  }
${pager(addressOf('tree', place), number, more, ['Before', 'After'])}
${await readme(api, place, entries)}`;
}

function row(place: FilePlace, { type, name, path, sha, size: bytes }: Entry): Html {
  const to = { ...place, path };
  if (type === 'submodule')
    return html`<li class="is-submodule"><div>${readable(name)} <span class="quiet">submodule at ${sha.slice(0, 7)}</span></div></li>`;
  const link = html`<a href="${addressOf(type === 'dir' ? 'tree' : 'blob', to)}">${readable(name)}</a>`;
  const note = type === 'symlink' ? 'symbolic link' : type === 'dir' ? '' : size(bytes);
  return html`<li class="is-${type}"><div>${link}</div><span class="quiet">${note}</span></li>`;
}

/** Rendered where it is Markdown, as it stands otherwise. */
async function readme(api: Api, place: FilePlace, entries: Entry[]): Promise<Html> {
  const named = (pattern: RegExp) => entries.find(({ type, name }) => type === 'file' && pattern.test(name));
  const found = named(/^readme\.(?:md|markdown)$/i) ?? named(/^readme(?:\.txt)?$/i);
  if (!found) return html``;
  const to = { ...place, path: found.path };
  const file = await contentsAt(api, to);
  if (Array.isArray(file)) return html``;
  const bytes = bytesOf(file);
  if (!bytes || bytes.length > longestReadme || !charsetOf(bytes)) return html``;
  const text = bytes.toString();
  const body = isMarkdown(found.name)
    ? markdown(text, { repository: place.repository, anchor: 'readme', file: textAt(to) })
    : html`<pre class="pad" tabindex="0">${text}</pre>`;
  return html`<article class="card"><h2><a href="${addressOf('blob', to)}">${found.name}</a></h2>${body}</article>`;
}

/** A list of branches that lead to the same place of each; one beyond the first page can be reached by its address. */
export async function branchPicker(api: Api, view: View, place: FilePlace): Promise<Html> {
  const { items, more } = await api.page<{ name: string }>(`/repos/${place.repository}/branches`);
  const name = /^[\da-f]{40}$/.test(place.ref) ? place.ref.slice(0, 7) : place.ref;
  return html`<details class="branches"><summary class="button">${readable(name)}<span class="unseen">: other branches</span></summary><ul>${items.map(
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
