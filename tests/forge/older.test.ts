// A forge that was made before tables and columns came in opens, with all that it had.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { laterColumns, schema } from '../../src/forge/schema.sql.ts';
import { at, installTestApp, openReceiver, openTestForge } from './fixture.ts';

/** Moves the rows into a file of the first tables, without the columns that came later. */
function age(file: string, without: string[]): void {
  const young = new DatabaseSync(file);
  const dump = young
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => ({ name: String(name), rows: young.prepare(`SELECT * FROM ${name}`).all() }));
  young.close();
  rmSync(file);
  const old = new DatabaseSync(file);
  const bound = schema.replace(
    'app_id INTEGER REFERENCES apps, guid',
    'app_id INTEGER NOT NULL REFERENCES apps, guid',
  );
  expect(bound).not.toBe(schema);
  old.exec(`PRAGMA foreign_keys = OFF; ${bound}`);
  for (const table of without) old.exec(`DROP TABLE ${table}`);
  for (const { name, rows } of dump.filter(table => !without.includes(table.name)))
    for (const row of rows) {
      const kept = Object.entries(row).filter(([column]) => !(column in (laterColumns[name] ?? {})));
      const columns = kept.map(([column]) => column).join();
      const places = kept.map(() => '?').join();
      old
        .prepare(`INSERT INTO ${name} (${columns}) VALUES (${places})`)
        .run(...kept.map(([, value]) => value));
    }
  old.close();
}

test('issues of an older forge can be planned', async () => {
  await using t = await openTestForge();
  await t.as('olga').issues.create({ ...at, title: 'Old' });
  await t.forge.close();
  age(join(t.forge.folder, 'forge.sqlite'), ['milestones']);
  await t.reopen();
  const { issues } = t.as('olga');
  expect((await issues.get({ ...at, issue_number: 1 })).data).toMatchObject({
    title: 'Old',
    milestone: null,
  });
  const { data } = await issues.createMilestone({ ...at, title: 'New' });
  await issues.update({ ...at, issue_number: 1, milestone: data.number });
  await issues.deleteMilestone({ ...at, milestone_number: data.number });
  expect((await issues.get({ ...at, issue_number: 1 })).data.milestone).toBeNull();
});

test('deliveries of an older forge are kept, and hooks send besides', async () => {
  await using t = await openTestForge();
  await using hook = await openReceiver();
  installTestApp(t.forge, hook.url);
  await t.as('olga').issues.create({ ...at, title: 'Old' });
  await t.forge.webhooksSettled();
  const before = t.forge.deliveries();
  await t.forge.close();
  age(join(t.forge.folder, 'forge.sqlite'), ['milestones', 'hooks']);
  await t.reopen();
  expect(t.forge.deliveries()).toEqual(before);
  await t
    .as('olga')
    .repos.createWebhook({ ...at, config: { url: hook.url, content_type: 'json' }, events: ['issues'] });
  await t.as('olga').issues.create({ ...at, title: 'New' });
  await t.forge.webhooksSettled();
  expect(hook.received.map(({ event }) => event).sort()).toEqual(['issues', 'issues', 'issues', 'ping']);
  const ids = t.forge.deliveries().map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  await t.reopen();
  expect(t.forge.deliveries().map(({ id }) => id)).toEqual(ids);
});
