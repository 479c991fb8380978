// The figures of `npm run size`, on a tree small enough to count by eye.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { figuresOf } from './figures.ts';

const folder = mkdtempSync(join(tmpdir(), 'echelon-size-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  'package.json': '{"dependencies": {"a": "1", "b": "1"}}\n',
  'src/engine/engine.ts': 'export { run } from "./run/run.ts";\n',
  'src/engine/run/run.ts':
    'export interface RunContext {\n  a: 1;\n}\nexport const run = (): number => {\n  return 1;\n};\n',
  'src/app/app.ts':
    "import { run } from '../engine/run/run.ts';\nimport { forge } from '../../packages/forge/index.ts';\nexport function textOf() {}\n",
  'packages/forge/index.ts': 'export const forge = 1;\n',
  'tests/a.test.ts': '// What it is.\n',
  'README.md': '# Two words\n',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test('counts lines, files, functions, dependencies, and what is imported past an entry point', () => {
  expect(figuresOf(folder)).toMatchObject({
    'lines of source': 11,
    'lines of source without the local GitHub': 10,
    'lines in engine': 7,
    'lines of tests': 1,
    'files of source': 4,
    folders: 4,
    functions: 2,
    'context objects': 1,
    'type conversions': 1,
    'files of engine imported past its entry point': 1,
    'files of forge imported past its entry point': 0,
    'runtime dependencies': 2,
    'words of README and docs': 3,
    'comments that begin with a question word': 1,
  });
});
