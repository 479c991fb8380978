// The file in which a memory index is kept between runs.
import { rename, rm, writeFile } from 'node:fs/promises';
import { readRegular } from './regular-file.ts';
import type { RepositorySource } from './repository-index.ts';

/** 100,000 files at their longest metadata are below this; what is larger was not written here. */
const largestCache = 128 << 20;

/** `load` and `save` on one file. A killed save leaves the old file, and a part that the next replaces, as it does a link. */
export function cacheAt(file: string | null): Pick<RepositorySource, 'load' | 'save'> {
  return {
    load: async () => (file === null ? undefined : kept(file)),
    async save(text) {
      if (file === null) return;
      await rm(`${file}.part`, { force: true });
      await writeFile(`${file}.part`, text, { flag: 'wx', mode: 0o600 });
      await rename(`${file}.part`, file);
    },
  };
}

function kept(file: string): string | undefined {
  const read = readRegular(file, largestCache);
  if (Buffer.isBuffer(read)) return read.toString('utf8');
  if (read.kind === 'unreadable') throw new Error(`${file} ${read.reason}`);
  // A file that is too large is as good as damaged, and said to be by whoever reads it.
  return read.kind === 'missing' ? undefined : '';
}
