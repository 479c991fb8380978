// The form that begins a thread on lines of a changed file, with a suggestion for them if one is asked for.
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Api, Refusal } from '../api.ts';
import { anchorOf } from '../diff.ts';
import { bytesOf, charsetOf, contentsAt } from '../files/contents.ts';
import { form, type Html, repositoryBar, show } from '../layout.ts';
import { noPreview, previewButton } from '../writing/forms.ts';
import { field, numberOf, repositoryOf } from '../request.ts';

interface Written {
  /** Where it begins, empty for one line. */
  start: string;
  line: string;
  side: string;
  body: string;
}

const fields = (repository: string, path: string, file: string, commit: string, written?: Written): Html =>
  html`<input type="hidden" name="path" value="${file}"><input type="hidden" name="commit" value="${commit}">
<p class="row lines"><label>Line <input name="line" inputmode="numeric" pattern="[1-9][0-9]*" required value="${written?.line}"></label> <label>from line <input name="start" inputmode="numeric" pattern="[1-9][0-9]*" value="${written?.start}"></label> <label>of the <select name="side"><option value="RIGHT">new</option><option value="LEFT"${written?.side === 'LEFT' ? html` selected` : ''}>old</option></select> side</label></p>
<textarea name="body" rows="${written ? 10 : 3}" maxlength="65536" required aria-label="Comment on a line of ${file}" placeholder="Markdown">
${written?.body}</textarea>
${noPreview}
<p class="buttons"><button class="primary">Comment on the line</button> ${previewButton(`/${repository}/preview`)} <button formaction="${path}/lines/suggestion" formnovalidate>Insert suggestion</button></p>`;

/** Below the changes of a file, on the commit that the person sees. `path`: of the pull request's page. */
export const lineForm = (c: Context, path: string, file: string, commit: string): Html =>
  html`<details class="pad"><summary>Comment on a line</summary>${form(c, `${path}/lines`, fields(repositoryOf(c), path, file, commit))}</details>`;

const Pull = z.object({ title: z.string() });

export function lineFormPages(api: Api) {
  const app = new Hono();

  app.post('/:owner/:repo/pull/:number/lines', async c => {
    const [repository, number] = [repositoryOf(c), numberOf(c.req.param('number'))];
    const [start, line] = [await field(c, 'start'), numberOf(await field(c, 'line'))];
    const path = await field(c, 'path');
    const comment = {
      path,
      line,
      ...(start !== '' && numberOf(start) !== line && { start_line: numberOf(start) }),
      side: await field(c, 'side'),
      commit_id: await field(c, 'commit'),
      body: await field(c, 'body'),
    };
    await api
      .send('POST', `/repos/${repository}/pulls/${number}/comments`, comment)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal && /: line: invalid$/.test(error.message))) throw error;
        throw new Refusal(
          422,
          `Line ${line} of ${path} is not one that changed on that side, nor one of the three beside it: only these can be commented on.`,
        );
      });
    return c.redirect(`/${repository}/pull/${number}`, 303);
  });

  // A page that is renewed asks for its own address again.
  app.get('/:owner/:repo/pull/:number/lines/suggestion', c =>
    c.redirect(`/${repositoryOf(c)}/pull/${numberOf(c.req.param('number'))}`, 303),
  );
  app.post('/:owner/:repo/pull/:number/lines/suggestion', async c => {
    const [repository, number] = [repositoryOf(c), numberOf(c.req.param('number'))];
    const [file, commit] = [await field(c, 'path'), await field(c, 'commit')];
    const [start, line, side] = [await field(c, 'start'), await field(c, 'line'), await field(c, 'side')];
    if (side !== 'RIGHT') throw new Refusal(422, 'Only lines that stand after the change can be replaced.');
    const to = numberOf(line);
    const from = start === '' ? to : numberOf(start);
    const [pull, lines] = await Promise.all([
      api.get(`/repos/${repository}/pulls/${number}`, Pull),
      linesAt(api, { repository, ref: commit, path: file }, from, to),
    ]);
    const typed = (await field(c, 'body')).trimEnd();
    const body = `${typed}${typed === '' ? '' : '\n\n'}${suggestionOf(lines)}`;
    const path = `/${repository}/pull/${number}`;
    return show(
      c,
      `Suggestion · #${number} · ${repository}`,
      html`${repositoryBar(repository, 'Pull requests')}
<h1><a href="${path}#${anchorOf(file)}">${pull.title}</a> <span class="number">#${number}</span></h1>
<section class="card"><h2>Suggest other lines for <code>${file}:${from === to ? to : `${from}-${to}`}</code></h2>${form(c, `${path}/lines`, fields(repository, path, file, commit, { start, line, side, body }), 'pad')}</section>`,
    );
  });

  return app;
}

/** Of a file in UTF-8. Throws Refusal 422 where it has no such lines. */
async function linesAt(
  api: Api,
  place: { repository: string; ref: string; path: string },
  from: number,
  to: number,
): Promise<string[]> {
  const file = await contentsAt(api, place);
  const bytes = Array.isArray(file) ? undefined : bytesOf(file);
  if (!bytes || charsetOf(bytes) !== 'utf-8')
    throw new Refusal(422, `${place.path} is no text in UTF-8 of at most 1 MB.`);
  const all = bytes.toString().replace(/\n$/, '').split('\n');
  if (from > to || to > all.length)
    throw new Refusal(422, `${place.path} has no lines ${from} to ${to}: it has ${all.length}.`);
  return all.slice(from - 1, to).map(line => line.replace(/\r$/, ''));
}

/** A block that suggests these lines, fenced by more than they hold. */
function suggestionOf(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.map(line => /^\s*(`*)/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}suggestion`, ...lines, fence, ''].join('\n');
}
