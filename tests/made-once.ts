// Common starting points of many tests, such as a forge with a repository: made once in a run of the tests, then
// copied.
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of what is made, for all workers. */
    madeOnce: string;
  }
}

/** For vitest: the folder, which goes when the run is over. */
export default function setup({ provide }: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-made-once-'));
  provide('madeOnce', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The folder that `make` has filled, in this process or in another one. It is only read. */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('madeOnce'), name);
  if (existsSync(folder)) return folder;
  const part = mkdtempSync(`${folder}-`);
  await make(part);
  try {
    renameSync(part, folder);
  } catch {
    // Another worker was faster.
    if (!existsSync(folder)) throw new Error(`${part} could not become ${folder}`);
    rmSync(part, { recursive: true });
  }
  return folder;
}
