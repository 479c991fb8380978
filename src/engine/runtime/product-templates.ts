// The product's own templates of the task language, read from `prompts/`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../language/library.ts';

/** Beside `src/`; the Action's one file lies in `action/`, a folder less deep. */
const folder = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../../prompts' : '../prompts');

export function productTemplates(): Source[] {
  return globSync('*/*.xml', { cwd: folder })
    .sort()
    .map(file => ({ file: `prompts/${file}`, text: readFileSync(join(folder, file), 'utf8') }));
}
