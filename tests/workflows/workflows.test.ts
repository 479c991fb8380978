// The workflow files are held against GitHub's own parser and the forge's reader; the linters' findings fail the check.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { table } from '../../src/app/commands/table.ts';
import { holds } from '../../packages/forge/actions/expressions.ts';
import { schemaProblems, readWorkflow } from '../../packages/forge/actions/workflow-file.ts';
import { workflowFiles } from './lint.ts';

const root = resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

test('all workflows are found', () => {
  const tracked = execFileSync('git', ['ls-files', '*.yml'], { cwd: root, encoding: 'utf8' }).split('\n');
  const workflows = tracked.filter(
    file => file && /^jobs:/m.test(textOf(file)) && !file.startsWith('tests/'),
  );
  expect(workflowFiles(root).toSorted()).toEqual(workflows.toSorted());
});

describe.each(workflowFiles(root))('%s', file => {
  test("has no problem for GitHub's parser", async () => {
    expect(await schemaProblems(file, textOf(file))).toEqual([]);
  });

  // A timetable, a tag and an attestation are GitHub's: the forge says so, with file and line.
  test.skipIf(/(?:ci|release)\.yml$/.test(file))('can be carried out by the forge', async () => {
    expect((await readWorkflow(file, textOf(file))).jobs.length).toBeGreaterThan(0);
  });

  test('gives nothing to a job that does not ask for it', () => {
    expect(parse(textOf(file)).permissions).toEqual({});
  });

  test('names actions of others by their commit', () => {
    const used = [...textOf(file).matchAll(/\buses: (\S+)/g)].map(([, name]) => name ?? '');
    const others = used.filter(name => !/^(\$\/|echelon-org\/echelon[/@])/.test(name));
    expect(others.filter(name => !/@[\da-f]{40}$/.test(name))).toEqual([]);
  });
});

describe('a repository starts a runner', () => {
  const { if: condition } = parse(textOf('src/doors/cli/init/echelon.yml')).jobs.run;
  const starts = (event_name: string, event: object) =>
    holds(condition, {
      contexts: {
        github: JSON.parse(JSON.stringify({ event_name, event, repository: 'you/work' })),
        inputs: {},
      },
      status: { success: true, failure: false, cancelled: false },
    });
  const comment = (body: string, { type = 'User', labels = ['bug'] } = {}) =>
    starts('issue_comment', {
      comment: { body, user: { type } },
      issue: { number: 1, labels: labels.map(name => ({ name })) },
    });

  test.each(table.map(({ name }) => name))('for the command %s, wherever a line begins with it', name => {
    const written = [`/${name}`, `/${name.toUpperCase()} all`, `Thanks!\r\n/${name} all`, `Yes.\n/${name}`];
    expect([...written, `/echelon ${name}`].filter(body => !comment(body))).toEqual([]);
  });

  test('for a command mistyped on an issue with the label, which is answered', () => {
    expect(comment('/aprove', { labels: ['bug', 'echelon'] })).toBe(true);
  });

  test.each([
    'See src /usr and this / that.',
    'I would /approve this.',
    ' /approve',
    '> /approve',
    '`/approve`',
  ])('not for %j on an issue with the label: no line begins with a slash', body => {
    expect(comment(body, { labels: ['echelon'] })).toBe(false);
  });

  test('for the label put on or taken off, and for a person who asks', () => {
    for (const action of ['labeled', 'unlabeled'])
      for (const name of ['echelon', 'Echelon'])
        expect(starts('issues', { action, label: { name } })).toBe(true);
    expect(starts('workflow_dispatch', { inputs: { directive: '1' } })).toBe(true);
  });

  test.each([
    'Looks good.',
    'See https://example.com/status and src/plan.ts, and/or the help.',
    '/lgtm',
    '/usr/bin/env is where it is',
    '',
  ])('not for the comment %j', body => {
    expect(comment(body)).toBe(false);
  });

  const issue = (body: string, ...labels: string[]) => ({ body, labels: labels.map(name => ({ name })) });
  test('where a directive or one of its sub-issues is closed or opened again, and for no other issue', () => {
    const closed = (given: object) => starts('issues', { action: 'closed', issue: given });
    expect(closed(issue('Mine.', 'echelon'))).toBe(true);
    expect(closed(issue('Mine.', 'bug', 'ECHELON'))).toBe(true);
    expect(closed(issue('Ours.\n\n<!-- echelon:op=0123456789abcdef0123 -->', 'bug'))).toBe(true);
    expect(closed(issue('Nobody’s.', 'bug'))).toBe(false);
  });

  test('where somebody takes one of its sub-issues, or puts a WIP label on it, and for no other issue or label', () => {
    const ours = issue('Ours.\n\n<!-- echelon:op=0123456789abcdef0123 -->', 'bug');
    const wip = { name: 'wip' };
    expect(starts('issues', { action: 'assigned', issue: ours })).toBe(true);
    expect(starts('issues', { action: 'unassigned', issue: issue('Mine.', 'bug') })).toBe(false);
    expect(starts('issues', { action: 'unlabeled', issue: ours, label: wip })).toBe(true);
    expect(starts('issues', { action: 'labeled', issue: ours, label: { name: 'bug' } })).toBe(false);
    expect(starts('issues', { action: 'labeled', issue: issue('Mine.', 'bug'), label: wip })).toBe(false);
  });

  const pull = (ref: string, full_name = 'you/work') => ({ head: { ref, repo: { full_name } } });
  test.each(['pull_request', 'pull_request_review'])('by a %s of ours, and by no other one', name => {
    expect(starts(name, { action: 'closed', pull_request: pull('echelon/0123abcd/2-a-mark') })).toBe(true);
    expect(starts(name, { action: 'closed', pull_request: pull('a-fix') })).toBe(false);
    const labelled = (label: string) =>
      starts(name, { action: 'labeled', label: { name: label }, pull_request: pull('echelon/x/2-a') });
    expect([labelled('WIP'), labelled('bug'), labelled('echelon')]).toEqual([true, false, false]);
    expect(starts(name, { action: 'closed', pull_request: pull('echelon/x', 'sam/work') })).toBe(false);
  });

  test('not for what a bot writes, nor for another label', () => {
    expect(comment('/approve', { type: 'Bot', labels: ['echelon'] })).toBe(false);
    expect(starts('issues', { action: 'labeled', label: { name: 'bug' } })).toBe(false);
  });
});

describe('the check', () => {
  let bin: string;
  beforeEach(() => {
    bin = mkdtempSync(join(tmpdir(), 'echelon-linters-'));
  });
  afterEach(() => rmSync(bin, { recursive: true, force: true }));

  /** Puts a linter on the path that ends so. */
  function install(name: string, code: number, says = ''): void {
    writeFileSync(join(bin, name), `#!/bin/sh\necho '${says}'\nexit ${code}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const check = (env: Record<string, string> = {}) => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'lint.ts')], {
      encoding: 'utf8',
      env: { PATH: bin, ...env },
    });
    return { status, lines: stderr.split('\n').filter(Boolean) };
  };

  test('says in a line each which linters are missing, and goes on', () => {
    expect(check()).toEqual({
      status: 0,
      lines: ['actionlint', 'zizmor'].map(
        name => `${name} is not installed: the workflows are not held against it`,
      ),
    });
  });

  test('fails for a missing one on a runner of GitHub', () => {
    install('actionlint', 0);
    expect(check({ GITHUB_ACTIONS: 'true' }).status).toBe(1);
  });

  test('fails with what a linter found', () => {
    install('actionlint', 0);
    install('zizmor', 14, 'unpinned action');
    expect(check()).toEqual({ status: 1, lines: ['zizmor:', 'unpinned action'] });
  });

  test('says nothing where all is well', () => {
    install('actionlint', 0);
    install('zizmor', 0);
    expect(check({ GITHUB_ACTIONS: 'true' })).toEqual({ status: 0, lines: [] });
  });
});
