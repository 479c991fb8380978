// What a repository is about: topics, languages, contributors, tags, people; and pull requests that follow their base.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git } from '../../src/forge/git.ts';
import { at, commit, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
let clone: string;
beforeAll(async () => {
  t = await openTestForge();
  clone = await t.clone('olga');
  await t.forge.addRepository({ owner: 'olga', name: 'hidden', from: clone, private: true });
  await t.forge.addRepository({ owner: 'wanda', name: 'empty' });
});
afterAll(() => t[Symbol.asyncDispose]());

const push = async (branch: string, files: Record<string, string>) => {
  const sha = await commit(clone, files, `On ${branch}`);
  await git(clone, ['push', '--quiet', 'origin', `HEAD:${branch}`]);
  return sha;
};
const empty = { owner: 'wanda', repo: 'empty' };
const hidden = { owner: 'olga', repo: 'hidden' };

test('topics are small words, each once, and stand in the repository', async () => {
  const { repos } = t.as('olga');
  await repos.replaceAllTopics({ ...at, names: ['Work', 'work', 'c-3'] });
  expect((await t.as(null).repos.getAllTopics(at)).data).toEqual({ names: ['work', 'c-3'] });
  expect((await repos.get(at)).data.topics).toEqual(['work', 'c-3']);
});

test.each<[what: string, login: string | null, names: unknown, status: number]>([
  ['a space', 'olga', ['a b'], 422],
  ['nothing', 'olga', [''], 422],
  ['a hyphen first', 'olga', ['-a'], 422],
  ['51 letters', 'olga', ['x'.repeat(51)], 422],
  ['a control character', 'olga', ['a\n'], 422],
  ['too many', 'olga', Array.from({ length: 21 }, (_each, n) => `t${n}`), 422],
  ['numbers', 'olga', [1], 422],
  ['no list', 'olga', 'a', 422],
  ['who may only push', 'wanda', ['a'], 403],
  ['nobody', null, ['a'], 401],
])('%s is no topic', async (_what, login, names, status) => {
  const asked = t.as(login).request('PUT /repos/olga/work/topics', { names });
  expect((await refusal(asked)).status).toBe(status);
});

test('languages are told by the endings of files, in bytes, the most first', async () => {
  symlinkSync('src/sum.js', join(clone, 'link.py'));
  await push('main', {
    'a.ts': 'x'.repeat(100),
    Makefile: 'all:\n',
    'lib/vendor/b.go': 'package b',
    'data.json': '{}',
    'odd\nname.rs': 'fn',
    'none.constructor': 'x',
  });
  const { data } = await t.as('sam').repos.listLanguages(at);
  expect(Object.entries(data)).toEqual([
    ['TypeScript', 100],
    ['JavaScript', 36],
    ['Makefile', 5],
    ['Rust', 2],
  ]);
  expect((await t.as('olga').repos.listLanguages(empty)).data).toEqual({});
});

test('contributors are those who wrote the commits, the most first; others than users on demand', async () => {
  const other = ['-c', 'user.name=Eve <b>', '-c', 'user.email=eve@example.com'];
  for (let n = 0; n < 3; n++)
    await git(clone, [...other, 'commit', '--quiet', '--allow-empty', '--message', `Empty ${n}`]);
  await git(clone, ['push', '--quiet', 'origin', 'HEAD:main']);
  const { repos } = t.as('sam');
  const listed = async (anon?: string) =>
    (await repos.listContributors({ ...at, ...(anon && { anon }) })).data.map(each => [
      each.login ?? each.email,
      each.contributions,
    ]);
  expect(await listed()).toEqual([['olga', 2]]);
  expect(await listed('true')).toEqual([
    ['eve@example.com', 3],
    ['olga', 2],
  ]);
  expect((await repos.listContributors(empty)).status).toBe(204);
});

test('tags are listed with the commits behind them', async () => {
  const sha = await git(clone, ['rev-parse', 'HEAD']);
  await git(clone, ['tag', 'plain']);
  await git(clone, ['tag', '--annotate', '--message', 'Text', 'with/text']);
  await git(clone, ['tag', 'a-tree', 'HEAD^{tree}']);
  await git(clone, ['push', '--quiet', 'origin', '--tags']);
  const { data } = await t.as('sam').repos.listTags(at);
  expect(data.map(({ name, commit }) => [name, commit.sha])).toEqual([
    ['with/text', sha],
    ['plain', sha],
  ]);
  expect((await t.as('olga').repos.listTags(empty)).data).toEqual([]);
});

describe('people', () => {
  test('who can be assigned are listed, and asked for one by one', async () => {
    const { issues } = t.as('sam');
    const { data } = await issues.listAssignees({ ...at, per_page: 2 });
    expect(data.map(({ login }) => login)).toEqual(['olga', 'wanda']);
    expect((await issues.checkUserCanBeAssigned({ ...at, assignee: 'WANDA' })).status).toBe(204);
    const secret = t.as('olga').issues.checkUserCanBeAssigned({ ...hidden, assignee: 'sam' });
    expect((await refusal(secret)).status).toBe(404);
  });

  test('have repositories, of which only the public ones are told', async () => {
    const names = async (username: string, query: object = {}) =>
      (await t.as('olga').repos.listForUser({ username, ...query })).data.map(each => each.full_name);
    expect(await names('olga')).toEqual(['olga/work']);
    expect(await names('wanda')).toEqual(['wanda/empty']);
    expect(await names('wanda', { type: 'all' })).toEqual(['olga/work', 'wanda/empty']);
    expect(await names('wanda', { type: 'member' })).toEqual(['olga/work']);
    expect(await names('wanda', { type: 'all', direction: 'desc' })).toEqual(['wanda/empty', 'olga/work']);
    expect(await names('wanda', { type: 'all', sort: 'pushed' })).toHaveLength(2);
  });
});

test.each(['topics', 'languages', 'contributors', 'tags', 'assignees', 'milestones', 'issues/events'])(
  'a repository that somebody may not know tells no %s',
  async path => {
    for (const login of ['sam', null])
      expect((await refusal(t.as(login).request(`GET /repos/olga/hidden/${path}`))).status).toBe(404);
    for (const page of ['-1', '0', '1e300', '1e999', 'x'])
      expect((await t.as('olga').request(`GET /repos/olga/hidden/${path}?page=${page}`)).status).toBe(200);
  },
);

describe('a repository', () => {
  const change = (login: string | null, body: Record<string, unknown>) =>
    t.as(login).request('PATCH /repos/{owner}/{repo}', { owner: 'wanda', repo: 'changed', ...body });
  beforeAll(() => t.forge.addRepository({ owner: 'wanda', name: 'changed', from: clone }));

  test('is described anew, hidden and shown, and gets another default branch', async () => {
    const said = { description: 'Sums – “all” of them', homepage: 'https://sum.example/' };
    expect((await change('wanda', said)).data).toMatchObject(said);
    expect((await change('wanda', { homepage: '' })).data).toMatchObject({ ...said, homepage: null });
    expect((await change('wanda', { visibility: 'private' })).data.private).toBe(true);
    expect((await refusal(t.as('sam').request('GET /repos/wanda/changed'))).status).toBe(404);
    const there = { owner: 'wanda', repo: 'changed' };
    const { data: main } = await t.as('wanda').git.getRef({ ...there, ref: 'heads/main' });
    await t.as('wanda').git.createRef({ ...there, ref: 'refs/heads/other', sha: main.object.sha });
    const { data } = await change('wanda', { private: false, default_branch: 'other' });
    expect(data).toMatchObject({ private: false, default_branch: 'other' });
    const remote = `${t.forge.url}/wanda/changed.git`;
    expect(await git(t.root, ['ls-remote', '--symref', remote, 'HEAD'])).toContain('refs/heads/other');
  });

  test.each<[what: string, login: string | null, body: Record<string, unknown>, status: number]>([
    ['a branch that is not there', 'wanda', { default_branch: 'none' }, 422],
    ['a branch like an option', 'wanda', { default_branch: '--help' }, 422],
    ['another name', 'wanda', { name: 'renamed' }, 422],
    ['a text of two lines', 'wanda', { description: 'a\nb' }, 422],
    ['a very long text', 'wanda', { description: 'x'.repeat(351) }, 422],
    ['a homepage that is a script', 'wanda', { homepage: 'javascript:alert(1)' }, 422],
    ['a flag that is none', 'wanda', { private: 'yes' }, 422],
    ['another one', 'olga', { description: 'x' }, 403],
    ['nobody', null, { description: 'x' }, 401],
  ])('is left as it is by %s', async (_what, login, body, status) => {
    expect((await refusal(change(login, body))).status).toBe(status);
  });
});

test("somebody's issues are found wherever he may know of them", async () => {
  const { issues } = t.as('olga');
  const made = async (title: string, more: object) =>
    (await issues.create({ ...at, title, ...more })).data.number;
  await made('Assigned', { assignees: ['wanda'] });
  await made('Mentioned', { body: 'Ask @wanda' });
  await t.as('wanda').issues.create({ ...empty, title: 'Created', labels: ['own'] });
  await issues.create({ ...hidden, title: 'Hidden from her', body: '@wanda' });
  const found = async (query: object) =>
    (await t.as('wanda').issues.list({ ...query, direction: 'asc' })).data
      .filter(({ pull_request }) => !pull_request)
      .map(({ title, repository }) => [title, repository?.full_name]);
  expect(await found({})).toEqual([['Assigned', 'olga/work']]);
  expect(await found({ filter: 'created' })).toEqual([['Created', 'wanda/empty']]);
  expect(await found({ filter: 'mentioned' })).toEqual([['Mentioned', 'olga/work']]);
  expect(await found({ filter: 'subscribed' })).toHaveLength(3);
  expect(await found({ filter: 'all', labels: 'own' })).toEqual([['Created', 'wanda/empty']]);
  expect(await found({ filter: 'constructor', state: 'closed' })).toEqual([]);
  expect((await refusal(t.as(null).issues.list())).status).toBe(401);
});

test('a body that says null says nothing', async () => {
  const answer = await fetch(`${t.forge.api}/repos/olga/work/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${t.forge.tokenFor('olga')}` },
    body: 'null',
  });
  expect([answer.status, await answer.json()]).toMatchObject([422, { errors: [{ code: 'missing_field' }] }]);
});

describe('a pull request behind its base', () => {
  const pulls = () => t.as('olga').pulls;
  const behind = async (branch: string, files: Record<string, string>) => {
    await git(clone, ['checkout', '--quiet', '-B', branch, 'origin/main']);
    const sha = await push(branch, files);
    const made = { ...at, title: branch, head: branch, base: 'main' };
    return { sha, number: { ...at, pull_number: (await pulls().create(made)).data.number } };
  };
  const ahead = async (files: Record<string, string>) => {
    await git(clone, ['fetch', '--quiet']);
    await git(clone, ['checkout', '--quiet', '--detach', 'origin/main']);
    const sha = await push('main', files);
    await git(clone, ['fetch', '--quiet']);
    return sha;
  };

  test('gets the commits of the base by a merge', async () => {
    const { number, sha } = await behind('late', { 'late.txt': 'late\n' });
    const base = await ahead({ 'early.txt': 'early\n' });
    const { data, status } = await t.as('wanda').pulls.updateBranch({ ...number, expected_head_sha: sha });
    expect([status, data.message]).toEqual([202, 'Updating pull request branch.']);
    const { head } = (await pulls().get(number)).data;
    const { data: merge } = await t.as('olga').git.getCommit({ ...at, commit_sha: head.sha });
    expect(merge).toMatchObject({
      message: "Merge branch 'main' into late",
      parents: [{ sha }, { sha: base }],
      author: { name: 'wanda' },
      committer: { name: 'GitHub' },
    });
    expect((await refusal(pulls().updateBranch(number))).message).toBe(
      'There are no new commits on the base branch.',
    );
  });

  test.each<[what: string, login: string | null, body: object, status: number, message: RegExp]>([
    ['a head that moved', 'olga', { expected_head_sha: '0'.repeat(40) }, 422, /expected head sha/],
    ['a head that is none', 'olga', { expected_head_sha: 7 }, 422, /Validation/],
    ['who may only triage', 'tom', {}, 403, /write access/],
    ['nobody', null, {}, 401, /authentication/],
    ['a conflict', 'olga', {}, 422, /merge conflict/],
  ])('is left alone for %s', async (what, login, body, status, message) => {
    const name = what.replaceAll(' ', '-');
    const { number, sha } = await behind(name, { [`${name}.txt`]: 'mine\n' });
    await ahead({ [`${name}.txt`]: 'theirs\n' });
    const asked = t.as(login).request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/update-branch', {
      ...number,
      ...body,
    });
    expect(await refusal(asked)).toMatchObject({ status, message: expect.stringMatching(message) });
    expect((await pulls().get(number)).data.head.sha).toBe(sha);
  });

  test('is left alone when it is closed', async () => {
    const { number } = await behind('over', { 'over.txt': 'x\n' });
    await ahead({ 'more.txt': 'x\n' });
    await pulls().update({ ...number, state: 'closed' });
    expect((await refusal(pulls().updateBranch(number))).status).toBe(422);
  });
});
