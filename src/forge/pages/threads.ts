// Comments on the lines of a pull request: threads with their replies, and the forms that begin one or answer.
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Api } from './api.ts';
import { author, Comment } from './conversation.ts';
import { anchorOf } from './diff.ts';
import { form, type Html, when } from './layout.ts';
import { markdown, type Place } from './markdown/markdown.ts';
import { field, idOf, numberOf, repositoryOf } from './request.ts';

export const LineComment = Comment.extend({
  pull_request_review_id: z.number().nullable(),
  in_reply_to_id: z.number().nullish(),
  path: z.string(),
  line: z.number().nullish(),
});
export type LineComment = z.infer<typeof LineComment>;

/** The threads that a review began; `all` are the comments of the pull request, oldest first. */
export function threads(
  c: Context,
  where: Omit<Place, 'anchor'>,
  { path, review, all }: { path: string; review: number; all: readonly LineComment[] },
): Html {
  const first = all.filter(each => each.pull_request_review_id === review && !each.in_reply_to_id);
  return html`${first.map(
    begun =>
      html`<div class="on-line" id="discussion_r${begun.id}"><p><a href="#${anchorOf(begun.path)}"><code>${begun.path}${begun.line ? `:${begun.line}` : ''}</code></a></p>
${[begun, ...all.filter(each => each.in_reply_to_id === begun.id)].map(each => said(where, each))}
${form(
  c,
  `${path}/comments/${begun.id}/replies`,
  html`<textarea name="body" rows="2" maxlength="65536" required aria-label="Reply to ${begun.path}" placeholder="Reply"></textarea><p class="buttons"><button class="small">Reply</button></p>`,
  'pad',
)}</div>`,
  )}`;
}

const said = (where: Omit<Place, 'anchor'>, { id, user, body, created_at }: LineComment): Html =>
  html`<div class="reply"><p>${author(user)} <span class="quiet">${when(created_at)}</span></p>${markdown(body ?? '', { ...where, anchor: `discussion_r${id}` })}</div>`;

/** Whether a review holds nothing but replies, which stand in the threads that others began. */
export const isReply = (review: { id: number; body: string }, all: readonly LineComment[]): boolean => {
  const own = all.filter(each => each.pull_request_review_id === review.id);
  return review.body === '' && own.length > 0 && own.every(each => each.in_reply_to_id);
};

/** Below the changes of a file, on the commit that the person sees. */
export const lineForm = (c: Context, path: string, file: string, commit: string): Html =>
  html`<details class="pad"><summary>Comment on a line</summary>${form(
    c,
    `${path}/lines`,
    html`<input type="hidden" name="path" value="${file}"><input type="hidden" name="commit" value="${commit}">
<p class="row"><label>Line <input name="line" inputmode="numeric" pattern="[1-9][0-9]*" required></label> <label>of the <select name="side"><option value="RIGHT">new</option><option value="LEFT">old</option></select> side</label></p>
<textarea name="body" rows="3" maxlength="65536" required aria-label="Comment on a line of ${file}" placeholder="Markdown; a suggestion stands in a block of \`\`\`suggestion"></textarea>
<p class="buttons"><button>Comment on the line</button></p>`,
  )}</details>`;

export function threadPages(api: Api) {
  const app = new Hono();
  const at = (c: Context) => {
    const [repository, number] = [repositoryOf(c), numberOf(c.req.param('number'))];
    return { api: `/repos/${repository}/pulls/${number}`, page: `/${repository}/pull/${number}` };
  };

  app.post('/:owner/:repo/pull/:number/lines', async c => {
    const { api: path, page } = at(c);
    await api.send('POST', `${path}/comments`, {
      path: await field(c, 'path'),
      line: numberOf(await field(c, 'line')),
      side: await field(c, 'side'),
      commit_id: await field(c, 'commit'),
      body: await field(c, 'body'),
    });
    return c.redirect(page, 303);
  });

  app.post('/:owner/:repo/pull/:number/comments/:comment/replies', async c => {
    const { api: path, page } = at(c);
    const id = idOf(c.req.param('comment'));
    await api.send('POST', `${path}/comments/${id}/replies`, { body: await field(c, 'body') });
    return c.redirect(`${page}#discussion_r${id}`, 303);
  });

  return app;
}
