// Templates of the task language that a repository keeps for itself, as they stand in one commit.
import type { Mirror } from '@echelon/ground/workspace';
import type { Source } from '../language/library.ts';
import { isProgramFile } from '../language/surface/surface.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their folder on the default branch; folders below it are for people. */
export const templatesPath = '.github/echelon/';

/** More than this in one repository is a mistake. */
const MOST = 50;

/** Bytes that they may have together: all of them are read at once, several times in a run, within 50 ms of a turn. */
const MOST_BYTES = 128 * 1024;

/** A folder of templates that cannot be taken; the message names the file and the remedy. */
export class TemplatesRefused extends Error {}

/** Every program below `.github/echelon/`, `.xml` or `.task`, in the order of the paths. Throws TemplatesRefused. */
export async function readTemplates(mirror: Mirror, commit: string): Promise<Source[]> {
  const files = (await mirror.listFiles(commit)).filter(
    ({ path, mode }) => path.startsWith(templatesPath) && isProgramFile(path) && mode.startsWith('10'),
  );
  if (files.length > MOST)
    throw new TemplatesRefused(`${templatesPath} holds ${files.length} templates; at most ${MOST} are read`);
  const together = files.reduce((sum, { size }) => sum + size, 0);
  if (together > MOST_BYTES)
    throw new TemplatesRefused(
      `the templates in ${templatesPath} have ${together} bytes together; at most ${MOST_BYTES} are read. Shorten them, or take some out`,
    );
  const sources: Source[] = [];
  for (const { path, oid } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const found = await mirror.object(oid, MOST_BYTES);
    if (found) sources.push({ file: path, text: found.bytes.toString('utf8') });
  }
  return sources;
}

// The product's own templates of the task language, read from `prompts/`.

/** Beside `src/`; the built Action lies in `action/`, a folder less deep. */
const folder = join(
  import.meta.dirname,
  import.meta.url.endsWith('.mjs') ? '../prompts' : '../../../prompts',
);

let read: Source[] | undefined;

/** The same list at each call, so that what is made of it can be kept. */
export function productTemplates(): Source[] {
  read ??= readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isProgramFile)
    .sort()
    .map(file => ({ file: `prompts/${file}`, text: readFileSync(join(folder, file), 'utf8') }));
  return read;
}
