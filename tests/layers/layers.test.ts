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
  {
    name: 'an exported function that nothing imports',
    files: { 'src/lib/a.ts': 'export async function lonely() {}\nlonely();' },
    finds: 'nothing imports lonely',
  },
  {
    name: 'an exported class',
    files: { 'src/main/a.ts': 'export abstract class Lonely {}' },
    finds: 'nothing imports Lonely',
  },
  {
    name: 'exported parts of a value',
    files: { 'src/lib/a.ts': 'export const { near, far: lonely } = both;' },
    finds: 'nothing imports lonely',
  },
  {
    name: 'a list of exports, by the names that others see',
    files: { 'src/lib/a.ts': 'export { a as lonely };', 'src/lib/b.ts': "import { a } from './a.ts';" },
    finds: 'nothing imports lonely',
  },
  {
    name: 'an export whose name is imported of another file',
    files: {
      'src/lib/a.ts': 'export const lonely = 1;',
      'src/main/b.ts': "import { lonely } from './c.ts';",
    },
    finds: 'nothing imports lonely',
  },
  {
    name: 'an export that only its own file uses',
    files: { 'src/lib/a.ts': 'export const lonely = 1;\nconst b = lonely;' },
    finds: 'nothing imports lonely',
  },
])('finds $name', ({ files, finds }) => {
  expect(messagesIn(files).join('\n')).toContain(finds);
});

const one = { 'src/lib/a.ts': 'export const one = 1;' };

test.each<{ name: string; files: Record<string, string> }>([
  { name: 'src/', files: { ...one, 'src/main/b.ts': "import { one as two } from '../lib/a.ts';" } },
  {
    name: 'src/, for its type',
    files: { ...one, 'src/main/b.ts': "import type { one } from '../lib/a.ts';" },
  },
  { name: 'a test', files: { ...one, 'tests/lib/a.test.ts': "import { one } from '../../src/lib/a.ts';" } },
  { name: 'the build', files: { ...one, 'action/build.ts': "import { one } from '../src/lib/a.ts';" } },
  { name: 'a namespace', files: { ...one, 'src/lib/b.ts': "import * as a from './a.ts';\na.one();" } },
  { name: 'import()', files: { ...one, 'src/lib/b.ts': "const { one } = await import('./a.ts');" } },
  {
    name: 'a program in a text of a test',
    files: { ...one, 'tests/b.test.ts': "const file = join(root, 'src/lib/a.ts');\nconst code = 'one()';" },
  },
  {
    name: 'programs of others, through package.json',
    files: { ...one, 'package.json': '{"exports":{".":"./src/lib/a.ts"}}' },
  },
  {
    name: 'nobody, and is a type',
    files: { 'src/lib/a.ts': 'export interface One {}\nexport type Two = One;' },
  },
  { name: 'nobody, in a room that is not watched', files: { 'src/run/a.ts': 'export const one = 1;' } },
])('lets an export be that is imported by $name', ({ files }) => {
  expect(messagesIn(files)).toEqual([]);
});

/** What is found in a tree of these files. */
function messagesIn(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-layers-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return checkLayers(folder).map(finding => finding.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
