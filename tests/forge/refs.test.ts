// Branches, refs, commits, files, and real git over HTTP.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git, tryGit } from '../../packages/forge/repositories/git.ts';
import { at, commit, installTestApp, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
let main: string;
let feature: string;
beforeAll(async () => {
  t = await openTestForge();
  const head = async (branch: string) =>
    (await t.as('olga').git.getRef({ ...at, ref: `heads/${branch}` })).data.object.sha;
  [main, feature] = [await head('main'), await head('feature')];
});
afterAll(() => t[Symbol.asyncDispose]());

const unknown = '1'.repeat(40);

describe('refs', () => {
  const { as } = { as: (login: string) => t.as(login).git };

  test('are created, found, moved and deleted', async () => {
    const { data } = await as('wanda').createRef({ ...at, ref: 'refs/heads/echelon/run/1', sha: main });
    expect(data).toMatchObject({ ref: 'refs/heads/echelon/run/1', object: { type: 'commit', sha: main } });
    const ref = 'heads/echelon/run/1';
    await as('wanda').updateRef({ ...at, ref, sha: feature });
    expect((await as('sam').getRef({ ...at, ref })).data.object.sha).toBe(feature);
    const { data: found } = await as('sam').listMatchingRefs({ ...at, ref: 'heads/echelon/' });
    expect(found.map(each => each.ref)).toEqual(['refs/heads/echelon/run/1']);
    await as('wanda').deleteRef({ ...at, ref });
    expect((await refusal(as('sam').getRef({ ...at, ref }))).status).toBe(404);
  });

  test.each<[string, string, string, string, number, RegExp]>([
    ['that exists', 'wanda', 'refs/heads/main', 'main', 422, /^Reference already exists$/],
    ['of an unknown object', 'wanda', 'refs/heads/new', unknown, 422, /^Object does not exist$/],
    ['of something that is no hash', 'wanda', 'refs/heads/new', 'HEAD', 422, /^Object does not exist$/],
    ['without two slashes', 'wanda', 'heads/new', 'main', 422, /is not a valid ref name/],
    ['with a space', 'wanda', 'refs/heads/a b', 'main', 422, /is not a valid ref name/],
    ['outside', 'wanda', 'refs/heads/../../x', 'main', 422, /is not a valid ref name/],
    ['of the forge itself', 'wanda', 'refs/pull/1/head', 'main', 422, /is not a valid ref name/],
    ['where a folder of refs is', 'wanda', 'refs/heads/main/x', 'main', 422, /^Reference cannot be updated$/],
    ['by a stranger', 'sam', 'refs/heads/new', 'main', 403, /write access/],
    ['by one who triages', 'tom', 'refs/heads/new', 'main', 403, /write access/],
  ])('creating one %s is refused', async (_name, login, ref, sha, status, message) => {
    const call = as(login).createRef({ ...at, ref, sha: sha === 'main' ? main : sha });
    expect(await refusal(call)).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  test('move forward only, unless forced', async () => {
    await as('wanda').createRef({ ...at, ref: 'refs/heads/mover', sha: feature });
    const move = (sha: string, force = false) =>
      as('wanda').updateRef({ ...at, ref: 'heads/mover', sha, force });
    expect(await refusal(move(main))).toMatchObject({ status: 422, message: 'Update is not a fast forward' });
    expect((await refusal(move(unknown))).message).toBe('Object does not exist');
    expect((await move(main, true)).data.object.sha).toBe(main);
    const missing = as('wanda').updateRef({ ...at, ref: 'heads/none', sha: main });
    expect((await refusal(missing)).message).toBe('Reference does not exist');
    const last = as('wanda').deleteRef({ ...at, ref: 'heads/main' });
    expect((await refusal(last)).message).toBe('Cannot delete the default branch');
  });

  test('of ten creators at once one wins', async () => {
    const calls = Array.from({ length: 10 }, () =>
      as('wanda').createRef({ ...at, ref: 'refs/heads/contested', sha: main }),
    );
    const results = await Promise.allSettled(calls);
    expect(results.filter(result => result.status === 'fulfilled').length).toBe(1);
  });
});

describe('commits', () => {
  test('are shown with their files', async () => {
    const { data } = await t.as('sam').repos.getCommit({ ...at, ref: 'feature' });
    expect(data).toMatchObject({
      sha: feature,
      author: { login: 'olga' },
      commit: { message: 'Turn it round' },
      parents: [{ sha: main }],
      stats: { total: 2, additions: 1, deletions: 1 },
      files: [
        {
          filename: 'src/sum.js',
          status: 'modified',
          changes: 2,
          patch: expect.stringMatching(/^@@ -1 \+1 @@/),
        },
      ],
    });
  });

  test('of a path are listed', async () => {
    const list = async (path: string) =>
      (await t.as('sam').repos.listCommits({ ...at, sha: 'feature', path })).data.map(
        each => each.commit.message,
      );
    expect([await list('src/sum.js'), await list('README.md')]).toEqual([
      ['Turn it round', 'Begin'],
      ['Begin'],
    ]);
  });
});

describe('contents', () => {
  const text = (data: unknown) => Buffer.from((data as { content: string }).content, 'base64').toString();
  const get = async (path: string, ref?: string) =>
    (await t.as('sam').repos.getContent({ ...at, path, ...(ref && { ref }) })).data;

  test('are read as file and folder', async () => {
    expect(text(await get('README.md'))).toBe('# Work\n');
    expect(text(await get('src/sum.js', 'feature'))).toContain('b + a');
    expect(await get('')).toMatchObject([
      { name: 'README.md', type: 'file', size: 7 },
      { name: 'src', type: 'dir', download_url: null },
    ]);
    expect(await get('src')).toMatchObject([{ path: 'src/sum.js' }]);
  });

  test.each([['none.md'], ['src/none'], ['README.md/x'], ['../README.md'], [':(top)README.md'], ['*']])(
    '%s is 404',
    async path => {
      expect((await refusal(get(path))).status).toBe(404);
    },
  );

  test('of the readme: .github before the root before docs, Markdown before other forms', async () => {
    const here = { owner: 'olga', repo: 'readmes' };
    await t.forge.addRepository({ owner: 'olga', name: 'readmes' });
    const { repos } = t.as('olga');
    const found = async () => (await repos.getReadme(here)).data.path;
    const put = async (path: string) =>
      await repos.createOrUpdateFileContents({ ...here, path, message: 'Add', content: 'eA==' });
    await expect(found()).rejects.toMatchObject({ status: 404 });
    const better = ['docs/readme', 'docs/Readme.MD', 'README.txt', 'readme.markdown', '.github/README'];
    for (const path of better) {
      await put(path);
      expect(await found()).toBe(path);
    }
    await put('README.md');
    expect(await found()).toBe('.github/README');
  });

  test('are written with the hash of what they replace', async () => {
    const put = (content: string, sha?: string) =>
      t.as('wanda').repos.createOrUpdateFileContents({
        ...at,
        path: 'docs/new file.md',
        branch: 'docs',
        message: 'Write',
        content: Buffer.from(content).toString('base64'),
        ...(sha && { sha }),
      });
    await t.as('wanda').git.createRef({ ...at, ref: 'refs/heads/docs', sha: main });
    const first = await put('one\n');
    expect([first.status, first.data.content?.path]).toEqual([201, 'docs/new file.md']);
    expect((await refusal(put('two\n'))).status).toBe(422);
    expect((await refusal(put('two\n', unknown))).status).toBe(409);
    const second = await put('two\n', first.data.content?.sha);
    expect(second.status).toBe(200);
    expect(text(await get('docs/new file.md', 'docs'))).toBe('two\n');
    const { data } = await t.as('sam').repos.listCommits({ ...at, sha: 'docs' });
    expect(data.map(each => [each.commit.message, each.author?.login])).toEqual([
      ['Write', 'wanda'],
      ['Write', 'wanda'],
      ['Begin', 'olga'],
    ]);
  });

  test.each([['.git/config'], ['a/../../x'], ['a//b'], ['.GIT/x']])(
    '%s is not a path to write to',
    async path => {
      const call = t.as('wanda').request('PUT /repos/{owner}/{repo}/contents/{path}', {
        ...at,
        path,
        message: 'x',
        content: '',
      });
      expect((await refusal(call)).status).toBe(422);
    },
  );
});

describe('git over HTTP', () => {
  const push = async (login: string | null, branch: string) => {
    const folder = join(t.root, `clone-${branch}`);
    await git(t.root, ['clone', '--quiet', `${t.forge.url}/olga/work.git`, folder]);
    await git(folder, ['checkout', '--quiet', '-b', branch]);
    const sha = await commit(folder, { [`${branch}.txt`]: 'x\n' }, `On ${branch}`);
    const url = login === null ? `${t.forge.url}/olga/work.git` : t.remote(login);
    return { sha, folder, ...(await tryGit(folder, ['push', '--quiet', url, branch])) };
  };

  test('clones without a token and pushes with one', async () => {
    const pushed = await push('wanda', 'pushed');
    expect(pushed.code).toBe(0);
    expect((await t.as('sam').git.getRef({ ...at, ref: 'heads/pushed' })).data.object.sha).toBe(pushed.sha);
    const clone = await t.clone('sam', 'again');
    await git(clone, ['checkout', '--quiet', 'pushed']);
    expect(readFileSync(join(clone, 'pushed.txt'), 'utf8')).toBe('x\n');
  });

  test('an app pushes with its installation token', async () => {
    const { app, installation } = installTestApp(t.forge, 'http://127.0.0.1:1/');
    const client = t.asApp(app, installation);
    const { token } = (await client.auth({ type: 'installation' })) as { token: string };
    const clone = await t.clone('sam', 'by-app');
    const sha = await commit(clone, { 'app.txt': 'x\n' }, 'By the app');
    const url = `${t.forge.url.replace('//', `//x-access-token:${token}@`)}/olga/work.git`;
    await git(clone, ['push', '--quiet', url, 'HEAD:refs/heads/by-app']);
    expect((await client.git.getRef({ ...at, ref: 'heads/by-app' })).data.object.sha).toBe(sha);
  });

  test.each([
    ['nobody', null],
    ['a stranger', 'sam'],
    ['one who triages', 'tom'],
  ])('%s may not push', async (_name, login) => {
    const branch = `refused-${login}`;
    expect((await push(login, branch)).code).not.toBe(0);
    expect((await refusal(t.as('olga').git.getRef({ ...at, ref: `heads/${branch}` }))).status).toBe(404);
  });

  test('nobody pushes to the refs of pull requests', async () => {
    const clone = await t.clone('olga', 'sneak');
    const { code } = await tryGit(clone, ['push', '--quiet', 'origin', 'HEAD:refs/pull/1/head']);
    expect(code).not.toBe(0);
  });

  test('a private repository is not there for others', async () => {
    await t.forge.addRepository({ owner: 'olga', name: 'hidden', private: true });
    const list = (login: string) =>
      tryGit(t.root, ['ls-remote', t.remote(login).replace('work.git', 'hidden.git')]);
    expect((await list('olga')).code).toBe(0);
    const refused = await list('sam');
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining('not found')]);
  });

  test('a large push comes through, chunked', async () => {
    const clone = await t.clone('olga', 'large');
    await git(clone, ['checkout', '--quiet', '-b', 'large']);
    const noise = Array.from({ length: 60_000 }, (_, n) => Math.sin(n).toString(36)).join('\n');
    const sha = await commit(clone, { 'large.txt': noise }, 'Large');
    await git(clone, ['-c', 'http.postBuffer=65536', 'push', '--quiet', 'origin', 'large']);
    expect((await t.as('sam').git.getRef({ ...at, ref: 'heads/large' })).data.object.sha).toBe(sha);
  });
});

test('an empty repository takes its first push', async () => {
  await t.forge.addRepository({ owner: 'olga', name: 'empty', defaultBranch: 'trunk' });
  const place = { owner: 'olga', repo: 'empty' };
  expect((await t.as('olga').repos.get(place)).data.default_branch).toBe('trunk');
  expect((await refusal(t.as('olga').repos.listCommits(place))).status).toBe(409);
  const clone = await t.clone('olga', 'first');
  await git(clone, [
    'push',
    '--quiet',
    t.remote('olga').replace('work.git', 'empty.git'),
    'HEAD:refs/heads/trunk',
  ]);
  expect((await t.as('olga').repos.listCommits(place)).data.length).toBe(1);
});

test('a source with a detached head becomes a repository with main', async () => {
  const source = await t.clone('olga', 'detached');
  await git(source, ['checkout', '--quiet', '--detach', feature]);
  await git(source, ['branch', '--quiet', '-D', 'main']);
  const before = await git(source, ['for-each-ref']);
  const made = await t.forge.addRepository({ owner: 'olga', name: 'detached', from: source });
  expect(made.default_branch).toBe('main');
  const { data } = await t.as('olga').git.getRef({ owner: 'olga', repo: 'detached', ref: 'heads/main' });
  expect(data.object.sha).toBe(feature);
  expect(await git(source, ['for-each-ref'])).toBe(before);
});
