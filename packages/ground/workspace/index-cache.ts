// The file in which a memory index is kept between runs.
import { rename, writeFile } from 'node:fs/promises';
import { readRegular } from './regular-file.ts';
import type { RepositorySource } from './repository-index.ts';

/** 100,000 files at their longest metadata are below this; what is larger was not written here. */
const largestCache = 128 << 20;

/** `load` and `save` on one file. A save that is killed leaves the old file, and a part beside it that the next takes over. */
export function cacheAt(file: string | null): Pick<RepositorySource, 'load' | 'save'> {
  return {
    load: async () => (file === null ? undefined : kept(file)),
    async save(text) {
      if (file === null) return;
      await writeFile(`${file}.part`, text, { mode: 0o600 });
      await rename(`${file}.part`, file);
    },
  };
}

function kept(file: string): string | undefined {
  const read = readRegular(file, largestCache);
  if (Buffer.isBuffer(read)) return read.toString('utf8');
  if (read.kind === 'missing') return undefined;
  if (read.kind === 'unreadable') throw new Error(`${file} ${read.reason}`);
  // As good as damaged, and said to be by whoever reads it.
  return '';
}
