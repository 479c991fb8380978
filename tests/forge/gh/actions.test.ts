// Workflows, their runs, secrets: by GitHub's own command line.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onThisMachine } from '../../../packages/forge/runner/carry-out.ts';
import { openTestForge, type TestForge } from '../fixture.ts';
import { gh, ghMissing } from './gh.ts';

const ci = `name: CI
on:
  push:
  workflow_dispatch:
    inputs:
      fails: { type: boolean, default: false }
jobs:
  build:
    name: build one
    runs-on: ubuntu-latest
    steps:
      - run: echo "built \${{ secrets.NAME }} \${{ vars.PLACE }}" > out; cat out
      - uses: actions/upload-artifact@v4
        with: { name: out, path: out }
  test:
    needs: build
    runs-on: ubuntu-latest
    steps:
      - name: Say it
        run: echo tested; exit \${{ inputs.fails && 1 || 0 }}
`;

describe.skipIf(ghMissing !== '')(`gh${ghMissing}`, () => {
  let t: TestForge;
  const R = ['-R', 'olga/work'];
  const run = async (...args: string[]) => await gh(t, [...args, ...R]);
  /** Standard output of what has to succeed. */
  const said = async (...args: string[]): Promise<string> => {
    const done = await run(...args);
    expect(done).toMatchObject({ code: 0 });
    return done.stdout;
  };
  /** The newest run, when it has ended. */
  const newest = async (): Promise<{ id: string; conclusion: string }> => {
    for (;;) {
      const list = JSON.parse(await said('run', 'list', '-L', '1', '--json', 'databaseId,status,conclusion'));
      const [{ databaseId, status, conclusion } = { databaseId: 0, status: '', conclusion: '' }] = list;
      if (status === 'completed') return { id: String(databaseId), conclusion };
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  const dispatched = async (...inputs: string[]) => {
    await said('workflow', 'run', 'ci.yml', '--ref', 'main', ...inputs.flatMap(each => ['-f', each]));
    return await newest();
  };

  beforeAll(async () => {
    t = await openTestForge({ runner: { carryOut: onThisMachine('/usr/local/bin:/usr/bin:/bin') } });
    const content = Buffer.from(ci).toString('base64');
    const path = '/repos/olga/work/contents/.github/workflows/ci.yml';
    expect(await t.forge.call('olga', 'PUT', path, { message: 'CI', content })).toMatchObject({
      status: 201,
    });
    await newest();
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test('workflow list, view, run', async () => {
    expect(await said('workflow', 'list')).toMatch(/^CI\tactive\t\d+\n$/);
    expect(await said('workflow', 'view', 'ci.yml', '--yaml')).toBe(ci);
    expect(await dispatched()).toMatchObject({ conclusion: 'success' });
    expect(await said('workflow', 'view', 'ci.yml')).toContain('success\tCI\tCI\tmain\tworkflow_dispatch');
    expect(await run('workflow', 'run', 'ci.yml', '--ref', 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No ref found for: none'),
    });
  });

  test('workflow disable and enable', async () => {
    await said('workflow', 'disable', 'ci.yml');
    expect(await said('workflow', 'list')).toBe('');
    expect(await said('workflow', 'list', '--all')).toContain('disabled_manually');
    const before = (await newest()).id;
    expect(await run('workflow', 'run', 'ci.yml', '--ref', 'main')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('disabled workflow'),
    });
    const put = { message: 'Push', content: Buffer.from('x').toString('base64') };
    await t.forge.call('olga', 'PUT', '/repos/olga/work/contents/pushed.txt', put);
    await said('workflow', 'enable', 'ci.yml');
    expect((await newest()).id).toBe(before);
    expect(await said('workflow', 'list')).toMatch(/^CI\tactive/);
  });

  test('secrets reach the workflow masked, variables as they are, and no answer has the secret', async () => {
    expect((await gh(t, ['secret', 'set', 'name', ...R], { input: 'a-secret-value' })).code).toBe(0);
    await t.forge.call('olga', 'POST', '/repos/olga/work/actions/variables', {
      name: 'PLACE',
      value: 'here',
    });
    expect(await said('secret', 'list')).toMatch(/^NAME\t20/);
    const { id } = await dispatched();
    const log = await said('run', 'view', id, '--log');
    expect(log).toContain('built *** here');
    expect(log).not.toContain('a-secret-value');
    await said('secret', 'delete', 'NAME');
    expect(await said('secret', 'list')).toBe('');
    expect(await run('secret', 'delete', 'NAME')).toMatchObject({ code: 1 });
    expect(await run('secret', 'set', 'GITHUB_X', '--body', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must not start with GITHUB_'),
    });
  });

  test('run list, view, watch, download', async () => {
    const { id, conclusion } = await dispatched('fails=true');
    expect(conclusion).toBe('failure');
    expect(await said('run', 'list', '-L', '1')).toContain(
      `completed\tfailure\tCI\tCI\tmain\tworkflow_dispatch\t${id}`,
    );
    const view = await said('run', 'view', id);
    expect(view).toMatch(/✓ build one in .*\(ID \d+\)/);
    expect(view).toMatch(/X test in .*\(ID \d+\)/);
    expect(await run('run', 'view', id, '--exit-status')).toMatchObject({ code: 1 });
    expect(await run('run', 'watch', id, '--exit-status')).toMatchObject({ code: 1 });
    const log = await said('run', 'view', id, '--log');
    expect(log).toMatch(/^test\tSay it\t\S+ tested$/m);
    expect(await said('run', 'view', id, '--log-failed')).not.toContain('built');
    const folder = join(t.root, 'downloaded');
    mkdirSync(folder);
    expect(await gh(t, ['run', 'download', id, ...R], { cwd: folder })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(readFileSync(join(folder, 'out', 'out'), 'utf8')).toBe('built  here\n');
    expect(existsSync(join(t.root, 'out'))).toBe(false);
  });

  test('run rerun: what failed, all; cancel of what is over', async () => {
    const { id } = await dispatched('fails=true');
    const jobs = async () => {
      const { body } = await t.forge.call('olga', 'GET', `/repos/olga/work/actions/runs/${id}/jobs`);
      return (body as { jobs: { name: string; conclusion: string }[] }).jobs;
    };
    const logged = async () =>
      (await said('run', 'view', id, '--log')).match(/^(build|test).*/gm)?.length ?? 0;
    const before = await logged();
    await said('run', 'rerun', id, '--failed');
    expect(await newest()).toEqual({ id, conclusion: 'failure' });
    expect((await jobs()).map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ['build one', 'success'],
      ['test', 'failure'],
    ]);
    // The log of a job that was kept is the one it had.
    expect(await logged()).toBe(before);
    await said('run', 'rerun', id);
    await newest();
    expect(await run('run', 'cancel', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cannot cancel a workflow run that is completed'),
    });
  });

  test('run cancel ends one that works', async () => {
    const text =
      'on: workflow_dispatch\njobs:\n  long:\n    runs-on: ubuntu-latest\n    steps:\n      - run: exec sleep 60\n';
    const put = { message: 'Long', content: Buffer.from(text).toString('base64') };
    await t.forge.call('olga', 'PUT', '/repos/olga/work/contents/.github/workflows/long.yml', put);
    await newest();
    await said('workflow', 'run', 'long.yml', '--ref', 'main');
    const list = JSON.parse(await said('run', 'list', '-L', '1', '--json', 'databaseId,status'));
    const id = String(list[0].databaseId);
    await said('run', 'cancel', id);
    expect(await newest()).toEqual({ id, conclusion: 'cancelled' });
  });
});
