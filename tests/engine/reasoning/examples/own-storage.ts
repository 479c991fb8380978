// A storage: sessions that wait for an answer are files of a folder, each replaced as a whole.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStorage } from 'echelon';

export function filesIn(folder: string): SessionStorage {
  const file = (key: string) => join(folder, `${encodeURIComponent(key)}.json`);
  return {
    load(key) {
      try {
        return JSON.parse(readFileSync(file(key), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    save(key, state) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${file(key)}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file(key)}.new`, file(key));
    },
    remove: key => rmSync(file(key), { force: true }),
  };
}
