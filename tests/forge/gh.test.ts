// GitHub's own command line reads the forge: `gh api`, sent to it as if it were a proxy.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestForge, type TestForge } from './fixture.ts';

const missing = spawnSync('gh', ['--version']).error === undefined ? '' : ' (skipped: gh is missing)';

describe.skipIf(missing !== '')(`gh api${missing}`, () => {
  let opened: TestForge;
  beforeAll(async () => {
    opened = await openTestForge();
    for (const title of ['First', 'Second', 'Third'])
      await opened.forge.call('olga', 'POST', '/repos/olga/work/issues', { title });
    await opened.forge.call('olga', 'POST', '/repos/olga/work/pulls', {
      title: 'Turn',
      head: 'feature',
      base: 'main',
    });
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  /** Standard output of `gh api`; `token` is olga's where none is given. */
  async function gh(args: string[], token = opened.forge.tokenFor('olga')): Promise<string> {
    const env = {
      PATH: process.env['PATH'],
      HOME: opened.root,
      GH_HOST: 'github.localhost',
      GH_TOKEN: token,
      http_proxy: opened.forge.url,
      GH_NO_UPDATE_NOTIFIER: '1',
    };
    return (await promisify(execFile)('gh', ['api', ...args], { env })).stdout;
  }

  test('reads the user', async () => {
    expect(await gh(['user', '--jq', '.login'])).toBe('olga\n');
  });

  test('lists pull requests', async () => {
    const path = 'repos/olga/work/pulls';
    expect(await gh([path, '--jq', '.[] | [.number, .title, .draft] | @tsv'])).toBe('4\tTurn\tfalse\n');
  });

  test('follows the pages of a list', async () => {
    const path = 'repos/olga/work/issues?per_page=2';
    expect(await gh([path, '--paginate', '--jq', '.[].title'])).toBe('Turn\nThird\nSecond\nFirst\n');
  });

  test('creates an issue', async () => {
    const path = 'repos/olga/work/issues';
    expect(await gh([path, '-f', 'title=Fourth', '-f', 'labels[]=bug', '--jq', '.labels[].name'])).toBe(
      'bug\n',
    );
  });

  test('tells a refusal', async () => {
    await expect(gh(['user'], 'ghp_nonsense')).rejects.toMatchObject({
      stderr: 'gh: Bad credentials (HTTP 401)\n',
    });
    await expect(gh(['repos/olga/none'])).rejects.toMatchObject({ stderr: 'gh: Not Found (HTTP 404)\n' });
  });
});
