// The forge's answers are held against GitHub's published description: every route it serves, refusals included.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Database } from '../../packages/forge/database.ts';
import { git as runGit } from '../../packages/forge/repositories/git.ts';
import { routes } from '../../packages/forge/routes.ts';
import { commit, installTestApp, openTestForge } from './fixture.ts';
import { secrets, variables } from './openapi/action-values.ts';
import { appToken, Story } from './openapi/story.ts';
import { about, type Cast, gitData, search } from './openapi/parts.ts';
import { routeOf } from './openapi/validate.ts';

/** GitHub's limit of a body, in characters. */
const longest = 65_536;

const fixture = await openTestForge();
afterAll(() => fixture[Symbol.asyncDispose]());
const { forge } = fixture;
const clone = await fixture.clone('olga');
const workflow = `name: Work
on:
  workflow_dispatch:
    inputs:
      issue:
        type: string
jobs:
  one:
    runs-on: ubuntu-latest
    steps:
      - run: "true"
`;
await commit(clone, { '.github/workflows/work.yml': workflow }, 'Add a workflow');
await runGit(clone, ['checkout', '--quiet', '-b', 'ready']);
await commit(clone, { 'ready.txt': 'ready\n' }, 'Be ready');
await runGit(clone, ['push', '--quiet', 'origin', 'main', 'ready']);

// Nobody listens there: the log of deliveries holds failures.
const { app, installation } = installTestApp(forge, 'http://127.0.0.1:9/');
const story = new Story(forge.api, forge.tokenFor('olga'));
const jwt = appToken(app.id, app.privateKey, Date.now() / 1000);
const bot = await story.call(201, 'POST', `/app/installations/${installation}/access_tokens`, { as: jwt });
const cast: Cast = {
  R: '/repos/olga/work',
  jwt,
  bot: `${bot.at('token')}`,
  stranger: forge.tokenFor('sam'),
  installation,
};

// In this order: later parts speak of issues that earlier ones made.
const parts = {
  account,
  repository,
  labels,
  search,
  issues,
  comments,
  subIssues,
  dependencies,
  git,
  gitData,
  pulls,
  about,
  checks,
  actions,
  actionSettings,
  rules,
  deliveries,
};
test.each(Object.entries(parts))('%s', async (_name, part) => {
  const before = story.exchanges.length;
  await part(story, cast);
  expect(story.exchanges.slice(before).flatMap(({ violations }) => violations)).toEqual([]);
});

test('every served route gave a right answer at least once, and GitHub has it', () => {
  const right = story.exchanges.filter(({ status, violations }) => status < 400 && violations.length === 0);
  const counts = new Map(routes.map(({ method, template }) => [`${method} ${template}`, 0]));
  for (const { method, path } of right) {
    const name = routeOf(method, path) ?? `${method} ${path}`;
    counts.set(name, (counts.get(name) ?? Number.NaN) + 1);
  }
  expect([...counts].filter(([, count]) => !(count > 0))).toEqual([]);
  expect(forge.missing).toEqual([]);
});

/** People, apps and rate limits. */
async function account(story: Story, { jwt, installation, bot }: Cast): Promise<void> {
  await story.call(200, 'GET', '/user');
  await story.call(401, 'GET', '/user', { as: null });
  await story.call(401, 'GET', '/user', { as: 'ghp_nonsense' });
  await story.call(403, 'GET', '/user', { as: bot });
  await story.call(200, 'GET', '/user/repos');
  await story.call(200, 'GET', '/apps/echelon');
  await story.call(200, 'GET', '/app', { as: jwt });
  await story.call(401, 'GET', '/app');
  const manifest = { name: 'Registered', url: 'https://a.example', redirect_url: 'https://b.example/back' };
  const code = forge.registerManifest({ ...manifest, default_permissions: {}, default_events: [] });
  await story.call(201, 'POST', `/app-manifests/${code}/conversions`, { as: null });
  await story.call(404, 'POST', `/app-manifests/${code}/conversions`, { as: null });
  await story.call(200, 'GET', '/app/installations', { as: jwt });
  const tokens = `/app/installations/${installation}/access_tokens`;
  const ended = `${(await story.call(201, 'POST', tokens, { as: jwt })).at('token')}`;
  await story.call(204, 'DELETE', '/installation/token', { as: ended });
  await story.call(401, 'GET', '/installation/repositories', { as: ended });
  await story.call(201, 'POST', tokens, {
    as: jwt,
    body: { repositories: ['work'], permissions: { issues: 'read' } },
  });
  await story.call(422, 'POST', tokens, { as: jwt, body: { repositories: ['elsewhere'] } });
  await story.call(200, 'GET', '/installation/repositories', { as: bot });
  await story.call(403, 'GET', '/installation/repositories');
}

/** The repository itself and who may do what in it. */
async function repository(story: Story, { R, jwt, bot, stranger }: Cast): Promise<void> {
  await story.call(200, 'GET', R);
  await story.call(200, 'GET', R, { as: bot });
  await story.call(404, 'GET', '/repos/olga/elsewhere');
  await story.call(200, 'GET', `${R}/installation`, { as: jwt });
  await story.call(404, 'GET', '/repos/olga/elsewhere/installation', { as: jwt });
  await story.call(200, 'GET', `${R}/collaborators`);
  await story.call(403, 'GET', `${R}/collaborators`, { as: stranger });
  await story.call(200, 'GET', `${R}/collaborators/sam/permission`);
  await story.call(404, 'GET', `${R}/collaborators/nobody/permission`);
}

/** Labels of the repository. */
async function labels(story: Story, { R, stranger }: Cast): Promise<void> {
  await story.call(201, 'POST', `${R}/labels`, {
    body: { name: 'bug', color: 'd73a4a', description: 'wrong' },
  });
  await story.call(422, 'POST', `${R}/labels`, { body: { name: 'bug' } });
  await story.call(422, 'POST', `${R}/labels`, { body: { color: 'd73a4a' }, wrong: true });
  await story.call(403, 'POST', `${R}/labels`, { body: { name: 'mine' }, as: stranger });
  await story.call(400, 'POST', `${R}/labels`, { body: '{', wrong: true });
  await story.call(200, 'GET', `${R}/labels`);
  await story.call(200, 'GET', `${R}/labels/bug`);
  await story.call(200, 'PATCH', `${R}/labels/bug`, { body: { new_name: 'a bug', color: '00ff00' } });
  await story.call(404, 'GET', `${R}/labels/bug`);
  await story.call(204, 'DELETE', `${R}/labels/a%20bug`);
}

/** Issues, from the first to the lock. */
async function issues(story: Story, { R, bot, stranger }: Cast): Promise<void> {
  const body = { title: 'First', body: 'Text', labels: ['bug'], assignees: ['olga'] };
  const first = await story.call(201, 'POST', `${R}/issues`, { body });
  const issue = `${R}/issues/${first.at('number')}`;
  await story.call(201, 'POST', `${R}/issues`, { body: { title: 'Of a bot' }, as: bot });
  await story.call(201, 'POST', `${R}/issues`, { body: { title: 'Of a stranger' }, as: stranger });
  await story.call(422, 'POST', `${R}/issues`, { body: {}, wrong: true });
  await story.call(422, 'POST', `${R}/issues`, { body: { title: 'Long', body: 'x'.repeat(longest + 1) } });
  await story.call(401, 'POST', `${R}/issues`, { body: { title: 'No' }, as: null });
  await story.call(200, 'GET', `${R}/issues?state=all&per_page=2`);
  await story.call(200, 'GET', issue);
  await story.call(404, 'GET', `${R}/issues/99`);
  await story.call(200, 'PATCH', issue, { body: { state: 'closed', state_reason: 'not_planned' } });
  await story.call(200, 'PATCH', issue, { body: { state: 'open', title: 'The first', body: null } });
  await story.call(403, 'PATCH', issue, { body: { title: 'Mine' }, as: stranger });
  await story.call(422, 'PATCH', issue, { body: { state: 'lost' }, wrong: true });

  await story.call(200, 'POST', `${issue}/labels`, { body: { labels: ['one', 'two'] } });
  await story.call(200, 'DELETE', `${issue}/labels/one`);
  await story.call(404, 'DELETE', `${issue}/labels/one`);

  await story.call(201, 'POST', `${issue}/assignees`, { body: { assignees: ['olga'] } });
  await story.call(200, 'DELETE', `${issue}/assignees`, { body: { assignees: ['olga'] } });
  await story.call(204, 'PUT', `${issue}/lock`, { body: { lock_reason: 'resolved' } });
  await story.call(403, 'POST', `${issue}/comments`, { body: { body: 'too late' }, as: stranger });
  await story.call(200, 'GET', `${issue}/events`);
}

/** Comments and reactions. */
async function comments(story: Story, { R, bot, stranger }: Cast): Promise<void> {
  const made = await story.call(201, 'POST', `${R}/issues/1/comments`, { body: { body: 'Said' } });
  const comment = `${R}/issues/comments/${made.at('id')}`;
  await story.call(201, 'POST', `${R}/issues/1/comments`, { body: { body: 'Of a bot' }, as: bot });
  await story.call(422, 'POST', `${R}/issues/1/comments`, { body: {}, wrong: true });
  await story.call(422, 'POST', `${R}/issues/1/comments`, { body: { body: 'x'.repeat(longest + 1) } });
  await story.call(404, 'POST', `${R}/issues/99/comments`, { body: { body: 'Said' } });
  await story.call(200, 'GET', `${R}/issues/1/comments?per_page=1`);
  await story.call(200, 'GET', `${R}/issues/comments`);
  await story.call(200, 'PATCH', comment, { body: { body: 'Said otherwise' } });
  await story.call(403, 'PATCH', comment, { body: { body: 'Said by me' }, as: stranger });

  await reactions(story, comment);
  await story.call(204, 'DELETE', comment);
}

async function reactions(story: Story, subject: string): Promise<void> {
  await story.call(201, 'POST', `${subject}/reactions`, { body: { content: 'eyes' } });
  await story.call(200, 'POST', `${subject}/reactions`, { body: { content: 'eyes' } });
  await story.call(422, 'POST', `${subject}/reactions`, { body: { content: 'ok' }, wrong: true });
  await story.call(200, 'GET', `${subject}/reactions`);
}

/** Parents and sub-issues. */
async function subIssues(story: Story, { R }: Cast): Promise<void> {
  const ids = [];
  for (const title of ['Parent', 'Child', 'Second child', 'Grandchild'])
    ids.push(await story.call(201, 'POST', `${R}/issues`, { body: { title } }));
  const [parent, child, second, grandchild] = ids.map(told => ({
    id: told.at('id'),
    path: `${R}/issues/${told.at('number')}`,
  }));
  const link = (status: number, to: typeof parent, what: typeof parent) =>
    story.call(status, 'POST', `${to?.path}/sub_issues`, { body: { sub_issue_id: what?.id } });
  await link(201, parent, child);
  await link(201, parent, second);
  await link(201, child, grandchild);
  await link(422, parent, child);
  await link(422, second, child);
  await link(422, grandchild, parent);
  await story.call(404, 'POST', `${parent?.path}/sub_issues`, { body: { sub_issue_id: 1 } });
  await story.call(422, 'POST', `${parent?.path}/sub_issues`, { body: {}, wrong: true });
  await story.call(200, 'GET', `${parent?.path}/sub_issues`);
  await story.call(200, 'GET', `${child?.path}/parent`);
  await story.call(404, 'GET', `${parent?.path}/parent`);
  await story.call(200, 'GET', `${parent?.path}/events`);
}

/** Dependencies between issues. */
async function dependencies(story: Story, { R, stranger }: Cast): Promise<void> {
  const ids = [];
  for (const title of ['First', 'Then'])
    ids.push(await story.call(201, 'POST', `${R}/issues`, { body: { title } }));
  const [first, then] = ids.map(told => ({ id: told.at('id'), path: `${R}/issues/${told.at('number')}` }));
  const list = `${then?.path}/dependencies/blocked_by`;
  const on = (id: unknown) => ({ body: { issue_id: id } });
  await story.call(201, 'POST', list, on(first?.id));
  await story.call(422, 'POST', list, on(first?.id));
  await story.call(422, 'POST', list, on(then?.id));
  await story.call(422, 'POST', `${first?.path}/dependencies/blocked_by`, on(then?.id));
  await story.call(422, 'POST', list, { body: {}, wrong: true });
  await story.call(404, 'POST', list, on(1));
  await story.call(403, 'POST', list, { ...on(first?.id), as: stranger });
  await story.call(200, 'GET', list);
  await story.call(200, 'GET', `${then?.path}/events`);
  await story.call(200, 'DELETE', `${list}/${first?.id}`);
  await story.call(404, 'DELETE', `${list}/${first?.id}`);
}

/** Branches, refs, commits and files. */
async function git(story: Story, { R, stranger }: Cast): Promise<void> {
  await story.call(200, 'GET', `${R}/branches`);
  const sha = (await story.call(200, 'GET', `${R}/git/ref/heads/main`)).at('object', 'sha');
  await story.call(404, 'GET', `${R}/git/ref/heads/none`);
  await story.call(200, 'GET', `${R}/git/matching-refs/heads/`);
  const known = await story.call(200, 'GET', `${R}/git/commits/${sha}`);
  await story.call(404, 'GET', `${R}/git/commits/${'0'.repeat(40)}`);
  const tree = `${known.at('tree', 'sha')}`;
  const made = (body: object) => ({ body: { message: 'Alone', tree, ...body } });
  await story.call(201, 'POST', `${R}/git/commits`, made({ parents: [sha] }));
  await story.call(
    201,
    'POST',
    `${R}/git/commits`,
    made({ tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' }),
  );
  await story.call(422, 'POST', `${R}/git/commits`, made({ tree: sha }));
  await story.call(422, 'POST', `${R}/git/commits`, made({ parents: [tree] }));
  await story.call(200, 'GET', `${R}/commits?sha=main&per_page=1`);
  await story.call(200, 'GET', `${R}/commits/main`);
  await story.call(200, 'GET', `${R}/git/trees/main?recursive=1`);
  await story.call(200, 'GET', `${R}/git/trees/${sha}`);
  await story.call(404, 'GET', `${R}/git/trees/none`);
  await story.call(422, 'GET', `${R}/commits/none`);
  await story.call(200, 'GET', `${R}/contents/`);
  await story.call(200, 'GET', `${R}/contents/README.md`);
  await story.call(200, 'GET', `${R}/contents/README.md`, { accept: 'application/vnd.github.raw+json' });
  await story.call(404, 'GET', `${R}/contents/none.md`);
  await story.call(200, 'GET', `${R}/readme`);
  await story.call(200, 'GET', `${R}/readme?ref=feature`, { accept: 'application/vnd.github.raw+json' });
  await story.call(404, 'GET', `${R}/readme?ref=none`);
  const file = `${R}/contents/notes/new.md`;
  const content = Buffer.from('new').toString('base64');
  const added = await story.call(201, 'PUT', file, { body: { message: 'Add', content, branch: 'feature' } });
  await story.call(200, 'GET', `${R}/contents/notes?ref=feature`);
  const blob = added.at('content', 'sha');
  const changed = { message: 'Change', content, branch: 'feature', sha: blob };
  await story.call(422, 'PUT', file, { body: { ...changed, sha: undefined } });
  await story.call(409, 'PUT', file, { body: { ...changed, sha: '0'.repeat(40) } });
  await story.call(200, 'PUT', file, { body: changed });

  const ref = 'refs/heads/new';
  await story.call(201, 'POST', `${R}/git/refs`, { body: { ref, sha } });
  await story.call(422, 'POST', `${R}/git/refs`, { body: { ref, sha } });
  await story.call(422, 'POST', `${R}/git/refs`, { body: { ref: 'refs/heads/other', sha: '0'.repeat(40) } });
  await story.call(422, 'POST', `${R}/git/refs`, { body: { ref: 'new', sha } });
  await story.call(403, 'POST', `${R}/git/refs`, { body: { ref: 'refs/heads/mine', sha }, as: stranger });
  const ahead = (await story.call(200, 'GET', `${R}/git/ref/heads/ready`)).at('object', 'sha');
  await story.call(200, 'PATCH', `${R}/git/${ref}`, { body: { sha: ahead } });
  await story.call(422, 'PATCH', `${R}/git/${ref}`, { body: { sha } });
  await story.call(200, 'PATCH', `${R}/git/${ref}`, { body: { sha, force: true } });
  const merge = { base: 'new', head: 'ready', commit_message: 'Take it' };
  await story.call(201, 'POST', `${R}/merges`, { body: merge });
  await story.call(204, 'POST', `${R}/merges`, { body: merge });
  await story.call(404, 'POST', `${R}/merges`, { body: { ...merge, head: 'none' } });
  await story.call(404, 'POST', `${R}/merges`, { body: { ...merge, base: 'none' } });
  await story.call(403, 'POST', `${R}/merges`, { body: merge, as: stranger });
  await story.call(204, 'DELETE', `${R}/git/${ref}`);
  await story.call(422, 'DELETE', `${R}/git/${ref}`);
}

/** Pull requests, from the draft to the merge. */
async function pulls(story: Story, { R, stranger }: Cast): Promise<void> {
  const body = { title: 'Work', body: 'Closes #1', head: 'feature', base: 'main', draft: true };
  const made = await story.call(201, 'POST', `${R}/pulls`, { body });
  const [number, sha] = [made.at('number'), made.at('head', 'sha')];
  const pull = `${R}/pulls/${number}`;
  await story.call(422, 'POST', `${R}/pulls`, { body });
  await story.call(422, 'POST', `${R}/pulls`, { body: { ...body, head: 'none' } });
  await story.call(422, 'POST', `${R}/pulls`, { body: { ...body, head: 'main' } });
  await story.call(200, 'GET', `${R}/pulls?head=olga:feature`);
  await story.call(200, 'GET', pull);
  await story.call(200, 'GET', pull, { accept: 'application/vnd.github.diff' });
  await story.call(200, 'GET', pull, { accept: 'application/vnd.github.patch' });
  await story.call(404, 'GET', `${R}/pulls/99`);
  await story.call(200, 'PATCH', pull, { body: { title: 'The work' } });
  await story.call(200, 'GET', `${pull}/files`);
  await story.call(200, 'GET', `${pull}/commits`);
  await story.call(405, 'PUT', `${pull}/merge`, { body: {} });
  await story.call(200, 'GET', `${R}/issues/${number}`);
  await story.call(200, 'GET', `${R}/issues?state=all`);
  await reviews(story, pull, String(sha), stranger);

  const plain = await story.call(201, 'POST', `${R}/pulls`, {
    body: { ...body, head: 'ready', draft: false },
  });
  const ready = `${R}/pulls/${plain.at('number')}`;
  await story.call(409, 'PUT', `${ready}/merge`, { body: { sha: '0'.repeat(40) } });
  await story.call(403, 'PUT', `${ready}/merge`, { body: {}, as: stranger });
  await story.call(200, 'PUT', `${ready}/merge`, { body: { merge_method: 'squash' } });
  await story.call(200, 'GET', ready);
  await story.call(200, 'GET', `${R}/pulls?state=closed`);
}

/** Reviews, and comments on lines. */
async function reviews(story: Story, pull: string, sha: string, stranger: string): Promise<void> {
  const comments = [{ path: 'src/sum.js', line: 1, side: 'RIGHT', body: 'This line' }];
  const asked = { body: 'Please', event: 'REQUEST_CHANGES', comments };
  await story.call(200, 'POST', `${pull}/reviews`, { body: asked, as: stranger });
  await story.call(422, 'POST', `${pull}/reviews`, { body: { event: 'APPROVE' } });
  await story.call(200, 'GET', `${pull}/reviews`);
  await story.call(200, 'GET', `${pull}/comments`);
  const line = { body: 'And this', commit_id: sha, path: 'src/sum.js', line: 1, side: 'RIGHT' };
  const said = await story.call(201, 'POST', `${pull}/comments`, { body: line });
  await story.call(201, 'POST', `${pull}/comments/${said.at('id')}/replies`, { body: { body: 'Done' } });
  await story.call(422, 'POST', `${pull}/comments`, { body: { ...line, line: 999 } });
}

/** Check runs and commit statuses. */
async function checks(story: Story, { R, bot }: Cast): Promise<void> {
  const sha = (await story.call(200, 'GET', `${R}/git/ref/heads/feature`)).at('object', 'sha');
  const body = {
    name: 'tests',
    head_sha: sha,
    status: 'in_progress',
    output: { title: 'Running', summary: 'soon' },
  };
  const made = await story.call(201, 'POST', `${R}/check-runs`, { body, as: bot });
  await story.call(403, 'POST', `${R}/check-runs`, { body });
  await story.call(422, 'POST', `${R}/check-runs`, { body: { head_sha: sha }, as: bot, wrong: true });
  const check = `${R}/check-runs/${made.at('id')}`;
  await story.call(200, 'GET', `${check}/annotations`);
  await story.call(200, 'GET', `${R}/commits/${sha}/check-runs`);
  await story.call(200, 'GET', `${R}/commits/feature/check-runs?check_name=tests`);
  const state = { state: 'success', context: 'build', description: 'Built' };
  await story.call(201, 'POST', `${R}/statuses/${sha}`, { body: state });
  await story.call(422, 'POST', `${R}/statuses/${sha}`, { body: { state: 'ok' }, wrong: true });
  await story.call(200, 'GET', `${R}/commits/${sha}/status`);
  await story.call(200, 'GET', `${R}/commits/${sha}/statuses`);
}

/** Settings of workflows. */
async function actionSettings(story: Story, { R, stranger }: Cast): Promise<void> {
  const permissions = `${R}/actions/permissions`;
  await story.call(200, 'GET', permissions);
  await story.call(403, 'GET', permissions, { as: stranger });
  await story.call(204, 'PUT', permissions, { body: { enabled: false } });
  await story.call(200, 'GET', permissions);
  await story.call(204, 'PUT', permissions, { body: { enabled: true } });
  await story.call(422, 'PUT', permissions, { body: {}, wrong: true });
  await story.call(200, 'GET', `${permissions}/workflow`);
  const pulls = { can_approve_pull_request_reviews: false };
  await story.call(204, 'PUT', `${permissions}/workflow`, { body: pulls });
  await story.call(204, 'PUT', permissions, { body: { enabled: true, allowed_actions: 'selected' } });
  await story.call(200, 'GET', permissions);
  const selected = `${permissions}/selected-actions`;
  await story.call(204, 'PUT', selected, { body: { patterns_allowed: ['olga/*'] } });
  await story.call(200, 'GET', selected);
  await story.call(204, 'PUT', permissions, { body: { enabled: true, allowed_actions: 'all' } });
  forge.setActionValue('olga', 'work', 'secret', 'ONE', 'hidden');
  await story.call(200, 'GET', `${R}/actions/secrets`);
  await story.call(403, 'GET', `${R}/actions/secrets`, { as: stranger });
  await story.call(200, 'GET', `${R}/actions/organization-secrets`);
  await secrets(story, `${R}/actions/secrets`, stranger);
  await variables(story, `${R}/actions/variables`, stranger);
}

/** Rules for branches. */
async function rules(story: Story, { R, stranger }: Cast): Promise<void> {
  const body = {
    ...{ name: 'one', target: 'branch', enforcement: 'active' },
    conditions: { ref_name: { include: ['refs/heads/ruled'], exclude: [] } },
    rules: [{ type: 'creation' }],
  };
  const made = await story.call(201, 'POST', `${R}/rulesets`, { body });
  await story.call(403, 'POST', `${R}/rulesets`, { body, as: stranger });
  const sha = (await story.call(200, 'GET', `${R}/git/ref/heads/main`)).at('object', 'sha');
  await story.call(422, 'POST', `${R}/git/refs`, { body: { ref: 'refs/heads/ruled', sha } });
  await story.call(204, 'DELETE', `${R}/rulesets/${made.at('id')}`);
  await story.call(404, 'DELETE', `${R}/rulesets/${made.at('id')}`);
}

/** Workflows, their runs and jobs. */
async function actions(story: Story, { R, stranger }: Cast): Promise<void> {
  await story.call(200, 'GET', `${R}/actions/workflows`);
  await story.call(200, 'GET', `${R}/actions/workflows/work.yml`);
  await story.call(404, 'GET', `${R}/actions/workflows/none.yml`);
  const dispatches = `${R}/actions/workflows/work.yml/dispatches`;
  await story.call(204, 'POST', dispatches, { body: { ref: 'main', inputs: { issue: '1' } } });
  await story.call(422, 'POST', dispatches, { body: { ref: 'none' } });
  await story.call(404, 'POST', `${R}/actions/workflows/none.yml/dispatches`, { body: { ref: 'main' } });
  await story.call(204, 'PUT', `${R}/actions/workflows/work.yml/disable`);
  await story.call(403, 'PUT', `${R}/actions/workflows/work.yml/enable`, { as: stranger });
  expect((await story.call(200, 'GET', `${R}/actions/workflows/work.yml`)).at('state')).toBe(
    'disabled_manually',
  );
  await story.call(422, 'POST', dispatches, { body: { ref: 'main', inputs: { issue: '1' } } });
  await story.call(204, 'PUT', `${R}/actions/workflows/work.yml/enable`);
  const runs = await story.call(200, 'GET', `${R}/actions/runs`);
  const run = `${R}/actions/runs/${runs.at('workflow_runs', 0, 'id')}`;
  addJob(Number(runs.at('workflow_runs', 0, 'id')));
  await story.call(200, 'GET', `${R}/actions/workflows/work.yml/runs`);
  await story.call(200, 'GET', run);
  await story.call(404, 'GET', `${R}/actions/runs/1`);
  const jobs = await story.call(200, 'GET', `${run}/jobs`);
  const job = `${R}/actions/jobs/${jobs.at('jobs', 0, 'id')}`;
  await story.call(200, 'GET', job);
  await story.call(302, 'GET', `${job}/logs`);
  await story.call(302, 'GET', `${run}/logs`);
  await story.call(401, 'GET', `${run}/logs`, { as: null });
  await artifacts(story, R, run);
  await story.call(202, 'POST', `${run}/cancel`);
  await story.call(409, 'POST', `${run}/cancel`);
  await story.call(201, 'POST', `${run}/rerun-failed-jobs`);
  await story.call(403, 'POST', `${run}/rerun`);
  await story.call(202, 'POST', `${run}/cancel`);
  await story.call(201, 'POST', `${run}/rerun`);
  await story.call(200, 'GET', run);
  await story.call(200, 'GET', `${run}/attempts/1/jobs`);
  await story.call(404, 'GET', `${run}/attempts/9/jobs`);
  await story.call(200, 'GET', `${run}/attempts/3`);
  await story.call(404, 'GET', `${run}/attempts/9`);
  await story.call(202, 'POST', `${run}/cancel`);
  await story.call(404, 'GET', `${R}/check-runs/1/annotations`);
  awaitApproval(Number(run.split('/').at(-1)));
  await story.call(201, 'POST', `${run}/approve`);
  await story.call(403, 'POST', `${run}/approve`);
  await story.call(202, 'POST', `${run}/cancel`);
}

/** Artifacts of a run. */
async function artifacts(story: Story, R: string, run: string): Promise<void> {
  addArtifact(Number(run.split('/').at(-1)));
  await story.call(200, 'GET', `${run}/artifacts`);
  const listed = await story.call(200, 'GET', `${R}/actions/artifacts?name=one`);
  const artifact = `${R}/actions/artifacts/${listed.at('artifacts', 0, 'id')}`;
  await story.call(302, 'GET', `${artifact}/zip`);
  await story.call(404, 'GET', `${artifact}/tar`);
  await story.call(204, 'DELETE', artifact);
}

function addArtifact(run: number): void {
  const db = new Database(join(forge.folder, 'forge.sqlite'));
  const times = { created_at: '2026-01-01T00:00:00Z', expires_at: '2126-01-01T00:00:00Z' };
  db.insert('artifacts', { run_id: run, attempt: 1, name: 'one', size: 3, digest: 'sha256:0', ...times });
  db.close();
}

/** A run that a job's token started. */
function awaitApproval(id: number): void {
  const db = new Database(join(forge.folder, 'forge.sqlite'));
  db.update('workflow_runs', id, { conclusion: 'action_required' });
  db.close();
}

/** Takes up a job of the run, as a runner does. */
function addJob(run: number): void {
  const db = new Database(join(forge.folder, 'forge.sqlite'));
  const time = '2026-01-01T00:00:00Z';
  const steps = [{ name: 'Run true', status: 'in_progress', conclusion: null, number: 1, started_at: time }];
  db.insert('jobs', {
    ...{ run_id: run, attempt: 1 },
    name: 'one',
    status: 'in_progress',
    labels: '["ubuntu-latest"]',
    steps: JSON.stringify(steps),
    created_at: time,
    started_at: time,
  });
  db.close();
}

/** The log of webhooks. */
async function deliveries(story: Story, { jwt }: Cast): Promise<void> {
  await forge.webhooksSettled();
  await story.call(200, 'GET', '/app/hook/deliveries', { as: jwt });
}
