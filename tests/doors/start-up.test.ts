// Modules that a process loads before it knows its command, so that a short answer is quick.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './cli/run-cli.ts';
import { loadsOf, tellingLoads } from './loads.ts';

function loadedBy(entry: string, ...args: string[]): string[] {
  const { stderr } = spawnSync(process.execPath, ['--import', tellingLoads, join(root, entry), ...args], {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  return loadsOf(stderr);
}

test.each([
  'src/doors/cli/echelon.js --version',
  'src/doors/cli/echelon.js events',
  'src/doors/cli/echelon.js task --help',
  'src/doors/action/job.js',
])('%s loads no package', call => {
  const [entry = '', ...args] = call.split(' ');
  const loaded = loadedBy(entry, ...args);
  expect(loaded).toContain(join(root, entry));
  expect(loaded.filter(file => file.includes('/node_modules/'))).toEqual([]);
});

test('a folder is indexed without the language and its packages', () => {
  const loaded = loadedBy('src/doors/cli/echelon.js', 'task', 'index', '--help');
  expect(loaded).toContain(join(root, 'src/engine/tasks/memory/refresh.ts'));
  expect(loaded.filter(file => /node_modules\/saxes|engine\/language\/program/.test(file))).toEqual([]);
});
