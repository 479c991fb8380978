// The engine and the forge stand where the rest of the house is absent, and what tries it finds what they would lack.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../action/build.ts';
import { entries, failsAlone, quick } from './wings.ts';

test.each(Object.keys(entries))('the %s has its types and is bundled alone', async wing => {
  expect(await failsAlone(wing, root, quick)).toBe('');
});

const engine = 'src/engine/engine.ts';
const app = { 'src/app/run/a.ts': 'export const a = 1;' };

test.each<{ name: string; files: Record<string, string>; step: number; says: RegExp }>([
  {
    name: 'types of the app',
    files: { ...app, [engine]: "import type { a } from '../app/run/a.ts';\nexport type B = typeof a;" },
    step: 0,
    says: /engine\.ts.*'\.\.\/app\/run\/a\.ts'/,
  },
  {
    name: 'a test that takes something of the app',
    files: { ...app, [engine]: '', 'tests/engine/a.test.ts': "import '../../src/app/run/a.ts';" },
    step: 0,
    says: /a\.test\.ts.*'\.\.\/\.\.\/src\/app\/run\/a\.ts'/,
  },
  {
    name: 'code of the app, in the bundle',
    files: { ...app, [engine]: "import { a } from '../app/run/a.ts';\nconsole.log(a);" },
    step: 1,
    says: /Could not resolve '\.\.\/app\/run\/a\.ts'/,
  },
])('an engine that lacks $name does not stand alone', async ({ files, step, says }) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-wings-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    expect(await failsAlone('engine', folder, quick.slice(step, step + 1))).toMatch(says);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
