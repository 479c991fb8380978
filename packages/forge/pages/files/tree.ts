// The files of a folder, with its readme below them.
import { html } from 'hono/html';
import type { Api } from '../api.ts';
import { type Html, pager } from '../layout.ts';
import { markdown } from '../markdown/markdown.ts';
import { bytesOf, charsetOf, contentsAt, type Entry, size } from './contents.ts';
import { addressOf, type FilePlace, readable, textAt } from './place.ts';

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
  const body = /\.(?:md|markdown)$/i.test(found.name)
    ? markdown(text, { repository: place.repository, anchor: 'readme', file: textAt(to) })
    : html`<pre class="pad" tabindex="0">${text}</pre>`;
  return html`<article class="card"><h2><a href="${addressOf('blob', to)}">${found.name}</a></h2>${body}</article>`;
}
