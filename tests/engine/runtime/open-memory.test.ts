// The memory of a folder and of a commit: what it gives, when it reads, and what a failure leaves.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMemory } from '../../../src/engine/runtime/open-memory.ts';
import { repository, temporary, writeFiles } from '../../ground/workspace/fixture.ts';

const { signal } = new AbortController();
const files = { 'a.ts': '// Adds.\n', 'docs/guide.md': '# The guide\n', 'logo.png': '\0\0\0' };
const paths = ['a.ts', 'docs/guide.md', 'logo.png'];

test('a folder: its index, its texts, and what changes', async () => {
  await using folder = await temporary();
  await writeFiles(folder.path, files);
  const cache = join(folder.path, 'index.json');
  const memory = openMemory({ folder: folder.path }, { cache });
  expect((await memory.index(signal)).map(({ path }) => path)).toEqual(paths);
  expect(existsSync(cache)).toBe(true);
  expect(await memory.read('a.ts', signal)).toBe('// Adds.\n');
  expect(await memory.read('logo.png', signal)).toBeUndefined();
  expect(await memory.read('../secret', signal)).toBeUndefined();
  expect(await memory.read('none.ts', signal)).toBeUndefined();

  await writeFiles(folder.path, { 'b.ts': '// Takes away.\n', 'a.ts': null, 'docs/guide.md': '\0' });
  expect(await memory.read('a.ts', signal)).toBeUndefined();
  expect(await memory.read('docs/guide.md', signal)).toBeUndefined();
  expect((await memory.index(signal)).map(({ path }) => path)).toEqual(paths);
  await memory.refresh(signal);
  expect((await memory.index(signal)).map(({ path }) => path)).toEqual(['b.ts', 'docs/guide.md', 'logo.png']);
  expect(await memory.read('b.ts', signal)).toBe('// Takes away.\n');
});

test('a commit of a mirror', async () => {
  await using at = await repository({ ...files, link: { link: 'a.ts' } });
  const memory = openMemory({ mirror: at.mirror, commit: at.base });
  expect(await memory.index(signal)).toHaveLength(3);
  expect(await memory.read('docs/guide.md', signal)).toBe('# The guide\n');
  expect(await memory.read('logo.png', signal)).toBeUndefined();
  expect(await memory.read('link', signal)).toBeUndefined();
});

test('those who ask at once wait for one index; one who gives up does not stop the others', async () => {
  await using folder = await temporary();
  await writeFiles(folder.path, files);
  const memory = openMemory({ folder: folder.path });
  const impatient = new AbortController();
  const reason = new Error('enough');
  const given = memory.index(impatient.signal);
  const others = [memory.index(signal), memory.index(signal)];
  impatient.abort(reason);
  await expect(given).rejects.toBe(reason);
  const [one, two] = await Promise.all(others);
  expect(one).toBe(two);
});

test('a failure is told, and the next who asks tries again', async () => {
  await using folder = await temporary();
  const place = join(folder.path, 'later');
  const memory = openMemory({ folder: place });
  await expect(memory.index(signal)).rejects.toThrow(/there is no folder .*later/);
  await mkdir(place);
  await writeFiles(place, files);
  expect(await memory.index(signal)).toHaveLength(3);
});

test('what was unusual is noted', async () => {
  await using folder = await temporary();
  await writeFiles(folder.path, { ...files, 'index.json': 'damaged' });
  const notes: string[] = [];
  const options = { cache: join(folder.path, 'index.json'), onNote: (note: string) => notes.push(note) };
  expect(await openMemory({ folder: folder.path }, options).index(signal)).toHaveLength(3);
  expect(notes).toEqual([expect.stringContaining('damaged')]);
});
