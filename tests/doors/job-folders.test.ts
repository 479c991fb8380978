// Hostile content in place of a job's report: none of it stops the reader.
import { join } from 'node:path';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { jobFolders } from '../../src/doors/app/jobs-on-actions.ts';
import { temporary } from '../ground/workspace/fixture.ts';

test.for<[what: string, make: (path: string) => Promise<unknown>, read: string | undefined]>([
  ['a report', path => writeFile(path, '{}'), '{}'],
  ['nothing', async () => {}, undefined],
  ['a folder', path => mkdir(path), undefined],
  ['a link', path => symlink('/etc/passwd', path), undefined],
  ['a megabyte', path => writeFile(path, 'x'.repeat(1 << 20)), undefined],
])('%s in the place of the report', async ([, make, read]) => {
  await using room = await temporary();
  const folders = jobFolders(join(room.path, 'jobs'), join(room.path, 'handed'));
  await mkdir(folders.path('op'), { recursive: true });
  await make(join(folders.path('op'), 'report.json'));
  expect(await folders.read('op', 'report')).toBe(read);
});
