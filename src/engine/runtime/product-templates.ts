// The product's own templates of the task language, read from `prompts/`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../language/library.ts';
import { isProgramFile } from '../language/surface/surface.ts';

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
