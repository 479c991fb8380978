// Parts of the story: each calls the routes of one thing, refusals included.
import type { Story } from './story.ts';

/** Who and what the story is about; olga owns the repository, sam may only read it. */
export interface Cast {
  /** `/repos/olga/work`. */
  R: string;
  /** Tokens: the app itself, its installation, sam. */
  jwt: string;
  bot: string;
  stranger: string;
  installation: number;
  /** Resolves when all webhooks were sent. */
  settled(): Promise<void>;
}

/** Milestones, and an issue under one. */
export async function milestones(story: Story, { R, bot, stranger }: Cast): Promise<void> {
  const body = { title: 'One', description: 'First', due_on: '2030-01-01T00:00:00Z' };
  const made = await story.call(201, 'POST', `${R}/milestones`, { body });
  await story.call(422, 'POST', `${R}/milestones`, { body });
  await story.call(422, 'POST', `${R}/milestones`, { body: {}, wrong: true });
  await story.call(201, 'POST', `${R}/milestones`, { body: { title: 'Of a bot' }, as: bot });
  await story.call(403, 'POST', `${R}/milestones`, { body: { title: 'Mine' }, as: stranger });
  const milestone = `${R}/milestones/${made.at('number')}`;
  await story.call(200, 'PATCH', milestone, { body: { state: 'closed' } });
  await story.call(422, 'PATCH', milestone, { body: { state: 'lost' }, wrong: true });
  await story.call(200, 'GET', milestone);
  await story.call(404, 'GET', `${R}/milestones/99`);
  await story.call(200, 'GET', `${R}/milestones?state=all&sort=completeness&direction=desc`);
  const planned = { title: 'Planned', labels: ['bug'], milestone: made.at('number') };
  const issue = await story.call(201, 'POST', `${R}/issues`, { body: planned });
  await story.call(422, 'POST', `${R}/issues`, { body: { title: 'Unplanned', milestone: 99 } });
  await story.call(200, 'GET', `${milestone}/labels`);
  await story.call(200, 'GET', `${R}/issues?milestone=${made.at('number')}&state=all`);
  await story.call(422, 'GET', `${R}/issues?milestone=99`);
  await story.call(200, 'PATCH', `${R}/issues/${issue.at('number')}`, { body: { milestone: null } });
  await story.call(200, 'GET', `${R}/issues/${issue.at('number')}/timeline`);
  await story.call(204, 'DELETE', milestone);
  await story.call(404, 'DELETE', milestone);
}

/** What a repository is about, and who could be assigned. */
export async function about(story: Story, { R, stranger }: Cast): Promise<void> {
  await story.call(200, 'PUT', `${R}/topics`, { body: { names: ['Work', 'one-two'] } });
  await story.call(422, 'PUT', `${R}/topics`, { body: { names: ['a b'] } });
  await story.call(422, 'PUT', `${R}/topics`, { body: {}, wrong: true });
  await story.call(403, 'PUT', `${R}/topics`, { body: { names: [] }, as: stranger });
  await story.call(200, 'GET', `${R}/topics`, { as: null });
  await story.call(200, 'GET', `${R}/languages`);
  await story.call(200, 'GET', `${R}/contributors`);
  await story.call(200, 'GET', `${R}/contributors?anon=1`);
  const sha = (await story.call(200, 'GET', `${R}/branches/main`)).at('commit', 'sha');
  await story.call(201, 'POST', `${R}/git/refs`, { body: { ref: 'refs/tags/v1', sha } });
  await story.call(200, 'GET', `${R}/tags`);
  await story.call(200, 'GET', `${R}/assignees`);
  await story.call(204, 'GET', `${R}/assignees/wanda`);
  await story.call(404, 'GET', `${R}/assignees/nobody`);
  await story.call(204, 'GET', `${R}/issues/1/assignees/wanda`);
  await story.call(404, 'GET', `${R}/issues/1/assignees/nobody`);
  await story.call(200, 'GET', '/users/olga/repos?type=all&sort=pushed');
  await story.call(404, 'GET', '/users/nobody/repos');
  await story.call(200, 'PATCH', R, { body: { description: 'Sums', homepage: 'https://sum.example/' } });
  await story.call(422, 'PATCH', R, { body: { default_branch: 'none' } });
  await story.call(422, 'PATCH', R, { body: { private: 'no' }, wrong: true });
  await story.call(403, 'PATCH', R, { body: { description: 'Mine' }, as: stranger });
  await story.call(200, 'GET', '/issues?filter=all&state=all&labels=bug');
  await story.call(200, 'GET', '/user/issues?filter=created&per_page=2');
  await story.call(401, 'GET', '/issues', { as: null });
}

/** The head of a pull request brought up to date with its base. */
export async function branchUpdates(story: Story, { R, stranger }: Cast): Promise<void> {
  const sha = (await story.call(200, 'GET', `${R}/branches/main`)).at('commit', 'sha');
  const put = async (branch: string, path: string) => {
    const body = { message: `Add ${path}`, content: 'bmV3', branch };
    await story.call(201, 'PUT', `${R}/contents/${path}`, { body });
  };
  await story.call(201, 'POST', `${R}/git/refs`, { body: { ref: 'refs/heads/behind', sha } });
  await put('behind', 'behind.txt');
  const body = { title: 'Behind', head: 'behind', base: 'main' };
  const pull = await story.call(201, 'POST', `${R}/pulls`, { body });
  const update = `${R}/pulls/${pull.at('number')}/update-branch`;
  await story.call(422, 'PUT', update);
  await put('main', 'ahead.txt');
  await story.call(422, 'PUT', update, { body: { expected_head_sha: '0'.repeat(40) } });
  await story.call(422, 'PUT', update, { body: { expected_head_sha: 1 }, wrong: true });
  await story.call(403, 'PUT', update, { as: stranger });
  await story.call(202, 'PUT', update, { body: { expected_head_sha: pull.at('head', 'sha') } });
}

/** Webhooks of the repository; nobody listens at their address. */
export async function hooks(story: Story, { R, bot, stranger, settled }: Cast): Promise<void> {
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json', secret: 'hidden' };
  const body = { name: 'web', config, events: ['push', 'issues'], active: true };
  const made = await story.call(201, 'POST', `${R}/hooks`, { body });
  await story.call(422, 'POST', `${R}/hooks`, { body });
  await story.call(422, 'POST', `${R}/hooks`, { body: { ...body, events: ['nothing'] } });
  await story.call(422, 'POST', `${R}/hooks`, { body: {}, wrong: true });
  await story.call(403, 'POST', `${R}/hooks`, { body, as: stranger });
  await story.call(403, 'GET', `${R}/hooks`, { as: bot });
  const hook = `${R}/hooks/${made.at('id')}`;
  await story.call(200, 'GET', `${R}/hooks`);
  await story.call(200, 'GET', hook);
  await story.call(404, 'GET', `${R}/hooks/1`);
  await story.call(200, 'PATCH', hook, { body: { add_events: ['release'], remove_events: ['issues'] } });
  await story.call(200, 'GET', `${hook}/config`);
  await story.call(200, 'PATCH', `${hook}/config`, { body: { content_type: 'form', insecure_ssl: '1' } });
  await story.call(204, 'POST', `${hook}/pings`);
  await story.call(204, 'POST', `${hook}/tests`);
  await settled();
  await story.call(200, 'GET', hook);
  const log = await story.call(200, 'GET', `${hook}/deliveries?per_page=2`);
  const delivery = `${hook}/deliveries/${log.at(0, 'id')}`;
  await story.call(200, 'GET', delivery);
  await story.call(404, 'GET', `${hook}/deliveries/1`);
  await story.call(400, 'GET', `${hook}/deliveries?cursor=x`);
  await story.call(202, 'POST', `${delivery}/attempts`);
  await story.call(204, 'DELETE', hook);
  await story.call(404, 'DELETE', hook);
}

/** The search of issues. */
export async function search(story: Story, { stranger }: Cast): Promise<void> {
  await story.call(200, 'GET', '/search/issues?q=repo:olga/work+is:issue&per_page=1&sort=updated');
  await story.call(200, 'GET', '/search/issues?q=is:pr', { as: stranger });
  await story.call(200, 'GET', '/search/issues?q=is:open', { as: null });
  await story.call(422, 'GET', '/search/issues?q=repo:olga/none');
  await story.call(422, 'GET', '/search/issues');
}

/** A commit made object by object: blob, tree, commit, tag. */
export async function gitData(story: Story, { R, stranger }: Cast): Promise<void> {
  const body = { content: 'bmV3', encoding: 'base64' };
  const sha = (await story.call(201, 'POST', `${R}/git/blobs`, { body })).at('sha');
  await story.call(422, 'POST', `${R}/git/blobs`, { body: { content: 1 }, wrong: true });
  await story.call(403, 'POST', `${R}/git/blobs`, { body, as: stranger });
  await story.call(200, 'GET', `${R}/git/blobs/${sha}`);
  await story.call(200, 'GET', `${R}/git/blobs/${sha}`, { accept: 'application/vnd.github.raw+json' });
  await story.call(404, 'GET', `${R}/git/blobs/${'0'.repeat(40)}`);
  const entry = { path: 'a/b.txt', mode: '100644', type: 'blob', sha };
  const base = (await story.call(200, 'GET', `${R}/branches/main`)).at('commit', 'sha');
  const made = await story.call(201, 'POST', `${R}/git/trees`, { body: { base_tree: base, tree: [entry] } });
  await story.call(422, 'POST', `${R}/git/trees`, { body: { tree: [{ ...entry, path: '../x' }] } });
  await story.call(422, 'POST', `${R}/git/trees`, { body: { tree: [] } });
  const author = { name: 'Eve', email: 'eve@example.com', date: '2020-01-01T00:00:00Z' };
  const commit = { message: 'Made', tree: made.at('sha'), parents: [base], author };
  const object = (await story.call(201, 'POST', `${R}/git/commits`, { body: commit })).at('sha');
  const tag = { tag: 'v2', message: 'Two', object, type: 'commit' };
  const tagged = await story.call(201, 'POST', `${R}/git/tags`, { body: tag });
  await story.call(422, 'POST', `${R}/git/tags`, { body: { ...tag, tag: 'a b' } });
  await story.call(200, 'GET', `${R}/git/tags/${tagged.at('sha')}`);
  await story.call(404, 'GET', `${R}/git/tags/${sha}`);
}
