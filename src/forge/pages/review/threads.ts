// Comments on the lines of a pull request: threads with their replies, and the forms that begin one or answer.
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Api } from '../api.ts';
import { author, Comment } from '../conversation.ts';
import { anchorOf } from '../diff.ts';
import { form, type Html, when } from '../layout.ts';
import { markdown, type Place } from '../markdown/markdown.ts';
import { setResolved, type ThreadState } from './thread-states.ts';
import { noPreview, previewButton } from '../writing/forms.ts';
import { field, idOf, numberOf, repositoryOf } from '../request.ts';

export const LineComment = Comment.extend({
  pull_request_review_id: z.number().nullable(),
  in_reply_to_id: z.number().nullish(),
  path: z.string(),
  line: z.number().nullish(),
});
export type LineComment = z.infer<typeof LineComment>;

/** The comments on lines of a pull request, oldest first, and how the threads stand that they form. */
export interface Threads {
  /** Of the pull request's page. */
  path: string;
  all: readonly LineComment[];
  states: ReadonlyMap<number, ThreadState>;
}

/** The threads that a review began. One that is resolved is folded. */
export function threads(
  c: Context,
  where: Omit<Place, 'anchor'>,
  review: number,
  { path, all, states }: Threads,
): Html {
  const first = all.filter(each => each.pull_request_review_id === review && !each.in_reply_to_id);
  return html`${first.map(begun => {
    const state = states.get(begun.id);
    const place = html`<code>${begun.path}${begun.line ? `:${begun.line}` : ''}</code>`;
    const inside = html`${[begun, ...all.filter(each => each.in_reply_to_id === begun.id)].map(each => said(where, each))}
${form(
  c,
  `${path}/comments/${begun.id}/replies`,
  html`<textarea name="body" rows="2" maxlength="65536" required aria-label="Reply to ${begun.path}" placeholder="Reply" data-complete="@#"></textarea>${noPreview}<p class="buttons">${previewButton(`/${where.repository}/preview`, 'small')} ${state ? resolveButton(`${path}/threads/${begun.id}`, state) : ''} <button class="small">Reply</button></p>`,
  'pad',
)}`;
    const id = `discussion_r${begun.id}`;
    const link = html`<a href="#${anchorOf(begun.path)}">${place}</a>`;
    return state?.resolvedBy === undefined
      ? html`<div class="on-line" id="${id}"><p>${link}</p>${inside}</div>`
      : html`<details class="on-line" id="${id}"><summary>${place} <span class="quiet">resolved by ${state.resolvedBy}</span></summary><p>${link}</p>${inside}</details>`;
  })}`;
}

/** Sends the form of the reply elsewhere, whether there is a text in it or not. */
const resolveButton = (to: string, { id, resolvedBy }: ThreadState): Html =>
  html`<input type="hidden" name="thread" value="${id}"><button class="small" formaction="${to}" formnovalidate name="resolved" value="${resolvedBy === undefined}">${resolvedBy === undefined ? 'Resolve' : 'Unresolve'}</button>`;

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
<textarea name="body" rows="3" maxlength="65536" required aria-label="Comment on a line of ${file}" placeholder="Markdown; a suggestion stands in a block of \`\`\`suggestion" data-complete="@#"></textarea>
${noPreview}
<p class="buttons"><button>Comment on the line</button> ${previewButton(`/${repositoryOf(c)}/preview`)}</p>`,
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

  app.post('/:owner/:repo/pull/:number/threads/:comment', async c => {
    const { page, api: path } = at(c);
    const id = idOf(c.req.param('comment'));
    // What was typed is said with it.
    const body = await field(c, 'body');
    if (body.trim() !== '') await api.send('POST', `${path}/comments/${id}/replies`, { body });
    await setResolved(api, await field(c, 'thread'), (await field(c, 'resolved')) === 'true');
    return c.redirect(`${page}#discussion_r${id}`, 303);
  });

  return app;
}
