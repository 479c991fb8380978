// An older Node on the system: `npm ci` says nothing of it, and the command line runs under the Node that it installed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempDisposableSync, mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const path = 'src/doors/cli/echelon.js';
const old = ['/usr/bin/node', '/usr/local/bin/node'].find(node => {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return /^v(?:1\d|2[0-3])\./.test(stdout ?? '');
});
const isBrought = existsSync(join(root, 'node_modules/.bin/node'));
const why = old === undefined ? 'there is no old Node' : isBrought ? '' : 'none is brought along here';

describe.skipIf(why !== '')(`an old Node${why && ` (skipped: ${why})`}`, () => {
  const run = (file: string, ...args: string[]) =>
    spawnSync(old ?? '', [file, ...args], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });

  test('goes on under the newer one, with its output and its exit code', () => {
    expect(run(join(root, path), '--version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
    expect(run(join(root, path), 'nonsense')).toMatchObject({ status: 2 });
  });

  test('says what is needed where there is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'echelon-old-node-'));
    try {
      mkdirSync(join(folder, 'src/doors/cli'), { recursive: true });
      cpSync(join(root, path), join(folder, 'src/doors/cli/echelon.mjs'));
      const ran = run(join(folder, 'src/doors/cli/echelon.mjs'), '--version');
      expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('needs Node 24 or newer') });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

// npm compares `engines` with process.version, so a stand-in for that is an older Node to it.
const preload = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'version', { value: process.env.VERSION })")}`;

test.each(['v20.20.2', 'v22.12.0', 'v24.0.0'])('`npm ci` under Node %s prints no warning', version => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'echelon-npm-ci-'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(root, file), join(folder.path, file));
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--ignore-scripts', '--offline'], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], VERSION: version, NODE_OPTIONS: `--import=${preload}` },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('no dependency is deprecated', () => {
  expect(Object.entries(lock.packages).filter(([, entry]) => 'deprecated' in entry)).toEqual([]);
});
