// The rules of the house hold for src/, and the check finds what breaks them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLayers } from './check.ts';

const root = join(import.meta.dirname, '../..');

test('src/ keeps the rules', () => {
  expect(checkLayers(root)).toEqual([]);
});

test.each<{ name: string; files: Record<string, string>; finds: string }>([
  {
    name: 'an import that goes up',
    files: { 'src/lib/a.ts': "import { b } from '../run/b.ts';", 'src/run/b.ts': '' },
    finds: 'imports go down only',
  },
  {
    name: 'an import across a floor',
    files: { 'src/cascade/a.ts': "import '../engineer/b.ts';", 'src/engineer/b.ts': '' },
    finds: 'imports go down only',
  },
  {
    name: 'a dynamic import that goes up',
    files: { 'src/lib/a.ts': "const b = await import('../run/b.ts');", 'src/run/b.ts': '' },
    finds: 'imports go down only',
  },
  {
    name: 'a cycle',
    files: { 'src/run/a.ts': "import './b.ts';", 'src/run/b.ts': "export { a } from './a.ts';" },
    finds: 'cycle: src/run/a.ts -> src/run/b.ts -> src/run/a.ts',
  },
  {
    name: 'the environment outside of main/',
    files: { 'src/run/a.ts': 'const x = process.env.HOME;' },
    finds: 'the environment is read in src/main/ only',
  },
  {
    name: 'the environment by another way',
    files: { 'src/run/a.ts': "const x = process['env'];" },
    finds: 'the environment is read in src/main/ only',
  },
  {
    name: 'an SDK in another room',
    files: { 'src/run/a.ts': "import Anthropic from '@anthropic-ai/sdk';" },
    finds: 'belongs to models/ only',
  },
  {
    name: 'Octokit in another room',
    files: { 'src/run/a.ts': "import type { Octokit } from '@octokit/rest';" },
    finds: 'belongs to github/ only',
  },
  {
    name: 'I/O on a pure floor',
    files: { 'src/language/a.ts': "import { readFileSync } from 'node:fs';" },
    finds: 'on a floor without I/O',
  },
  {
    name: 'a clock on a pure floor',
    files: { 'src/record/a.ts': 'const now = Date.now();' },
    finds: 'take a clock or a value instead',
  },
  {
    name: 'a room that is none',
    files: { 'src/utils/a.ts': '' },
    finds: 'src/utils is not a room of the house',
  },
  {
    name: 'the forge reaching into the house',
    files: { 'src/forge/a.ts': "import '../run/b.ts';", 'src/run/b.ts': '' },
    finds: 'the forge imports lib/ only',
  },
  {
    name: 'the forge used below main/',
    files: { 'src/run/a.ts': "import '../forge/b.ts';", 'src/forge/b.ts': '' },
    finds: 'only main/ may import the forge',
  },
])('finds $name', ({ files, finds }) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-layers-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(
      checkLayers(folder)
        .map(finding => finding.message)
        .join('\n'),
    ).toContain(finds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
