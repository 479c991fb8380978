// Archives that somebody hostile made: what of them is written, and where.
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpack } from '../../packages/ground/workspace/unpack.ts';
import { temporary } from '../ground/workspace/fixture.ts';
import { writeHostileZip } from '../hostile-zip.ts';

const limits = { files: 3, bytes: 1000 };

/** Unpacks an archive of these files; answers what it was refused for, and what stands in the folder then. */
async function unpacked(
  files: readonly (readonly [name: string, text: string])[],
  change = (zip: Buffer) => zip,
) {
  await using room = await temporary();
  const path = join(room.path, 'archive.zip');
  await writeHostileZip(path, files);
  const folder = join(room.path, 'a', 'folder');
  await mkdir(folder, { recursive: true });
  const why = await unpack(change(await readFile(path)), folder, limits).then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  );
  const left = readdirSync(folder, { recursive: true }).map(String).sort();
  expect(readdirSync(room.path).sort()).toEqual(['a', 'archive.zip']);
  expect(existsSync('/tmp/echelon-unpacked')).toBe(false);
  return { why, left };
}

/** Marks the only entry as what the upper half of its attributes says. */
const withMode = (mode: number) => (zip: Buffer) => {
  const copy = Buffer.from(zip);
  const central = copy.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  copy.writeUInt32LE((mode << 16) >>> 0, central + 38);
  return copy;
};

test('files are written, in their folders', async () => {
  expect(
    await unpacked([
      ['report.json', '{}'],
      ['trees/a/changes.patch', 'x'],
    ]),
  ).toEqual({
    why: '',
    left: ['report.json', 'trees', 'trees/a', 'trees/a/changes.patch'],
  });
});

test.for<[what: string, files: [string, string][], why: RegExp, left?: string[]]>([
  ['a name that leads up', [['../out', 'x']], /invalid relative path/],
  ['a name that leads up on its way', [['a/../../out', 'x']], /invalid relative path/],
  ['an absolute name', [['/tmp/echelon-unpacked', 'x']], /absolute path/],
  ['a name with backslashes', [['..\\out', 'x']], /invalid characters/],
  [
    'a name twice',
    [
      ['a', '1'],
      ['a', '2'],
    ],
    /EEXIST/,
    ['a'],
  ],
  [
    'a file where a folder has to be',
    [
      ['a', '1'],
      ['a/b', '2'],
    ],
    /EEXIST|ENOTDIR/,
    ['a'],
  ],
  [
    'more files than allowed',
    ['a', 'b', 'c', 'd'].map(name => [name, '']),
    /more than 3 files/,
    ['a', 'b', 'c'],
  ],
  ['more folders than allowed', ['a/', 'b/', 'c/', 'd/'].map(name => [name, '']), /more than 3 files/],
  ['more bytes than allowed', [['a', 'x'.repeat(1001)]], /more than 1000 bytes/],
])('%s is refused', async ([, files, why, left = []]) => {
  expect(await unpacked(files)).toEqual({ why: expect.stringMatching(why), left });
});

test('a link is refused', async () => {
  expect(await unpacked([['trees', '/etc']], withMode(0o120777))).toEqual({
    why: 'Error: trees is a link',
    left: [],
  });
});

test('an archive that says less than it holds is refused', async () => {
  const shrunk = (zip: Buffer) => {
    const copy = Buffer.from(zip);
    copy.writeUInt32LE(1, copy.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24);
    return copy;
  };
  const { why } = await unpacked([['a', 'x'.repeat(900)]], shrunk);
  expect(why).toMatch(/^Error: it cannot be unpacked: /);
});

test('what is no archive is refused', async () => {
  const { why } = await unpacked([], () => Buffer.from('PK, but not quite'));
  expect(why).toMatch(/^Error: it cannot be unpacked: /);
});
