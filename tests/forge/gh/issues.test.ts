// `gh issue` and `gh label` on the forge.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../fixture.ts';
import { type Desk, ghMissing, openDesk } from './gh.ts';

describe.skipIf(ghMissing !== '')(`gh issue, gh label${ghMissing}`, () => {
  let gh: Desk;
  const on = ['--repo', 'olga/work'];
  beforeAll(async () => {
    gh = await openDesk();
    await gh.opened.as('olga').issues.create({ ...at, title: 'First', body: 'Of *old*', labels: ['bug'] });
    await gh.opened.as('wanda').issues.create({ ...at, title: 'Second', body: 'Asks @tom' });
  });
  afterAll(() => gh[Symbol.asyncDispose]());

  const titles = async (...args: string[]) =>
    ((await gh.json(['issue', 'list', ...on, ...args], 'title')) as { title: string }[]).map(
      ({ title }) => title,
    );

  test('list', async () => {
    expect(await gh.ok(['issue', 'list', ...on])).toMatch(/^2\tOPEN\tSecond\t.*\n1\tOPEN\tFirst\tbug\t/);
    expect(await titles('--label', 'bug')).toEqual(['First']);
    expect(await titles('--author', 'wanda')).toEqual(['Second']);
    expect(await titles('--author', '@me')).toEqual(['First']);
    expect(await titles('--mention', 'tom')).toEqual(['Second']);
    expect(await titles('--assignee', 'tom', '--state', 'all')).toEqual([]);
    expect(await titles('--search', 'old sort:created-asc')).toEqual(['First']);
    expect(await titles('--limit', '1', '--search', 'is:open')).toEqual(['Second']);
  });

  test('create, with labels and assignees', async () => {
    const args = ['issue', 'create', ...on, '--title', 'Third', '--body', 'Text', '--label', 'bug'];
    const out = await gh.ok([...args, '--assignee', 'wanda', '--assignee', '@me']);
    expect(out).toBe(`${gh.opened.forge.url}/olga/work/issues/3\n`);
    expect(await gh.json(['issue', 'view', '3', ...on], 'title,body,labels,assignees')).toMatchObject({
      title: 'Third',
      body: 'Text',
      labels: [{ name: 'bug' }],
      assignees: [{ login: 'olga' }, { login: 'wanda' }],
    });
  });

  test('comment, and view with comments', async () => {
    const url = await gh.ok(['issue', 'comment', '1', ...on, '--body', 'By gh'], { login: 'sam' });
    expect(url).toMatch(/\/olga\/work\/issues\/1#issuecomment-\d+\n$/);
    await gh.ok(['issue', 'comment', '1', ...on, '--edit-last', '--body', 'By gh, again'], { login: 'sam' });
    expect(await gh.ok(['issue', 'view', '1', ...on])).toMatch(
      /^title:\tFirst\nstate:\tOPEN\nauthor:\tolga\nlabels:\tbug\ncomments:\t1\n[\s\S]*Of \*old\*\n$/,
    );
    expect(await gh.ok(['issue', 'view', '1', ...on, '--comments'])).toMatch(
      /^author:\tsam\nassociation:\tnone\nedited:\ttrue\n[\s\S]*By gh, again/,
    );
  });

  test('edit', async () => {
    const args = ['issue', 'edit', '1', ...on, '--title', 'First again', '--body', 'New'];
    await gh.ok([...args, '--remove-label', 'bug', '--add-assignee', 'wanda']);
    expect(await gh.json(['issue', 'view', '1', ...on], 'title,body,labels,assignees')).toMatchObject({
      title: 'First again',
      body: 'New',
      labels: [],
      assignees: [{ login: 'wanda' }],
    });
    const refused = await gh.run(['issue', 'edit', '1', ...on, '--title', 'Taken'], { login: 'sam' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Must have triage access to the repository.');
  });

  test('close and reopen, lock and unlock', async () => {
    await gh.ok(['issue', 'close', '2', ...on, '--reason', 'not planned', '--comment', 'Bye']);
    const { data } = await gh.opened.as('olga').issues.get({ ...at, issue_number: 2 });
    expect(data).toMatchObject({ state: 'closed', state_reason: 'not_planned', comments: 1 });
    await gh.ok(['issue', 'reopen', '2', ...on]);
    await gh.ok(['issue', 'lock', '2', ...on, '--reason', 'too_heated']);
    const late = await gh.run(['issue', 'comment', '2', ...on, '--body', 'Late'], { login: 'sam' });
    expect(late.stderr).toContain('Unable to create comment because issue is locked.');
    await gh.ok(['issue', 'unlock', '2', ...on]);
    expect(await gh.json(['issue', 'view', '2', ...on], 'state')).toEqual({ state: 'OPEN' });
  });

  test('status', async () => {
    expect(await gh.ok(['issue', 'status', ...on], { login: 'wanda' })).toMatch(
      /Issues assigned to you\n[\s\S]*First again[\s\S]*Issues opened by you\n.*Second/,
    );
  });

  test('label list, create, edit, delete', async () => {
    await gh.ok(['label', 'create', 'shiny', ...on, '--color', 'ff0000', '--description', 'Gleams']);
    await gh.ok(['label', 'edit', 'shiny', ...on, '--name', 'dull']);
    expect(await gh.ok(['label', 'list', ...on])).toBe('bug\t\t#ededed\ndull\tGleams\t#ff0000\n');
    expect(await gh.ok(['label', 'list', ...on, '--search', 'gleam'])).toBe('dull\tGleams\t#ff0000\n');
    await gh.ok(['label', 'delete', 'dull', ...on, '--yes']);
    expect(await gh.ok(['label', 'list', ...on])).toBe('bug\t\t#ededed\n');
  });

  test('search issues', async () => {
    const found = await gh.ok(['search', 'issues', 'again', '--repo', 'olga/work', '--json', 'number']);
    expect(JSON.parse(found)).toEqual([{ number: 1 }]);
  });

  test('what the forge lacks is named', async () => {
    const { code, stderr } = await gh.run(['issue', 'pin', '1', ...on]);
    expect(code).toBe(1);
    expect(stderr).toContain("Field 'pinIssue' doesn't exist on type 'Mutation'");
  });
});
