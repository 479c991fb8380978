// The pages of the files of a branch, tag or commit: folders, files, their bytes, their history, and single commits.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { commitJson } from '../../repositories/commit-json.ts';
import { type Api, Refusal, numberOf, repositoryOf } from '../api.ts';
import { type ChangedFile, fileDiffs } from '../diff.ts';
import { pager, repositoryBar, show, when } from '../layout.ts';
import { fileView, linesOf } from './blob.ts';
import { bytesOf, charsetOf, contentsAt, isMarkdown, size } from './contents.ts';
import { frame, tree } from './frame.ts';
import { addressOf, contentsOf, placeOf, readable, wholeFile } from './place.ts';

type Commit = ReturnType<typeof commitJson>;
type WholeCommit = Commit & { files: ChangedFile[] };

/** Files of a commit whose changes are shown. */
const mostFiles = 50;

const pageOf = (c: Context): number => numberOf(c.req.query('page') ?? '1');

export function filePages(app: Hono, api: Api) {
  app.get('/:owner/:repo/tree/:rest{[^]+}', async c => {
    const place = await placeOf(api, c);
    const found = await contentsAt(api, place);
    if (!Array.isArray(found)) return c.redirect(addressOf('blob', place), 302);
    const links = html`<a href="${addressOf('commits', place)}">History</a>`;
    const body = tree(api, place, found, pageOf(c));
    return show(c, titleOf(place), await frame(api, 'tree', place, { links, body: await body }));
  });

  app.get('/:owner/:repo/blob/:rest{[^]+}', async c => {
    const place = await placeOf(api, c);
    const asked = linesOf(c.req.query('go'));
    if (asked) return c.redirect(`?lines=${asked.from}-${asked.to}#L${asked.from}`, 302);
    const file = await contentsAt(api, place);
    if (Array.isArray(file)) return c.redirect(addressOf('tree', place), 302);
    const lines = linesOf(c.req.query('lines'));
    const plain = c.req.query('plain') !== undefined;
    const here = addressOf('blob', place);
    const rendered = isMarkdown(place.path)
      ? plain || lines
        ? html`<a href="${here}">Rendered</a>`
        : html`<a href="${here}?plain=1">Source</a>`
      : '';
    const permanent =
      place.sha === undefined || place.sha === place.ref
        ? ''
        : html`<a href="${addressOf('blob', { ...place, ref: place.sha })}">Permalink</a>`;
    const links = html`<span class="quiet">${size(file.size)}</span> ${rendered} <a href="${addressOf('raw', place)}">Raw</a> <a href="${addressOf('commits', place)}">History</a> ${permanent}
<form class="go"><label>Lines <input name="go" size="9" placeholder="10-20" required pattern="\\s*L?[0-9]+(\\s*-\\s*L?[0-9]+)?\\s*"></label> <button class="small">Go</button></form>`;
    const body = html`${fileView(place, file, { plain, page: pageOf(c), lines })}`;
    return show(c, titleOf(place), await frame(api, 'blob', place, { links, body }));
  });

  app.get('/:owner/:repo/raw/:rest{[^]+}', async c => {
    const place = await placeOf(api, c);
    const file = await contentsAt(api, place);
    if (Array.isArray(file) || file.type === 'submodule') throw new Refusal(404, 'No file is there.');
    const bytes = bytesOf(file) ?? (await api.bytes(contentsOf(place)));
    // Nothing of it runs here, and no page may show it as one of its parts.
    c.header('Content-Security-Policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
    const charset = charsetOf(bytes);
    c.header('Content-Type', charset ? `text/plain; charset=${charset}` : 'application/octet-stream');
    c.header('Content-Disposition', charset ? 'inline' : 'attachment');
    return c.body(new Uint8Array(bytes));
  });

  app.get('/:owner/:repo/commits/:rest{[^]+}', async c => {
    const place = await placeOf(api, c);
    const number = pageOf(c);
    const query = new URLSearchParams({ sha: place.ref, ...(place.path !== '' && { path: place.path }) });
    const { items, more } = await api.page<Commit>(`/repos/${place.repository}/commits?${query}`, number);
    const links = html`<a href="${addressOf('tree', place)}">Files</a>`;
    const body = html`${
      items.length === 0
        ? html`<p class="empty">No commit changed it.</p>`
        : html`<ul class="list">${items.map(
            ({ sha, commit }) =>
              html`<li><a href="/${place.repository}/commit/${sha}"><code>${sha.slice(0, 7)}</code></a><div>${commit.message.split('\n')[0]}<p class="quiet">${commit.author?.name ?? ''} ${when(commit.author?.date ?? null)}</p></div>
<a href="${addressOf('tree', { ...place, ref: sha })}" aria-label="Files at ${sha.slice(0, 7)}">files</a></li>`,
          )}</ul>`
    }${pager(addressOf('commits', place), number, more)}`;
    return show(c, `History of ${titleOf(place)}`, await frame(api, 'commits', place, { links, body }));
  });

  app.get('/:owner/:repo/commit/:ref', async c => {
    const repository = repositoryOf(c);
    const path = `/repos/${repository}/commits/${encodeURIComponent(c.req.param('ref'))}`;
    const { sha, commit, parents, files } = await api.get<WholeCommit>(path);
    const [first = '', ...others] = commit.message.split('\n');
    const text = others.join('\n').trim();
    const top = { repository, ref: sha, path: '' };
    return show(
      c,
      `${first} · ${repository}`,
      html`${repositoryBar(repository, 'Code')}
<h1>${first}</h1>
${text === '' ? '' : html`<pre class="message">${text}</pre>`}
<p class="summary">${commit.author?.name ?? ''} ${when(commit.author?.date ?? null)} · commit <code>${sha.slice(0, 7)}</code>${parents.map(parent => html`, parent <a href="/${repository}/commit/${parent.sha}"><code>${parent.sha.slice(0, 7)}</code></a>`)} · <a href="${addressOf('tree', top)}">Files</a></p>
${fileDiffs(files.slice(0, mostFiles), file => ({ above: wholeFile(file, { repository, ref: sha }, parents[0]?.sha) }))}
${files.length > mostFiles ? html`<p class="quiet">${files.length - mostFiles} more files changed.</p>` : ''}`,
    );
  });
}

const titleOf = ({ repository, ref, path }: { repository: string; ref: string; path: string }): string =>
  `${readable(path === '' ? ref : `${path} at ${ref}`)} · ${repository}`;
