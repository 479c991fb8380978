// What Node compiled of the source for one process is there for the next: of the command line, and of a job.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const doors = join(import.meta.dirname, '../../src/doors');

test.each([
  { entry: 'cli/echelon.js', loads: 'cli/cli.ts', args: ['--version'] },
  { entry: 'action/job.js', loads: 'action/action.ts', args: [] },
])('$entry takes $loads compiled', ({ entry, loads, args }) => {
  const start = () =>
    spawnSync(process.execPath, [join(doors, entry), ...args], {
      env: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
      encoding: 'utf8',
    }).output.join('\n');
  start();
  expect(start()).toContain(`V8 code cache for ESM file://${join(doors, loads)} was accepted`);
});
