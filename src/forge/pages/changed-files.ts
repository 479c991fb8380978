// The files that a pull request changes: as much of them as fits its page, and any one on a page of its own.
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Api, Refusal } from './api.ts';
import { anchorOf, fileDiff, fileDiffs, roomOfPage } from './diff.ts';
import { linesOf } from './files/blob.ts';
import { bytesOf, charsetOf, contentsAt } from './files/contents.ts';
import { type FilePlace, wholeFile } from './files/place.ts';
import { type Html, repositoryBar, show } from './layout.ts';
import { numberOf, repositoryOf } from './request.ts';
import { type Range, widened } from './widened.ts';
import { lineForm } from './review/line-form.ts';

export const ChangedFile = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.string().optional(),
});
type ChangedFile = z.infer<typeof ChangedFile>;

/** Files whose changes stand on the page of a pull request; the others are named there. */
const mostFiles = 50;
/** Fewer need no list above them. */
const fewFiles = 3;

/** The ends of a pull request. */
const Ends = z.object({ head: z.object({ sha: z.string() }), base: z.object({ sha: z.string() }) });
type Ends = z.infer<typeof Ends>;

/** What stands around the changes of a file. `open`: lines beside its changes that are shown already. */
const around = (
  c: Context,
  path: string,
  { head, base }: Ends,
  file: ChangedFile,
  open: readonly Range[] = [],
) => ({
  above: wholeFile(file, { repository: repositoryOf(c), ref: head.sha }, base.sha),
  below: lineForm(c, path, file.filename, head.sha),
  around: (lines: Range, anchor: number) => `${pageOf(path, file, [...open, lines])}#R${anchor}`,
});

/** Of one file, with these lines of it beside its changes. */
function pageOf(path: string, { filename }: ChangedFile, open: readonly Range[] = []): string {
  const query = new URLSearchParams({ path: filename });
  for (const { from, to } of open) query.append('open', `${from}-${to}`);
  return `${path}/file?${query.toString()}`;
}

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

const Pull = Ends.extend({ title: z.string() });

export function changedFilePages(api: Api) {
  const app = new Hono();

  app.get('/:owner/:repo/pull/:number/file', async c => {
    const repository = repositoryOf(c);
    const number = numberOf(c.req.param('number'));
    const at = `/repos/${repository}/pulls/${number}`;
    const [pull, files] = await Promise.all([api.get(at, Pull), api.all(`${at}/files`, ChangedFile)]);
    const file = files.items.find(({ filename }) => filename === c.req.query('path'));
    if (!file) throw new Refusal(404, `The pull request changes no file ${c.req.query('path')}`);
    const path = `/${repository}/pull/${number}`;
    const open = (c.req.queries('open') ?? []).slice(0, mostRanges).flatMap(each => linesOf(each) ?? []);
    const place = { repository, ref: pull.head.sha, path: file.filename };
    const shown = await withContext(api, place, file, open);
    return show(
      c,
      `${file.filename} · #${number} · ${repository}`,
      html`${repositoryBar(repository, 'Pull requests')}
<h1><a href="${path}#${anchorOf(file.filename)}">${pull.title}</a> <span class="number">#${number}</span></h1>
${fileDiff(shown.file, { ...around(c, path, pull, file, open), room: roomOfPage, alone: shown })}`,
    );
  });

  return app;
}

/** Ranges of one address: each click on a link adds one. */
const mostRanges = 100;

/** With unchanged lines in its patch, where the file is a text that can be read. */
async function withContext(
  api: Api,
  place: FilePlace,
  file: ChangedFile,
  open: readonly Range[],
): Promise<{ file: ChangedFile; length?: number }> {
  if (open.length === 0 || file.patch === undefined || file.status === 'removed') return { file };
  const found = await contentsAt(api, place);
  const bytes = Array.isArray(found) ? undefined : bytesOf(found);
  if (!bytes || !charsetOf(bytes)) return { file };
  const lines = bytes.toString().replace(/\n$/, '').split('\n');
  return { file: { ...file, patch: widened(file.patch, lines, open) }, length: lines.length };
}
