// Compiled code of one process is available to the next: for the command line, and for a job.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

test('a thread of the sandbox has what an earlier one compiled', () => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-compiled-'));
  try {
    const { stdout } = spawnSync(process.execPath, [join(doors, 'cli/echelon.js'), 'task', 'js', '-'], {
      env: { NODE_COMPILE_CACHE: folder },
      input: 'return 1',
      encoding: 'utf8',
    });
    expect(stdout).toBe('1\n');
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    // Only the thread loads it.
    expect(kept.some(text => text.includes('function prepareInterpreter('))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
