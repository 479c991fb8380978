// The configuration at a commit: read once for each content, and never when it is too large.
import { expect, test } from 'vitest';
import { configReader } from '../../../src/app/config/config-file.ts';
import { repository } from '../../ground/workspace/fixture.ts';

const path = '.github/echelon.yml';

test('what has not changed is not read again', async () => {
  await using repo = await repository({ [path]: 'label: a\n' });
  const later = await repo.commit({ 'README.md': 'another file\n' });
  await repo.mirror.fetch();
  const read = configReader({});
  const first = await read(repo.mirror, repo.base);
  expect(first).toMatchObject({ config: { label: 'a' } });
  expect(await read(repo.mirror, later)).toBe(first);
});

test('what has changed is read again, and what is not there has the defaults', async () => {
  await using repo = await repository({ [path]: 'label: a\n' });
  const changed = await repo.commit({ [path]: 'label: b\n' }, 'changed');
  const gone = await repo.commit({ [path]: null }, 'gone');
  await repo.mirror.fetch();
  const read = configReader({ rounds: { most: 2, by: 'ECHELON_MAX_ROUNDS' } });
  const labels = [];
  for (const commit of [repo.base, changed, gone, repo.base]) {
    const found = await read(repo.mirror, commit);
    labels.push('config' in found && [found.config.label, found.config.rounds]);
  }
  expect(labels).toEqual([
    ['a', 2],
    ['b', 2],
    ['echelon', 2],
    ['a', 2],
  ]);
});

test('a file that is too large is told so, and its bytes are not read', async () => {
  await using repo = await repository({ [path]: '# a note\n'.repeat(40_000) });
  const found = await configReader({})(repo.mirror, repo.base);
  expect(found).toEqual({
    problems: [
      {
        line: 1,
        column: 1,
        message: 'the file has 360000 bytes; at most 32768 are read. Shorten it: every key has a default',
      },
    ],
  });
});
