// A change of the dependencies: its lock file is brought up to date, and they are installed before its tests run.
import { expect, test } from 'vitest';
import { productTemplates } from '../../../src/engine/runtime/commit-templates.ts';
import { bubblewrapFault } from '../../../packages/ground/workspace/isolation.ts';
import { director, evaluator } from '../../dialogue/script.ts';
import { repository } from '../../ground/workspace/fixture.ts';
import { playJob } from './play-job.ts';

const isolation = (await bubblewrapFault()) === undefined ? 'bubblewrap' : 'none';
const manifest = { name: 'work', version: '1.0.0' };
const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest } };
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** An engineer that writes these files, judged once by the tests. */
async function worked(files: Record<string, string>, { setup, tests }: { setup: string; tests: string }) {
  await using place = await repository({
    '.gitignore': 'node_modules/\n',
    'package.json': json(manifest),
    'package-lock.json': json(lock),
    'lib/package.json': json({ name: 'lib', version: '2.0.0' }),
    'lib/index.js': 'module.exports = 1;\n',
  });
  let judged = '';
  const played = await playJob(
    place,
    'job',
    [...director('Add a mark', files), evaluator('Add a mark', true)],
    {
      ...{ library: [productTemplates()], isolation, setup: { command: setup, base: place.base } },
      settings: { test_command: tests, rounds: '1' },
    },
    { calls: [], spent: [], before: async request => void (judged = JSON.stringify(request.messages)) },
  );
  return { ...played, judged };
}

const adds = { 'package.json': json({ ...manifest, dependencies: { lib: 'file:./lib' } }) };

test('a package that a manifest names is locked and installed, and the lock file is part of the change', async () => {
  const { report, files, patch } = await worked(adds, {
    setup: 'npm ci --no-audit --no-fund && echo >> ~/installed',
    tests: '[ "$(wc -l < ~/installed)" = 2 ] && node -e "require(\'lib\')"',
  });
  expect(report).toMatchObject({ kind: 'bundle', tests: { exit_code: 0 } });
  expect(files).toEqual(['package-lock.json', 'package.json']);
  expect(patch).toContain('+    "node_modules/lib": {');
});

test('a change that touches neither installs nothing again', async () => {
  const { report } = await worked(
    { 'a.js': '1;\n' },
    { setup: 'echo >> ~/installed', tests: '[ "$(wc -l < ~/installed)" = 1 ]' },
  );
  expect(report).toMatchObject({ kind: 'bundle', tests: { exit_code: 0 } });
});

test('a setup that fails for the change is told in the place of its tests, and no change is accepted', async () => {
  const { report, judged } = await worked(adds, {
    setup: '! grep -q lib package.json || { echo no such package; exit 4; }',
    tests: 'true',
  });
  expect(judged).toContain('exited 4');
  expect(judged).toContain('no such package');
  expect(report).toMatchObject({ kind: 'failed', class: 'rejected' });
});
