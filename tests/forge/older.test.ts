// A forge that was made before tables and columns came in opens, with all that it had.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { laterColumns, schema } from '../../packages/forge/schema.sql.ts';
import { at, openTestForge } from './fixture.ts';

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
  old.exec(`PRAGMA foreign_keys = OFF; ${schema}`);
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

test('a forge without the newer columns and tables keeps what it had', async () => {
  await using t = await openTestForge();
  await t.as('olga').issues.create({ ...at, title: 'Old' });
  await t.forge.close();
  age(join(t.forge.folder, 'forge.sqlite'), ['secret_keys']);
  await t.reopen();
  const { issues, actions } = t.as('olga');
  expect((await issues.get({ ...at, issue_number: 1 })).data.title).toBe('Old');
  expect((await actions.getRepoPublicKey(at)).status).toBe(200);
});
