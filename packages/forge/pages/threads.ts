// Comments on the lines of a pull request: threads with their replies, and the forms that begin one or answer.
import type { Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import { type Api, changeOf, field, idOf, numberOf, Refusal, repositoryOf, threadOf } from './api.ts';
import { author } from './conversation.ts';
import { anchorOf, changeTable } from './diff.ts';
import { form, type Html, when } from './layout.ts';
import { markdown, type Place } from './markdown/markdown.ts';
import type { reviewCommentJson } from '../pulls/pull-json.ts';
import { setResolved, type ThreadState } from './thread-states.ts';
import { noPreview, previewButton } from './forms.ts';

const fields = (repository: string, file: string, commit: string): Html =>
  html`<input type="hidden" name="path" value="${file}"><input type="hidden" name="commit" value="${commit}">
<p class="row lines"><label>Line <input name="line" inputmode="numeric" pattern="[1-9][0-9]*" required></label> <label>from line <input name="start" inputmode="numeric" pattern="[1-9][0-9]*"></label> <label>of the <select name="side"><option value="RIGHT">new</option><option value="LEFT">old</option></select> side</label></p>
<textarea name="body" rows="3" maxlength="65536" required aria-label="Comment on a line of ${file}" placeholder="Markdown"></textarea>
${noPreview}
<p class="buttons"><button class="primary">Comment on the line</button> ${previewButton(`/${repository}/preview`)}</p>`;

/** Below the changes of a file, on the commit that the person sees. `path`: of the pull request's page. */
export const lineForm = (c: Context, path: string, file: string, commit: string): Html =>
  html`<details class="pad"><summary>Comment on a line</summary>${form(c, `${path}/lines`, fields(repositoryOf(c), file, commit))}</details>`;

export type LineComment = ReturnType<typeof reviewCommentJson>;

/** A block of it as `markdown` leaves it. */
const block = /<pre tabindex="0"><code class="language-suggestion">([^<]*)<\/code><\/pre>/;

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The lines that are to stand there; none to remove what does. */
function replacedLines(shown: string): string[] {
  const text = unescaped(shown);
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The lines that a comment was written to; undefined where these are none of the new ones, or not all of its hunk. */
function linesBefore(comment: LineComment): string[] | undefined {
  const { diff_hunk, side, original_line: last, original_start_line: first } = comment;
  if (!last || side !== 'RIGHT') return undefined;
  const count = last - (first ?? last) + 1;
  const shown = diff_hunk.split('\n').slice(1);
  const own = shown.filter(line => /^[ +]/.test(line)).map(line => line.slice(1).replace(/\r$/, ''));
  return own.length >= count ? own.slice(-count) : undefined;
}

/** The text of a comment, with its suggestions shown as changes. */
async function textWithSuggestions(place: Place, comment: LineComment): Promise<Html> {
  const text = await markdown(comment.body ?? '', place);
  const parts = String(text).split(block);
  if (parts.length === 1) return text;
  const before = linesBefore(comment) ?? [];
  const start = comment.original_start_line ?? comment.original_line ?? 1;
  const change = (inside: string): Html =>
    html`<div class="suggestion"><p class="quiet suggested">Suggested change</p>${changeTable(before, replacedLines(inside), { file: comment.path, start })}</div>`;
  // Every other part is the inside of a block.
  return html`${parts.map((part, at) => (at % 2 === 0 ? raw(part) : change(part)))}`;
}

/** The comments on lines of a pull request, oldest first, and how the threads stand that they form. */
interface Threads {
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
    const place = html`<code>${begun.path}${linesOf(begun)}</code>${!begun.line && begun.original_line ? html` <span class="quiet">outdated</span>` : ''}`;
    const inside = html`${[begun, ...all.filter(each => each.in_reply_to_id === begun.id)].map(each => said(where, each))}
${form(
  c,
  `${path}/comments/${begun.id}/replies`,
  html`<textarea name="body" rows="2" maxlength="65536" required aria-label="Reply to ${begun.path}" placeholder="Reply"></textarea>${noPreview}<p class="buttons">${previewButton(`/${where.repository}/preview`, 'small')} ${state ? resolveButton(`${path}/threads/${begun.id}`, state) : ''} <button class="small">Reply</button></p>`,
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

/** As they were when it was written, where they have changed since. */
function linesOf({ line, start_line, original_line, original_start_line }: LineComment): string {
  const last = line ?? original_line;
  if (!last) return '';
  const first = line ? start_line : original_start_line;
  return first && first !== last ? `:${first}-${last}` : `:${last}`;
}

const said = (where: Omit<Place, 'anchor'>, comment: LineComment): Html =>
  html`<div class="reply"><p>${author(comment.user)} <span class="quiet">${when(comment.created_at)}</span></p>${textWithSuggestions({ ...where, anchor: `discussion_r${comment.id}` }, comment)}</div>`;

/** True if a review contains only replies, which are shown in the threads they belong to. */
export const isReply = (review: { id: number; body: string }, all: readonly LineComment[]): boolean => {
  const own = all.filter(each => each.pull_request_review_id === review.id);
  return review.body === '' && own.length > 0 && own.every(each => each.in_reply_to_id);
};

export function threadPages(app: Hono, api: Api) {
  changeOf(app, 'pull', 'lines', async (c, { pull }) => {
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
    await api.send('POST', `${pull}/comments`, comment).catch((error: unknown) => {
      if (!(error instanceof Refusal && /: line: invalid$/.test(error.message))) throw error;
      throw new Refusal(
        422,
        `Line ${line} of ${path} is not one that changed on that side, nor one of the three beside it: only these can be commented on.`,
      );
    });
  });

  app.post('/:owner/:repo/pull/:number/comments/:comment/replies', async c => {
    const { pull, page } = threadOf(c, 'pull');
    const id = idOf(c.req.param('comment'));
    await api.send('POST', `${pull}/comments/${id}/replies`, { body: await field(c, 'body') });
    return c.redirect(`${page}#discussion_r${id}`, 303);
  });

  app.post('/:owner/:repo/pull/:number/threads/:comment', async c => {
    const { pull, page } = threadOf(c, 'pull');
    const id = idOf(c.req.param('comment'));
    // Text typed before resolving is posted as a reply first.
    const body = await field(c, 'body');
    if (body.trim() !== '') await api.send('POST', `${pull}/comments/${id}/replies`, { body });
    await setResolved(api, await field(c, 'thread'), (await field(c, 'resolved')) === 'true');
    return c.redirect(`${page}#discussion_r${id}`, 303);
  });
}
