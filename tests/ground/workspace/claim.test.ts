// A job takes its folder before it works.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimFolder, jobFiles } from '../../../packages/ground/workspace/job-process.ts';
import { temporary } from './fixture.ts';

test('a folder is taken by one living process', async () => {
  await using room = await temporary();
  expect([await claimFolder(room.path), await claimFolder(room.path)]).toEqual([true, false]);
});

test('a job that was stopped before it began does not begin', async () => {
  await using room = await temporary();
  await writeFile(join(room.path, jobFiles.report), '{}');
  expect(await claimFolder(room.path)).toBe(false);
});
