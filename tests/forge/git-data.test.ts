// Commits made object by object, as Octokit and others make them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
let main: string;
beforeAll(async () => {
  t = await openTestForge();
  main = (await t.as('olga').git.getRef({ ...at, ref: 'heads/main' })).data.object.sha;
});
afterAll(() => t[Symbol.asyncDispose]());

const git = () => t.as('olga').git;
type Entry = NonNullable<Parameters<ReturnType<typeof git>['createTree']>[0]>['tree'][number];
const treeOf = async (tree: Entry[], base_tree?: string) => {
  const { data } = await git().createTree({ ...at, tree, ...(base_tree && { base_tree }) });
  const { data: all } = await git().getTree({ ...at, tree_sha: data.sha, recursive: '1' });
  return Object.fromEntries(all.tree.filter(each => each.type !== 'tree').map(each => [each.path, each]));
};
const file = (path: string, content: string): Entry => ({ path, content, mode: '100644', type: 'blob' });

describe('a tree', () => {
  test('is another one with files added, changed, moved and taken away', async () => {
    const base = await treeOf([file('keep.txt', 'keep'), file('a/b/c.txt', 'c'), file('a/d.txt', 'd')]);
    const kept = base['keep.txt'];
    const made = await git().createTree({
      ...at,
      tree: [file('keep.txt', 'keep'), file('a/b/c.txt', 'c'), file('a/d.txt', 'd')],
    });
    const next = await treeOf(
      [
        { path: 'moved.txt', mode: '100755', type: 'blob', sha: kept?.sha ?? '' },
        { path: 'keep.txt', mode: '100644', type: 'blob', sha: null },
        { path: 'a/b', mode: '040000', type: 'tree', sha: null },
        file('a/d.txt', 'new'),
      ],
      made.data.sha,
    );
    expect(Object.keys(next)).toEqual(['a/d.txt', 'moved.txt']);
    expect(next['moved.txt']).toMatchObject({ mode: '100755', sha: kept?.sha });
    expect(next['a/d.txt']?.size).toBe(3);
  });

  test('takes in other trees, links and submodules; a file gives way to a folder and a folder to a file', async () => {
    const { data: inner } = await git().createTree({ ...at, tree: [file('x/y.txt', 'y')] });
    const elsewhere = '1234567890123456789012345678901234567890';
    const made = await treeOf(
      [
        file('README.md/now/a/folder', 'x'),
        file('src', 'now a file'),
        { path: 'in', mode: '040000', type: 'tree', sha: inner.sha },
        { path: 'module', mode: '160000', type: 'commit', sha: elsewhere },
        { path: 'link', mode: '120000', type: 'blob', content: 'src' },
      ],
      main,
    );
    expect(Object.entries(made).map(([path, each]) => [path, each.mode])).toEqual([
      ['README.md/now/a/folder', '100644'],
      ['in/x/y.txt', '100644'],
      ['link', '120000'],
      ['module', '160000'],
      ['src', '100644'],
    ]);
  });

  test.each<[what: string, tree: unknown, more?: object]>([
    ['nothing', []],
    ['no list', 'x'],
    ['a way out', [file('../x', 'x')]],
    ['a way to git', [file('a/.GIT/config', 'x')]],
    ['an absolute path', [file('/etc/passwd', 'x')]],
    ['an empty path', [file('', 'x')]],
    ['a NUL', [file('a\0b', 'x')]],
    ['neither sha nor content', [{ path: 'x', mode: '100644', type: 'blob' }]],
    ['a file where a tree is meant', [{ path: 'x', mode: '040000', type: 'tree', content: 'x' }]],
    ['a sha that is none', [{ path: 'x', mode: '100644', type: 'blob', sha: '--help' }]],
    ['a sha of nothing', [{ path: 'x', mode: '100644', type: 'blob', sha: '1'.repeat(40) }]],
    ['a mode that is none', [{ path: 'x', mode: '100777', type: 'blob', content: 'x' }]],
    ['what is not there taken away', [{ path: 'x', mode: '100644', type: 'blob', sha: null }]],
    ['a base that is none', [file('x', 'x')], { base_tree: 'none' }],
  ])('of %s is refused', async (_what, tree, more) => {
    const asked = t.as('olga').request('POST /repos/olga/work/git/trees', { tree, ...more });
    expect((await refusal(asked)).status).toBe(422);
  });
});

test('a commit is by whom it says', async () => {
  const { data: tree } = await git().createTree({ ...at, base_tree: main, tree: [file('new.txt', 'x')] });
  const author = { name: 'Eve <b>', email: 'eve@example.com', date: '2020-02-03T04:05:06+02:00' };
  const { data: commit } = await git().createCommit({
    ...at,
    message: 'Made',
    tree: tree.sha,
    parents: [main],
    author,
  });
  expect(commit).toMatchObject({
    author: { name: 'Eve b', email: 'eve@example.com', date: '2020-02-03T02:05:06Z' },
    committer: { name: 'Eve b' },
    parents: [{ sha: main }],
  });
});

test.each(['blobs', 'trees', 'commits'])('who may only read makes no %s', async kind => {
  for (const [login, status] of [
    ['sam', 403],
    [null, 401],
  ] as const)
    expect((await refusal(t.as(login).request(`POST /repos/olga/work/git/${kind}`, {}))).status).toBe(status);
});

test('one person is assigned the older way too', async () => {
  const { issues } = t.as('olga');
  const { data } = await issues.create({ ...at, title: 'x', assignee: 'wanda' });
  expect(data.assignees?.map(({ login }) => login)).toEqual(['wanda']);
  const number = { ...at, issue_number: data.number };
  expect((await issues.update({ ...number, title: 'y' })).data.assignees).toHaveLength(1);
  expect((await issues.update({ ...number, assignee: null })).data.assignees).toEqual([]);
});
