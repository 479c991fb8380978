// `mode: fetch`: what a job needs of the repository is there when the token is gone, and so is the server.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchMode } from '../../../src/doors/action/fetch-mode.ts';
import { openMirror } from '../../../packages/ground/workspace/mirror.ts';
import { date, repository } from '../../ground/workspace/fixture.ts';

test('branches that are tested together can be merged in any order after it, without the server', async () => {
  await using repo = await repository({ a: '1\n2\n3\n', 'dir/b': 'b' });
  const left = await repo.commit({ a: '0\n2\n3\n' }, 'left');
  const right = await repo.commit({ a: '1\n2\n4\n', 'dir/c': 'c' }, 'right');
  const folder = join(repo.path, 'jobs', 'together');
  const mirror = join(repo.path, 'fetched.git');
  await mkdir(folder, { recursive: true });
  const spec = {
    ...{ version: 1, kind: 'integration', op: 'together', repository: 'o/r', directive: 1, base: repo.base },
    ...{ mirror: '', isolation: 'none', network: 'none', command: 'true', before: null, green: [] },
    limits: { attempt_ms: 60_000, stuck_ms: 60_000 },
    branches: [
      { issue: 2, commit: left },
      { issue: 3, commit: right },
    ],
  };
  await writeFile(join(folder, 'job.json'), JSON.stringify(spec));
  const code = await fetchMode(folder, {
    ...{ INPUT_TOKEN: 'a-token-of-the-job', INPUT_MIRROR: mirror },
    GITHUB_SERVER_URL: `file://${dirname(repo.server)}`,
    GITHUB_REPOSITORY: basename(repo.server, '.git'),
  });
  expect(code).toBe(0);
  await rm(repo.server, { recursive: true });
  const fetched = await openMirror({ folder: mirror, url: '' });
  for (const order of [
    [left, right],
    [right, left],
  ]) {
    const merged = await fetched.merge([repo.base, ...order], { message: 'Together', date });
    const commit = 'commit' in merged ? merged.commit : '';
    expect(String(await fetched.readFile(commit, 'a', 99))).toBe('0\n2\n4\n');
    expect((await fetched.listFiles(commit)).map(({ path }) => path)).toEqual(['a', 'dir/b', 'dir/c']);
  }
});
