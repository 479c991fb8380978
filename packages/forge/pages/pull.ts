// One pull request: what was said, its checks, commits and diff; and the forms to review, ready and merge it.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { type Api, changeOf, field, threadOf } from './api.ts';
import type { commitJson } from '../repositories/commit-json.ts';
import type { pullJson, reviewJson } from '../pulls/pull-json.ts';
import { asCheck, type Checks, checks, type Statuses } from './checks.ts';
import {
  author,
  type Comment,
  card,
  commentForm,
  type Issue,
  labelBox,
  labelNames,
  type Said,
} from './conversation.ts';
import { changedFiles } from './changed-files.ts';
import type { ChangedFile } from './diff.ts';
import { commentList } from './comment-list.ts';
import { addressOf } from './files/place.ts';
import { form, type Html, repositoryBar, show, stateBadge, stateOf, when } from './layout.ts';
import type { Place } from './markdown/markdown.ts';
import { issuesNamed } from './markdown/reference.ts';
import { noPreview, previewButton } from './forms.ts';
import { threadStates } from './thread-states.ts';
import { type LineComment, isReply, threads } from './threads.ts';

type PullJson = ReturnType<typeof pullJson>;
type Pull = PullJson & Pick<Issue, 'pull_request'>;
type Commit = ReturnType<typeof commitJson>;
type Review = ReturnType<typeof reviewJson>;

type Where = Omit<Place, 'anchor'>;

export function pullPages(app: Hono, api: Api) {
  app.get('/:owner/:repo/pull/:number', async c => {
    const { repository, number, page: path, pull: at } = threadOf(c, 'pull');
    const found = await api.get<PullJson>(at);
    const pull = { ...found, pull_request: { merged_at: found.merged_at } };
    const [{ where, said }, files, commits, runs, statuses, known] = await Promise.all([
      saidOn(c, api, repository, pull),
      api.all<ChangedFile>(`${at}/files`),
      api.all<Commit>(`${at}/commits`),
      api.get<Checks>(`/repos/${repository}/commits/${pull.head.sha}/check-runs?per_page=100`),
      api.get<Statuses>(`/repos/${repository}/commits/${pull.head.sha}/status?per_page=100`),
      labelNames(api, repository),
    ]);
    const shown = [...runs.check_runs, ...statuses.statuses.map(asCheck)];
    return show(
      c,
      `${pull.title} · #${number} · ${repository}`,
      html`${repositoryBar(repository, 'Pull requests')}
<h1>${pull.title} <span class="number">#${number}</span></h1>
<p class="summary">${stateBadge(stateOf(pull))} ${merging(repository, pull)}</p>
<nav class="tabs" aria-label="Parts"><a href="#conversation">Conversation</a> <a href="#checks">Checks ${shown.length}</a> <a href="#commits">Commits ${pull.commits}</a> <a href="#files">Files ${pull.changed_files}</a></nav>
<div class="columns"><div id="conversation">
${card(where, { ...pull, anchor: `pull-${pull.id}`, did: 'opened this', updated_at: undefined })}
${commentList(c, where, said)}
${checks(shown)}
${pull.state === 'open' ? actions(pull, content => form(c, path + content.to, content.body, 'row')) : ''}
${commentForm(c, path, { state: stateOf(pull), what: 'pull request', shown: noPreview })}
</div><aside>
${labelBox(c, path, pull.labels, known)}
<section><h2>Review</h2>${form(
        c,
        `${path}/reviews`,
        html`<textarea name="body" rows="4" maxlength="65536" aria-label="Review" placeholder="What you found"></textarea>
${noPreview}
<p class="buttons">${previewButton(`/${repository}/preview`)} <button name="event" value="COMMENT">Comment</button> ${pull.user?.login === c.get('actor') ? '' : verdicts}</p>`,
      )}</section>
</aside></div>
<section id="commits"><h2>Commits</h2><ul class="list">${commits.items.map(
        ({ sha, commit }) =>
          html`<li><a href="/${repository}/commit/${sha}"><code>${sha.slice(0, 7)}</code></a><div>${commit.message.split('\n')[0]} <span class="quiet">${commit.author?.name ?? ''}</span></div></li>`,
      )}</ul></section>
<section id="files"><h2>Files <span class="count"><ins>+${pull.additions}</ins> <del>−${pull.deletions}</del></span></h2>
${changedFiles(c, path, pull, files.items)}
${files.more ? html`<p class="quiet">More files than are shown here.</p>` : ''}</section>`,
    );
  });

  changeOf(app, 'pull', 'reviews', async (c, { pull }) => {
    const [event, body] = [await field(c, 'event'), await field(c, 'body')];
    await api.send('POST', `${pull}/reviews`, { event, body });
  });
  // The head that the person saw: a later push is not merged unseen.
  changeOf(app, 'pull', 'merge', async (c, { pull }) =>
    api.send('PUT', `${pull}/merge`, { sha: await field(c, 'sha') }),
  );
  changeOf(app, 'pull', 'ready', async c =>
    api.graphql(
      'mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }',
      { id: await field(c, 'id') },
    ),
  );
}

/** Not offered on one's own pull request, where GitHub refuses them. */
const verdicts = html`<button name="event" value="REQUEST_CHANGES">Request changes</button> <button class="primary" name="event" value="APPROVE">Approve</button>`;

const verdictWords: Partial<Record<Review['state'], string>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'requested changes',
};

/** Comments and reviews in the order they were made; a review carries its comments on lines. */
async function saidOn(
  c: Context,
  api: Api,
  repository: string,
  pull: Pull,
): Promise<{ where: Where; said: Said[] }> {
  const { number } = pull;
  const at = `/repos/${repository}/pulls/${number}`;
  const [comments, reviews, lines, states] = await Promise.all([
    api.all<Comment>(`/repos/${repository}/issues/${number}/comments`),
    api.all<Review>(`${at}/reviews`),
    api.all<LineComment>(`${at}/comments`),
    threadStates(api, repository, number),
  ]);
  const texts = [pull, ...comments.items, ...reviews.items, ...lines.items].map(({ body }) => body ?? '');
  const where = { repository, known: await issuesNamed(api, repository, texts) };
  const path = `/${repository}/pull/${number}`;
  const said: Said[] = [
    ...comments.items.map(each => ({ ...each, anchor: `issuecomment-${each.id}`, did: 'commented' })),
    ...reviews.items
      .filter(review => !isReply(review, lines.items))
      .map(review => ({
        ...review,
        anchor: `pullrequestreview-${review.id}`,
        did: verdictWords[review.state] ?? 'reviewed',
        created_at: review.submitted_at ?? '',
        more: threads(c, where, review.id, { path, all: lines.items, states }),
      })),
  ];
  said.sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));
  return { where, said };
}

function merging(repository: string, pull: Pull): Html {
  const branch = (ref: string) =>
    html`<a href="${addressOf('tree', { repository, ref, path: '' })}"><code>${ref}</code></a>`;
  const branches = html`${branch(pull.head.ref)} into ${branch(pull.base.ref)}`;
  return pull.merged_at === null
    ? html`${author(pull.user)} wants to merge ${branches}, opened ${when(pull.created_at)}`
    : html`${author(pull.merged_by)} merged ${branches} ${when(pull.merged_at)}`;
}

/** Ready for review while it is a draft, merge afterwards. */
function actions(pull: Pull, send: (content: { to: string; body: Html }) => Html): Html {
  const step = pull.draft
    ? html`<p>This is a draft: it cannot be merged yet.</p>${send({ to: '/ready', body: html`<input type="hidden" name="id" value="${pull.node_id}"><button>Ready for review</button>` })}`
    : pull.mergeable === false
      ? html`<p>It conflicts with <code>${pull.base.ref}</code> and cannot be merged.</p>`
      : html`<p>It can be merged into <code>${pull.base.ref}</code>.</p>${send({ to: '/merge', body: html`<input type="hidden" name="sha" value="${pull.head.sha}"><button class="primary">Merge pull request</button>` })}`;
  return html`<section class="card row pad merge">${step}</section>`;
}
