// The index as a value: updated from digests, printed and parsed, refreshed from a source.
import { expect, test } from 'vitest';
import type { IndexedFile, RepositorySource } from '@echelon/ground/workspace';
import { type GlobalIndex, updateIndex } from '../../../../src/engine/tasks/memory/global-index.ts';
import { parseIndex, printIndex } from '../../../../src/engine/tasks/memory/index-text.ts';
import { refreshIndex } from '../../../../src/engine/tasks/memory/refresh.ts';
import { cpuNow } from '../../../cpu-time.ts';

/** A listing of texts whose digest is the text itself, and a reader that keeps what it was asked for. */
function folder(texts: Record<string, string>) {
  const asked: string[] = [];
  const files: IndexedFile[] = Object.entries(texts).map(([path, text]) => ({
    path,
    digest: `d-${text}`,
    bytes: Buffer.byteLength(text),
  }));
  const read = async (wanted: readonly IndexedFile[]) => {
    asked.push(...wanted.map(file => file.path));
    return wanted.map(file => texts[file.path]);
  };
  return { files, read, asked };
}

const indexOf = async (texts: Record<string, string>): Promise<GlobalIndex> => {
  const { files, read } = folder(texts);
  return (await updateIndex([], files, read)).index;
};

const old = { 'a.ts': '// A', 'b.ts': '// B', 'c.md': '# C' };

test.each<{ name: string; now: Record<string, string>; asked: string[]; kept: number; removed: number }>([
  { name: 'nothing', now: old, asked: [], kept: 3, removed: 0 },
  { name: 'a content', now: { ...old, 'b.ts': '// X' }, asked: ['b.ts'], kept: 2, removed: 0 },
  { name: 'a path', now: { 'a.ts': '// A', 'z.ts': '// B', 'c.md': '# C' }, asked: [], kept: 3, removed: 1 },
  { name: 'a path and its language', now: { ...old, 'a.py': '// A' }, asked: ['a.py'], kept: 3, removed: 0 },
  { name: 'everything', now: {}, asked: [], kept: 0, removed: 3 },
])('when $name changed, only what is unknown is read', async ({ now, asked, kept, removed }) => {
  const before = await indexOf(old);
  const listing = folder(now);
  const updated = await updateIndex(before, listing.files, listing.read);
  expect(listing.asked).toEqual(asked);
  expect(updated).toEqual({ index: await indexOf(now), read: asked.length, kept, removed });
});

test('entries are in the order of their paths, each once', async () => {
  const { files, read } = folder({ 'b/a': '1', b: '2', B: '3', 'a.ts': '4', 'b-c': '5' });
  const { index } = await updateIndex([], [...files, ...files], read);
  expect(index.map(entry => entry.path)).toEqual(['B', 'a.ts', 'b', 'b-c', 'b/a']);
});

test('a file that is gone when it is read is left out, and read again the next time', async () => {
  const { files, read } = folder({ 'a.ts': '// A', 'b.ts': '// B' });
  const first = await updateIndex([], files, async wanted =>
    (await read(wanted)).map(text => (text === '// A' ? undefined : text)),
  );
  expect(first).toMatchObject({ index: [{ path: 'b.ts' }], read: 1, kept: 0 });
  expect(await updateIndex(first.index, files, read)).toMatchObject({ read: 1, kept: 1 });
});

test('contents are read in batches of a bounded size', async () => {
  const files = Array.from({ length: 1200 }, (_, at) => ({ path: `f${at}`, digest: `${at}`, bytes: 10_000 }));
  const sizes: number[] = [];
  await updateIndex([], files, async wanted => {
    sizes.push(wanted.reduce((sum, file) => sum + file.bytes, 0));
    return wanted.map(() => '');
  });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4 << 20);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12_000_000);
});

test('printed and parsed it is the same', async () => {
  const index = await indexOf({ 'a"\n.ts': '// "A" \\ é', 'b.md': '# 😀', c: '' });
  expect(parseIndex(printIndex(index))).toEqual(index);
  expect(parseIndex(printIndex([]))).toEqual([]);
});

const print = (entries: unknown[]) => JSON.stringify({ format: 'echelon-index', version: 2, entries });

test.each<[string, string]>([
  ['nothing', ''],
  ['half of it', print([['a', 'd', 1, 'm']]).slice(0, -3)],
  ['another format', '{"format":"x","version":1,"entries":[]}'],
  ['another version', '{"format":"echelon-index","version":1,"entries":[]}'],
  ['something more', '{"format":"echelon-index","version":2,"entries":[],"x":1}'],
  ['an entry with a part missing', print([['a', 'd', 1]])],
  ['a negative size', print([['a', 'd', -1, 'm']])],
  ['a metadata of two lines', print([['a', 'd', 1, 'm\nn']])],
  ['a metadata that turns round', print([['a', 'd', 1, 'm\u202en']])],
  ['a metadata too long', print([['a', 'd', 1, 'm'.repeat(601)]])],
  [
    'a path twice',
    print([
      ['a', 'd', 1, 'm'],
      ['a', 'd', 1, 'm'],
    ]),
  ],
  ['a list', '[]'],
  ['null', 'null'],
])('%s is not an index', (_name, text) => {
  expect(parseIndex(text)).toBeUndefined();
});

/** A source whose kept text stands in `kept`. */
function source(texts: Record<string, string>, kept: { text?: string; saves: number }): RepositorySource {
  const { files, read } = folder(texts);
  return {
    list: async () => ({ files, isComplete: true }),
    read,
    load: async () => kept.text,
    save: async text => {
      kept.text = text;
      kept.saves += 1;
    },
  };
}

test('a refresh saves when something changed, and only then', async () => {
  const kept = { saves: 0 };
  expect(await refreshIndex(source(old, kept))).toMatchObject({ read: 3, kept: 0, removed: 0, notes: [] });
  expect(kept.saves).toBe(1);
  expect(await refreshIndex(source(old, kept))).toMatchObject({ read: 0, kept: 3, removed: 0, notes: [] });
  expect(kept.saves).toBe(1);
  const { 'a.ts': _gone, ...rest } = old;
  expect(await refreshIndex(source(rest, kept))).toMatchObject({ read: 0, kept: 2, removed: 1 });
  expect(kept.saves).toBe(2);
});

test('a failure of listing or reading leaves what was kept', async () => {
  const kept = { saves: 0 };
  await refreshIndex(source(old, kept));
  const before = { ...kept };
  const fail = async () => {
    throw new Error('the disk is gone');
  };
  const changed = source({ ...old, 'd.ts': '// D' }, kept);
  await expect(refreshIndex({ ...changed, read: fail })).rejects.toThrow('the disk is gone');
  await expect(refreshIndex({ ...changed, list: fail })).rejects.toThrow('the disk is gone');
  expect(kept).toEqual(before);
});

test('what cannot be loaded, kept, or listed whole is a note', async () => {
  const fail = async () => {
    throw new Error('no space');
  };
  const one = source(old, { saves: 0 });
  const list = async () => ({ ...(await one.list()), isComplete: false });
  expect((await refreshIndex({ ...one, load: fail, save: fail, list })).notes).toEqual([
    'The kept index could not be read and is made anew: no space.',
    expect.stringContaining('The index has the first 3 files only'),
    'The index could not be kept for the next run: no space.',
  ]);
});

test('10,000 files are rebuilt from their digests in under a second', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [
      `src/part${at % 97}/file${at}.ts`,
      `// Does what number ${at} does.\n${`export function name${at}() {}\n`.repeat(30)}`,
    ]),
  );
  const kept: { text?: string; saves: number } = { saves: 0 };
  const time = async () => {
    const from = source(texts, kept);
    const began = cpuNow();
    const { index } = await refreshIndex(from);
    expect(index).toHaveLength(10_000);
    return cpuNow() - began;
  };
  // Three times the aim: caches are shared with the tests that run beside this one.
  expect(await time(), 'with all contents').toBeLessThan(3000);
  expect(await time(), 'with none').toBeLessThan(3000);
});
