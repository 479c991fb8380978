// A forge that was made before tables and columns came in opens, with all that it had.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { at, openTestForge } from './fixture.ts';

test('a forge without the newer columns and tables keeps what it had', async () => {
  await using t = await openTestForge();
  await t.as('olga').issues.create({ ...at, title: 'Old' });
  await t.forge.close();
  const old = new DatabaseSync(join(t.forge.folder, 'forge.sqlite'));
  old.exec('DROP TABLE secret_keys');
  for (const column of ['repositories DROP selected_actions', 'repositories DROP homepage', 'jobs DROP key'])
    old.exec(`ALTER TABLE ${column}`);
  old.close();
  await t.reopen();
  const { issues, actions, repos } = t.as('olga');
  expect((await issues.get({ ...at, issue_number: 1 })).data.title).toBe('Old');
  expect((await actions.getRepoPublicKey(at)).status).toBe(200);
  await actions.setGithubActionsPermissionsRepository({ ...at, enabled: true, allowed_actions: 'selected' });
  expect((await actions.getAllowedActionsRepository(at)).data.github_owned_allowed).toBe(true);
  expect((await repos.get(at)).data.homepage).toBe(null);
});
