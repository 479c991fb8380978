// Attestation lookup of doctor, and that its list of files is the one that the release workflow attests.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller } from '../../../src/app/github/octokit.ts';
import { setUpOf } from '../../../src/app/github/set-up.ts';
import { tokenClient } from '../../../src/app/github/token-client.ts';
import { keepsAttestations } from '../../../src/doors/cli/doctor/release.ts';
import { git } from '../../../packages/forge/repositories/git.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { at, commit, openTestForge } from '../../forge/fixture.ts';
import { root } from './run-cli.ts';

test.each([
  ['https://api.github.com', true],
  ['https://api.acme.ghe.com', true],
  ['https://github.example.com/api/v3', false],
  ['http://127.0.0.1:3000/api/v3', false],
])('%s keeps attestations: %s', (api, keeps) => {
  expect(keepsAttestations(api)).toBe(keeps);
});

test('the list of files by the API is the one that the release workflow makes by git', async () => {
  await using t = await openTestForge();
  const clone = await t.clone('olga');
  const files = { 'a/b.txt': '1', 'a-b.txt': '2', 'a.txt': '3', 'Z/z.txt': '4' };
  const ref = await commit(clone, files, 'Files in an order of their own');
  const [, command = ''] =
    /run: (git ls-tree .*) > files\.txt/.exec(
      readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
    ) ?? [];
  const made = execFileSync('sh', ['-c', command], { cwd: clone, encoding: 'utf8' });
  await git(clone, ['push', '--quiet', 'origin', 'main']);
  const client = tokenClient(t.forge.tokenFor('olga'), t.forge.api);
  const setUp = setUpOf(client, caller(systemClock, sharedWait(systemClock)), at);
  expect(await setUp.listing({ ...at, ref })).toBe(made);
});
