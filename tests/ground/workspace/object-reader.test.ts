import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ObjectReader, objectsIn } from '../../../packages/ground/workspace/object-reader.ts';
import { repository } from './fixture.ts';

test('answers side by side, each to its question; another repository in the same place is another one', async () => {
  const large = 'l'.repeat(300_000);
  await using repo = await repository({ 'a b.txt': 'one\n', large, empty: '' });
  const { path } = repo.mirror;
  const ask = (name: string) => objectsIn(path).ask('contents', name);
  const names = ['a b.txt', 'no', 'large', 'empty', 'large\n', 'a b.txt'].map(name => `${repo.base}:${name}`);
  const found = await Promise.all([...names, `${repo.base}^{tree}`].map(ask));
  const texts = found.slice(0, -1).map(each => each?.bytes.toString());
  expect(texts).toEqual(['one\n', undefined, large, '', undefined, 'one\n']);
  expect(found.at(-1)?.type).toBe('tree');
  expect(await objectsIn(path).ask('info', `${repo.base}:large`)).toMatchObject({
    type: 'blob',
    size: 300_000,
  });
  await using other = await repository({ 'a b.txt': 'two\n' });
  await rename(path, join(repo.path, 'away'));
  await rename(other.mirror.path, path);
  expect(await ask(`${repo.base}:a b.txt`)).toBe(undefined);
  expect(String((await ask(`${other.base}:a b.txt`))?.bytes)).toBe('two\n');
});

test('where git cannot answer, each who asks is told', async () => {
  const reader = new ObjectReader({ gitDir: '/nonexistent' });
  const told = () => expect(reader.ask('info', 'HEAD')).rejects.toThrow('git ended without an answer');
  await Promise.all([told(), told()]);
  await told();
});
