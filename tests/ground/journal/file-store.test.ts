// A journal in a file, where the disk takes a part of a line only, and where a power cut would lose what is not synced.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporary } from '../workspace/fixture.ts';

/** Appends a short, a long and a short entry in a process of its own. `before`: of its shell; `flags`: of node. */
async function appending(before: string, flags: string) {
  const folder = await temporary();
  const code = `
    import { openFileStore } from '${join(import.meta.dirname, '../../../packages/ground/journal/file-store.ts')}';
    const store = openFileStore('journal', {});
    for (const result of ['one', 'x'.repeat(200_000), 'two'])
      try { store.append([{ t: 'step', key: result.slice(0, 3), result, at: 0 }]); }
      catch (error) { console.log(error.code); }`;
  const command = `${before} "$0" ${flags} --input-type=module -e "$1"`;
  const options = { cwd: folder.path, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, code], options);
  return { folder, stdout, stderr };
}

test('a line that the disk takes in part is none, and the next one stands on a line of its own', async () => {
  const { folder, stdout } = await appending('ulimit -f 64;', '');
  await using at = folder;
  expect(stdout).toBe('EFBIG\n');
  const lines = readFileSync(join(at.path, 'journal'), 'utf8').trimEnd().split('\n');
  expect(lines.slice(1).map(line => JSON.parse(line).key)).toEqual(['one', 'two']);
});

test('every append is synced to the disk', async () => {
  const { folder, stderr } = await appending('', '--trace-event-categories node.fs.sync');
  await using at = folder;
  const trace = readdirSync(at.path).find(name => name.startsWith('node_trace'));
  expect(trace, stderr).toBeDefined();
  // The head and three entries, each with its begin and its end.
  expect(readFileSync(join(at.path, trace!), 'utf8').match(/fs\.sync\.fsync/g)).toHaveLength(8);
});
