// `gh pr` and `gh repo` on the forge, in a clone that gh made.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, commit, installTestApp } from '../fixture.ts';
import { type Desk, ghMissing, openDesk } from './gh.ts';

/** The one that docs/local-forge.md tells people to set. */
function credentialHelper(): string {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/local-forge.md'), 'utf8');
  const [, helper] = /credential\.http:\/\/github\.localhost\.helper '(.+)'/.exec(docs) ?? [];
  if (helper === undefined) throw new Error('docs/local-forge.md tells of no credential helper');
  return helper;
}

describe.skipIf(ghMissing !== '')(`gh pr, gh repo${ghMissing}`, () => {
  let gh: Desk;
  let clone: string;
  const on = ['--repo', 'olga/work'];
  beforeAll(async () => {
    gh = await openDesk();
    clone = join(gh.folder, 'work');
    await gh.opened.as('olga').issues.create({ ...at, title: 'Wrong way round', labels: ['bug'] });
    const head = { head: 'feature', base: 'main' };
    await gh.opened.as('olga').pulls.create({ ...at, ...head, title: 'Turn', body: 'Turns.\n\nCloses #1' });
    await gh.ok(['repo', 'clone', 'olga/work']);
    await git('config', 'credential.http://github.localhost.helper', credentialHelper());
  });
  afterAll(() => gh[Symbol.asyncDispose]());

  const git = (...args: string[]) => gh.git(args, clone);
  const view = (number: string, fields: string) => gh.json(['pr', 'view', number, ...on], fields);

  test('list', async () => {
    expect(await gh.ok(['pr', 'list', ...on])).toMatch(/^2\tTurn\tfeature\tOPEN\t/);
    expect(await gh.ok(['pr', 'list', ...on, '--search', 'turns head:feature'])).toMatch(/^2\tTurn\t/);
    expect(await gh.ok(['pr', 'list', ...on, '--base', 'feature'])).toBe('');
    expect(await gh.ok(['pr', 'list', ...on, '--draft'])).toBe('');
    expect(await gh.ok(['pr', 'list', ...on, '--author', 'olga', '--state', 'all'])).toMatch(/^2\tTurn\t/);
  });

  test('view', async () => {
    expect(await gh.ok(['pr', 'view', '2', ...on])).toMatch(
      /^title:\tTurn\nstate:\tOPEN\nauthor:\tolga\n[\s\S]*additions:\t1\ndeletions:\t1\n--\nTurns\./,
    );
    const fields =
      'baseRefName,changedFiles,commits,files,headRefName,mergeStateStatus,mergeable,reviewDecision';
    expect(await view('2', fields)).toMatchObject({
      baseRefName: 'main',
      headRefName: 'feature',
      changedFiles: 1,
      commits: [{ messageHeadline: 'Turn it round', authors: [{ login: 'olga' }] }],
      files: [{ path: 'src/sum.js', additions: 1, deletions: 1 }],
      mergeable: 'MERGEABLE',
      mergeStateStatus: 'CLEAN',
      reviewDecision: '',
    });
  });

  test.each([
    ['pr view', ['pr', 'view', '2', '--repo', 'olga/work']],
    ['pr list', ['pr', 'list', '--repo', 'olga/work']],
    ['issue view', ['issue', 'view', '1', '--repo', 'olga/work']],
    ['issue list', ['issue', 'list', '--repo', 'olga/work']],
    ['repo view', ['repo', 'view', 'olga/work']],
    ['label list', ['label', 'list', '--repo', 'olga/work']],
  ])('every field that gh can show: %s', async (_name, args) => {
    const { stderr } = await gh.run([...args, '--json']);
    const fields = [...stderr.matchAll(/^ {2}(\w+)$/gm)].map(([, name = '']) => name);
    expect(fields.length).toBeGreaterThan(4);
    expect(await gh.ok([...args, '--json', fields.join(',')])).toContain('"');
  });

  test('diff', async () => {
    expect(await gh.ok(['pr', 'diff', '2', ...on])).toContain('+export const sum = (a, b) => b + a;');
    expect(await gh.ok(['pr', 'diff', '2', ...on, '--name-only'])).toBe('src/sum.js\n');
    expect(await gh.ok(['pr', 'diff', '2', ...on, '--patch'])).toContain('Subject: [PATCH] Turn it round');
  });

  test('checks', async () => {
    const none = await gh.run(['pr', 'checks', '2', ...on]);
    expect(none.stderr).toContain("no checks reported on the 'feature' branch");
    const { app, installation } = installTestApp(gh.opened.forge, 'http://127.0.0.1:1/');
    const { data } = await gh.opened.as('olga').pulls.get({ ...at, pull_number: 2 });
    const { sha } = data.head;
    const run = { ...at, name: 'build', head_sha: sha, conclusion: 'success' } as const;
    await gh.opened.asApp(app, installation).checks.create(run);
    const status = { ...at, sha, state: 'failure', context: 'deploy' } as const;
    await gh.opened.as('olga').repos.createCommitStatus(status);
    const { code, stdout } = await gh.run(['pr', 'checks', '2', ...on]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^deploy\tfail\t[^\n]*\nbuild\tpass\t/);
  });

  test('review, ready, comment', async () => {
    const review = ['pr', 'review', '2', ...on, '--body', 'Nice'];
    await gh.ok([...review, '--request-changes'], { login: 'wanda' });
    await gh.ok([...review, '--approve'], { login: 'wanda' });
    const own = await gh.run([...review, '--approve']);
    expect(own.stderr).toContain('Can not approve your own pull request');
    await gh.ok(['pr', 'ready', '2', ...on, '--undo']);
    expect(await view('2', 'isDraft,reviewDecision')).toEqual({ isDraft: true, reviewDecision: 'APPROVED' });
    await gh.ok(['pr', 'ready', '2', ...on]);
    await gh.ok(['pr', 'comment', '2', ...on, '--body', 'Good'], { login: 'sam' });
    const said = await gh.ok(['pr', 'view', '2', ...on, '--comments']);
    expect(said).toContain('status:\tapproved\n--\nNice');
    expect(said).toContain('status:\tchanges requested\n--\nNice');
    expect(said).toMatch(/author:\tsam\n[\s\S]*\nGood/);
  });

  test('checkout, create and status in the clone', async () => {
    await gh.ok(['pr', 'checkout', '2'], { cwd: clone });
    expect(await git('branch', '--show-current')).toBe('feature\n');
    await git('checkout', '--quiet', '-b', 'more');
    await commit(clone, { 'more.txt': 'more\n' }, 'More');
    await git('push', '--quiet', '--set-upstream', 'origin', 'more');
    const args = ['pr', 'create', '--title', 'More', '--body', 'Text', '--base', 'main', '--draft'];
    await gh.ok([...args, '--reviewer', 'wanda', '--assignee', '@me'], { cwd: clone });
    expect(await view('3', 'title,isDraft,assignees,reviewRequests')).toMatchObject({
      title: 'More',
      isDraft: true,
      assignees: [{ login: 'olga' }],
      reviewRequests: [{ login: 'wanda' }],
    });
    expect(await gh.ok(['pr', 'status'], { cwd: clone })).toMatch(
      /Current branch\n {2}#3 {2}More \[more\][\s\S]*Created by you\n {2}#3[\s\S]*#2 {2}Turn/,
    );
    expect(await gh.ok(['pr', 'status'], { cwd: clone, login: 'wanda' })).toMatch(
      /Requesting a code review from you\n {2}#3/,
    );
  });

  test('edit, close, reopen', async () => {
    const args = ['pr', 'edit', '3', ...on, '--title', 'Much more', '--add-assignee', 'wanda'];
    await gh.ok([...args, '--remove-reviewer', 'wanda', '--base', 'feature']);
    expect(await view('3', 'title,baseRefName,assignees,reviewRequests')).toMatchObject({
      title: 'Much more',
      baseRefName: 'feature',
      assignees: [{ login: 'olga' }, { login: 'wanda' }],
      reviewRequests: [],
    });
    await gh.ok(['pr', 'close', '3', ...on]);
    expect(await view('3', 'state')).toEqual({ state: 'CLOSED' });
    await gh.ok(['pr', 'reopen', '3', ...on]);
    expect(await view('3', 'state')).toEqual({ state: 'OPEN' });
  });

  test('merge closes the issue', async () => {
    const merge = ['pr', 'merge', '2', ...on, '--squash'];
    const refused = await gh.run(merge, { login: 'sam' });
    expect(refused.stderr).toContain('Must have write access to the repository.');
    await gh.ok([...merge, '--subject', 'Turned', '--delete-branch']);
    expect(await view('2', 'state,mergedBy')).toMatchObject({ state: 'MERGED', mergedBy: { login: 'olga' } });
    const { data } = await gh.opened.as('olga').repos.getCommit({ ...at, ref: 'main' });
    expect(data.commit.message).toMatch(/^Turned\n/);
    expect(await gh.json(['issue', 'view', '1', ...on], 'state')).toEqual({ state: 'CLOSED' });
  });

  test('repo view and list', async () => {
    expect(await gh.ok(['repo', 'view', 'olga/work'])).toContain('# Work');
    const fields = 'name,owner,defaultBranchRef,isPrivate,viewerPermission';
    expect(await gh.json(['repo', 'view', 'olga/work'], fields)).toMatchObject({
      name: 'work',
      owner: { login: 'olga' },
      defaultBranchRef: { name: 'main' },
      viewerPermission: 'ADMIN',
    });
    expect(await gh.ok(['repo', 'list', 'olga'])).toMatch(/^olga\/work\t\tpublic\t/);
  });
});
