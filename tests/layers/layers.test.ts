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
    files: { 'src/app/github/a.ts': "import { b } from '../run/b.ts';", 'src/app/run/b.ts': '' },
    finds: 'imports go down only',
  },
  {
    name: 'a dynamic import that goes up',
    files: { 'src/app/github/a.ts': "const b = await import('../run/b.ts');", 'src/app/run/b.ts': '' },
    finds: 'imports go down only',
  },
  {
    name: 'an import that goes up within a room',
    files: {
      'src/app/engineer/jobs/a.ts': "import { b } from '../batch/b.ts';",
      'src/app/engineer/batch/b.ts': '',
    },
    finds: 'imports go down only: app/engineer/jobs/ imports app/engineer/batch/',
  },
  {
    name: 'an import that goes up out of a room within one',
    files: { 'src/app/engineer/jobs/a.ts': "import '../../run/b.ts';", 'src/app/run/b.ts': '' },
    finds: 'imports go down only: app/engineer/jobs/ imports app/run/',
  },
  {
    name: 'a cycle',
    files: { 'src/app/run/a.ts': "import './b.ts';", 'src/app/run/b.ts': "export { a } from './a.ts';" },
    finds: 'cycle: src/app/run/a.ts -> src/app/run/b.ts -> src/app/run/a.ts',
  },
  {
    name: 'the environment outside of doors/',
    files: { 'src/app/run/a.ts': 'const x = process.env.HOME;' },
    finds: 'the environment is read in src/doors/ only',
  },
  {
    name: 'the environment by another way',
    files: { 'src/app/run/a.ts': "const x = process['env'];" },
    finds: 'the environment is read in src/doors/ only',
  },
  {
    name: 'an SDK in another room',
    files: { 'src/app/run/a.ts': "import Anthropic from '@anthropic-ai/sdk';" },
    finds: 'belongs to engine/models/ only',
  },
  {
    name: 'I/O in a pure room',
    files: { 'src/engine/language/a.ts': "import { readFileSync } from 'node:fs';" },
    finds: 'in a room without I/O',
  },
  {
    name: 'a clock in a room without one',
    files: { 'packages/ground/journal/a.ts': 'const now = Date.now();' },
    finds: 'take one, or a value, instead',
  },
  {
    name: 'a room that is none',
    files: { 'src/utils/a.ts': '' },
    finds: 'utils is not a room of the house',
  },
  {
    name: 'a room of a wing that is none',
    files: { 'src/engine/utils/a.ts': '' },
    finds: 'engine/utils is not a room of the house',
  },
  {
    name: 'the engine reaching into the app',
    files: { 'src/engine/tasks/a.ts': "import '../../app/run/b.ts';", 'src/app/run/b.ts': '' },
    finds: 'engine/ may not import app/',
  },
  {
    name: 'the ground reaching into a wing',
    files: {
      'packages/ground/workspace/a.ts': "import '../../../src/engine/models/b.ts';",
      'src/engine/models/b.ts': '',
    },
    finds: 'workspace/ may not import engine/',
  },
  {
    name: 'the forge reaching into the house',
    files: { 'packages/forge/a.ts': "import '../../src/app/run/b.ts';", 'src/app/run/b.ts': '' },
    finds: 'forge/ may not import app/',
  },
  {
    name: 'the forge used below doors/',
    files: { 'src/app/run/a.ts': "import '../../../packages/forge/b.ts';", 'packages/forge/b.ts': '' },
    finds: 'app/ may not import forge/',
  },
  {
    name: 'an exported function that nothing imports',
    files: { 'packages/ground/lib/a.ts': 'export async function lonely() {}\nlonely();' },
    finds: 'nothing imports lonely',
  },
  {
    name: 'an exported class',
    files: { 'src/doors/a.ts': 'export abstract class Lonely {}' },
    finds: 'nothing imports Lonely',
  },
  {
    name: 'exported parts of a value',
    files: { 'packages/ground/lib/a.ts': 'export const { near, far: lonely } = both;' },
    finds: 'nothing imports lonely',
  },
  {
    name: 'a list of exports, by the names that others see',
    files: {
      'packages/ground/lib/a.ts': 'export { a as lonely };',
      'packages/ground/lib/b.ts': "import { a } from './a.ts';",
    },
    finds: 'nothing imports lonely',
  },
  {
    name: 'an export whose name is imported of another file',
    files: {
      'packages/ground/lib/a.ts': 'export const lonely = 1;',
      'src/doors/b.ts': "import { lonely } from './c.ts';",
    },
    finds: 'nothing imports lonely',
  },
  {
    name: 'an export that only a test uses',
    files: {
      'packages/ground/lib/a.ts': 'export const lonely = 1;',
      'tests/ground/lib/a.test.ts': "import { lonely } from '../../packages/ground/lib/a.ts';",
    },
    finds: 'nothing imports lonely',
  },
])('finds $name', ({ files, finds }) => {
  expect(messagesIn(files).join('\n')).toContain(finds);
});

const one = { 'packages/ground/index.ts': 'export const one = 1;' };

test.each<{ name: string; files: Record<string, string> }>([
  {
    name: 'src/',
    files: { ...one, 'src/doors/b.ts': "import { one as two } from '@echelon/ground';" },
  },
  {
    name: 'src/, for its type',
    files: { ...one, 'src/doors/b.ts': "import type { one } from '@echelon/ground';" },
  },
  {
    name: 'the build',
    files: { ...one, 'action/build.ts': "import { one } from '../packages/ground/index.ts';" },
  },
  {
    name: 'a namespace',
    files: { ...one, 'src/doors/b.ts': "import * as a from '@echelon/ground';\na.one();" },
  },
  {
    name: 'import()',
    files: { ...one, 'src/doors/b.ts': "const { one } = await import('../../packages/ground/index.ts');" },
  },
  {
    name: 'programs of others, through package.json',
    files: { ...one, 'package.json': '{"exports":{".":"./packages/ground/index.ts"}}' },
  },
  {
    name: 'nobody, and is a type',
    files: { 'packages/ground/index.ts': 'export interface One {}\nexport type Two = One;' },
  },
])('lets an export be that is imported by $name', ({ files }) => {
  expect(messagesIn(files)).toEqual([]);
});

test.each<[name: string, files: Record<string, string>, found: string[]]>([
  ['only a test uses is let be', one, []],
  [
    'src/ uses is told: it need not be',
    { ...one, 'src/doors/b.ts': "import { one } from '@echelon/ground';" },
    ['packages/ground/index.ts one need not be spared'],
  ],
  ['is gone is told, too', {}, ['packages/ground/index.ts one need not be spared']],
])('a spared export that %s', (_name, files, found) => {
  expect(messagesIn(files, { 'packages/ground/index.ts one': 'for its test' })).toEqual(found);
});

/** Findings in a tree of these files. */
function messagesIn(files: Record<string, string>, spared = {}): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-layers-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return checkLayers(folder, spared).map(finding => finding.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
