// One issue: what was said, its labels, its parent and its sub-issues; and the forms that change it.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { type Api, changeOf, field, threadOf } from './api.ts';
import { author, card, commentForm, type Issue, labelBox, labelNames, type Comment } from './conversation.ts';
import { commentList, readComments, shownOf } from './comment-list.ts';
import { type IssueRuns, runLink } from './issue-run/issue-run.ts';
import { type Html, repositoryBar, show, stateBadge, stateOf, when, form } from './layout.ts';
import { issuesNamed } from './markdown/reference.ts';
import { noPreview, preview } from './forms.ts';

/** A comment as `QuickReplies` is asked about it. */
interface Posted {
  /** Later comments have higher ones. */
  id: number;
  /** Login; a bot's ends with `[bot]`, which no person's can. */
  author: string;
  edited: boolean;
  body: string;
}

/** A line to say. `field`: something is to be filled in, which stands behind the line; this is asked for it. */
interface QuickReply {
  label: string;
  line: string;
  field?: string;
  main?: true;
}

/** Given by whoever serves the forge: what each comment of a thread (by its id) offers now. */
export type QuickReplies = (thread: readonly Posted[]) => ReadonlyMap<number, readonly QuickReply[]>;

/** By the id of a comment: its buttons. Nothing is offered while the last word is one of them, said by the person. */
function quickReplyForms(
  c: Context,
  path: string,
  comments: readonly Comment[],
  quickReplies: QuickReplies,
): ReadonlyMap<number, Html> {
  const thread = comments.map(({ id, user, body, created_at, updated_at }) => ({
    id,
    author: user?.login ?? '',
    edited: created_at !== updated_at,
    body: body ?? '',
  }));
  const actor = c.get('actor');
  const last = thread.at(-1);
  const isSaid = ({ line }: QuickReply) =>
    last?.author === actor && `${last.body.trim()} `.startsWith(`${line} `);
  return new Map(
    [...quickReplies(thread)]
      .filter(([, offered]) => !offered.some(isSaid))
      .map(([id, offered]) => [id, replyRow(c, path, id, offered)]),
  );
}

const replyRow = (c: Context, path: string, id: number, offered: readonly QuickReply[]): Html =>
  html`<div class="quick-replies row" id="replies-${id}" role="group" aria-label="Answer by clicking">${offered.map(
    ({ label, line, field, main }, index) =>
      form(
        c,
        `${path}/comments`,
        html`<input type="hidden" name="body" value="${line}">${field === undefined ? '' : html`<label for="reply-${id}-${index}">${field}</label><input id="reply-${id}-${index}" name="rest" required maxlength="4000" autocomplete="off">`}<button class="${main ? 'primary' : ''}" title="Says ${line}${field === undefined ? '' : ' …'}">${label}</button>`,
        'row',
      ),
  )}</div>`;

export function issuePages(
  app: Hono,
  api: Api,
  quickReplies: QuickReplies,
  runs: Pick<IssueRuns, 'isShownIn'> | undefined,
) {
  app.get('/:owner/:repo/issues/:number', async c => {
    const { repository, number, page: path, issue: at } = threadOf(c, 'issues');
    const issue = await api.get<Issue>(at);
    if (issue.pull_request !== undefined) return c.redirect(`/${repository}/pull/${number}`, 302);
    const [comments, children, blockers, parent, known] = await Promise.all([
      readComments(c, api, { path: at, comments: issue.comments }),
      api.all<Issue>(`${at}/sub_issues`),
      api.all<Issue>(`${at}/dependencies/blocked_by`),
      api.find<Issue>(`${at}/parent`),
      labelNames(api, repository),
    ]);
    const texts = [issue, ...shownOf(c, comments)].map(({ body }) => body ?? '');
    const where = { repository, known: await issuesNamed(api, repository, texts) };
    const replies = quickReplyForms(
      c,
      path,
      comments.filter(each => each !== undefined),
      quickReplies,
    );
    const said = comments.map(
      each =>
        each && {
          ...each,
          anchor: `issuecomment-${each.id}`,
          did: 'commented',
          more: replies.get(each.id),
        },
    );
    const place = { repository, number, comments, parent: parent?.number };
    const run = runs ? await runLink(api, runs, place) : '';
    return show(
      c,
      `${issue.title} · #${number} · ${repository}`,
      html`${repositoryBar(repository, 'Issues')}
<h1>${issue.title} <span class="number">#${number}</span></h1>
<p class="summary">${stateBadge(stateOf(issue))} ${author(issue.user)} opened this ${when(issue.created_at)}, ${issue.comments} comment${issue.comments === 1 ? '' : 's'}</p>
<div class="columns"><div>
${card(where, { ...issue, anchor: `issue-${issue.id}`, did: 'opened this', updated_at: undefined })}
${commentList(c, where, said)}
${commentForm(c, path, { state: stateOf(issue), what: 'issue', shown: noPreview })}
</div><aside>
${run}
${labelBox(c, path, issue.labels, known)}
${parent === undefined ? '' : html`<section><h2>Parent</h2>${family(repository, [parent])}</section>`}
${blockers.items.length === 0 ? '' : html`<section><h2>Blocked by</h2>${family(repository, blockers.items)}</section>`}
${children.items.length === 0 ? '' : html`<section><h2>Sub-issues</h2><p class="quiet">${children.items.filter(({ state }) => state === 'closed').length} of ${children.items.length} closed</p>${family(repository, children.items)}</section>`}
${issue.assignees.length === 0 ? '' : html`<section><h2>Assignees</h2><p>${issue.assignees.map(({ login }) => login).join(', ')}</p></section>`}
</aside></div>`,
    );
  });

  // Comments, labels and state are the same for issues and pull requests, as in the API.
  for (const place of ['issues', 'pull'] as const) {
    changeOf(app, place, 'comments', async (c, { issue }) => {
      const [said, turn] = [await field(c, 'body'), await field(c, 'turn')];
      // One line: what is filled in behind a command begins no other one.
      const rest = (await field(c, 'rest')).replace(/\s+/g, ' ').trim();
      const body = rest === '' ? said : `${said} ${rest}`;
      if (body.trim() !== '' || turn === '') await api.send('POST', `${issue}/comments`, { body });
      if (turn === 'close' || turn === 'reopen')
        await api.send('PATCH', issue, { state: turn === 'close' ? 'closed' : 'open' });
    });

    app.post(`/:owner/:repo/${place}/:number/preview`, async c => {
      const { repository, page, issue: path } = threadOf(c, place);
      const issue = await api.get<Issue>(path);
      const text = await field(c, 'body');
      return show(
        c,
        `Preview · #${issue.number} · ${repository}`,
        html`${repositoryBar(repository, place === 'issues' ? 'Issues' : 'Pull requests')}
<h1><a href="${page}">${issue.title}</a> <span class="number">#${issue.number}</span></h1>
${commentForm(c, page, { state: stateOf(issue), what: place === 'issues' ? 'issue' : 'pull request', shown: await preview(api, repository, text), text })}`,
      );
    });

    changeOf(app, place, 'labels', async (c, { issue }) =>
      api.send('POST', `${issue}/labels`, { labels: [await field(c, 'label')] }),
    );
    changeOf(app, place, 'labels/remove', async (c, { issue }) =>
      api.send('DELETE', `${issue}/labels/${encodeURIComponent(await field(c, 'label'))}`),
    );
  }
}

function family(repository: string, issues: Issue[]): Html {
  return html`<ul class="plain">${issues.map(
    issue =>
      html`<li>${stateBadge(stateOf(issue))} <a href="/${repository}/issues/${issue.number}">${issue.title}</a> <span class="quiet">#${issue.number}</span></li>`,
  )}</ul>`;
}
