// The files that a pull request changes: as much of them as fits its page, and any one on a page of its own.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { pullJson } from '../pulls/pull-json.ts';
import { type Api, Refusal, repositoryOf, threadOf } from './api.ts';
import { anchorOf, type ChangedFile, fileDiff, fileDiffs, roomOfPage } from './diff.ts';
import { wholeFile } from './files/place.ts';
import { type Html, repositoryBar, show } from './layout.ts';
import { lineForm } from './threads.ts';

/** Files whose changes stand on the page of a pull request; the others are named there. */
const mostFiles = 50;
/** Fewer need no list above them. */
const fewFiles = 3;

/** The ends of a pull request. */
type Pull = ReturnType<typeof pullJson>;
type Ends = Pick<Pull, 'head' | 'base'>;

/** Shown above and below the changes of a file. */
const around = (c: Context, path: string, { head, base }: Ends, file: ChangedFile) => ({
  above: wholeFile(file, { repository: repositoryOf(c), ref: head.sha }, base.sha),
  below: lineForm(c, path, file.filename, head.sha),
});

/** The page of one file. */
const pageOf = (path: string, { filename }: ChangedFile): string =>
  `${path}/file?${new URLSearchParams({ path: filename }).toString()}`;

/** `path`: of the pull request's page. */
export function changedFiles(c: Context, path: string, ends: Ends, files: readonly ChangedFile[]): Html {
  const named = files.map((file, at) => {
    const to = at < mostFiles ? `#${anchorOf(file.filename)}` : pageOf(path, file);
    return html`<li><a href="${to}"><code>${file.filename}</code></a></li>`;
  });
  const shown = fileDiffs(files.slice(0, mostFiles), file => ({
    ...around(c, path, ends, file),
    whole: pageOf(path, file),
  }));
  return html`${files.length > fewFiles ? html`<ul class="plain">${named}</ul>` : ''}
${shown}
${files.length > mostFiles ? html`<p class="quiet">The changes of ${files.length - mostFiles} more files are not shown here.</p>` : ''}`;
}

export function changedFilePages(app: Hono, api: Api) {
  app.get('/:owner/:repo/pull/:number/file', async c => {
    const { repository, number, page: path, pull: at } = threadOf(c, 'pull');
    const [pull, files] = await Promise.all([api.get<Pull>(at), api.all<ChangedFile>(`${at}/files`)]);
    const file = files.items.find(({ filename }) => filename === c.req.query('path'));
    if (!file) throw new Refusal(404, `The pull request changes no file ${c.req.query('path')}`);
    return show(
      c,
      `${file.filename} · #${number} · ${repository}`,
      html`${repositoryBar(repository, 'Pull requests')}
<h1><a href="${path}#${anchorOf(file.filename)}">${pull.title}</a> <span class="number">#${number}</span></h1>
${fileDiff(file, { ...around(c, path, pull, file), room: roomOfPage })}`,
    );
  });
}
