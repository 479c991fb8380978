// The file in which a memory index is kept between runs.
import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegular } from './regular-file.ts';
import type { RepositorySource } from './repository-index.ts';

/** 100,000 files at their longest metadata are below this; what is larger was not written here. */
const largestCache = 128 << 20;

/** `load` and `save` on one file. A save that is killed leaves the old file, and a part beside it for the next to clear. */
export function cacheAt(file: string | null): Pick<RepositorySource, 'load' | 'save'> {
  return {
    load: async () => (file === null ? undefined : kept(file)),
    async save(text) {
      if (file === null) return;
      await clearParts(file);
      const part = `${file}.${randomBytes(6).toString('hex')}.part`;
      try {
        const out = await open(part, 'wx', 0o600);
        try {
          await out.writeFile(text);
          await out.sync();
        } finally {
          await out.close();
        }
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
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

/** Removes leftovers of killed saves. A save in progress is younger than ten minutes. */
async function clearParts(file: string): Promise<void> {
  // No folder yet: nothing was left in it.
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${basename(file)}.`) || !/\.[0-9a-f]{12}\.part$/.test(name)) continue;
    const place = join(dirname(file), name);
    // Another process was quicker.
    const found = await lstat(place).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > 600_000) await rm(place, { force: true });
  }
}
