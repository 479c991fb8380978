// A repository is its id: another one of the same name shares nothing with it, and a new name changes nothing.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { type Forge, openForge } from '../../../packages/forge/forge.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { openInstallations } from '../../../src/doors/app/installations.ts';

async function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-installations-'));
  const forge: Forge = await openForge({ folder: join(folder, 'forge') });
  const installations = openInstallations({
    ...{ data: join(folder, 'data'), keys: [], secrets: [], secretsPresent: false, web: forge.url },
    model: { provider: 'scripted', script: '{"version":1,"replies":[]}', file: 'script.json' },
    host: { path: process.env['PATH'] ?? '', allows: { isolationNone: false, network: false } },
    log: () => {},
  });
  forge.addUser('olga');
  const client = new Octokit({
    baseUrl: forge.api,
    auth: forge.tokenFor('olga'),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const connection = {
    client,
    bot: 'echelon[bot]',
    token: async () => forge.tokenFor('olga'),
    wait: sharedWait(systemClock),
  };
  return {
    forge,
    installations,
    repository: (id: number, name: string) =>
      installations.repository({ owner: 'olga', name, id }, connection),
    async [Symbol.asyncDispose]() {
      await installations.close();
      await forge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('what is under way ends before a close does', async () => {
  await using at = await openPlace();
  let handled = false;
  const handle = async () => {
    await systemClock.sleep(300);
    handled = true;
  };
  at.installations.track(handle());
  await at.installations.close();
  expect(handled).toBe(true);
});

test('another repository that has taken over a name has a context and a mirror of its own', async () => {
  await using at = await openPlace();
  const one = at.repository(1, 'work');
  const other = at.repository(2, 'work');
  expect(other).not.toBe(one);
  expect(other.mirrorPath).not.toBe(one.mirrorPath);
});

test('a renamed repository keeps its context and its mirror, and is asked for under its new name', async () => {
  await using at = await openPlace();
  const { id } = await at.forge.addRepository({ owner: 'olga', name: 'new' });
  const repository = at.repository(id, 'old');
  await expect(repository.github.defaultBranch()).rejects.toMatchObject({ status: 404 });
  await expect(repository.mirror()).rejects.toThrow();
  expect(at.repository(id, 'new')).toBe(repository);
  expect(repository.github.name).toBe('new');
  expect(await repository.github.defaultBranch()).toBe('main');
  await repository.mirror();
  expect(existsSync(repository.mirrorPath)).toBe(true);
});

test('what came for a repository is not done in the one that has its name now', async () => {
  await using at = await openPlace();
  const { id } = await at.forge.addRepository({ owner: 'olga', name: 'work' });
  await at.forge.call('olga', 'POST', '/repos/olga/work/issues', { title: 'Of the new one' });
  const gone = at.repository(id + 1, 'work').github;
  await expect(gone.thread(1)).rejects.toThrow(`olga/work is another repository now (id ${id})`);
  await expect(gone.defaultBranch()).rejects.toThrow('is another repository now');
});
