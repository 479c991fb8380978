// The form that begins a thread on lines of a changed file.
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { type Api, Refusal } from '../api.ts';
import { form, type Html } from '../layout.ts';
import { noPreview, previewButton } from '../writing/forms.ts';
import { field, numberOf, repositoryOf } from '../request.ts';

const fields = (repository: string, file: string, commit: string): Html =>
  html`<input type="hidden" name="path" value="${file}"><input type="hidden" name="commit" value="${commit}">
<p class="row lines"><label>Line <input name="line" inputmode="numeric" pattern="[1-9][0-9]*" required></label> <label>from line <input name="start" inputmode="numeric" pattern="[1-9][0-9]*"></label> <label>of the <select name="side"><option value="RIGHT">new</option><option value="LEFT">old</option></select> side</label></p>
<textarea name="body" rows="3" maxlength="65536" required aria-label="Comment on a line of ${file}" placeholder="Markdown"></textarea>
${noPreview}
<p class="buttons"><button class="primary">Comment on the line</button> ${previewButton(`/${repository}/preview`)}</p>`;

/** Below the changes of a file, on the commit that the person sees. `path`: of the pull request's page. */
export const lineForm = (c: Context, path: string, file: string, commit: string): Html =>
  html`<details class="pad"><summary>Comment on a line</summary>${form(c, `${path}/lines`, fields(repositoryOf(c), file, commit))}</details>`;

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

  return app;
}
