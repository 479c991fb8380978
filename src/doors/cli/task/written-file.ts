// The file that a verb writes in the place of printing: what an option such as `--out` names.
import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../../../lib/message.ts';
import { isFolder } from './folder.ts';

/** Why no file can be made there, as far as that can be known before. `option`: `--out`. */
export function placeProblems(option: string, file: string): string[] {
  if (!isFolder(dirname(resolve(file)))) return [`${option} ${file}: there is no folder ${dirname(file)}`];
  return isFolder(file) ? [`${option} ${file}: is a folder; name a file`] : [];
}

/** Why the file was not written; undefined where it was. */
export function unwritten(option: string, file: string, text: string): string | undefined {
  try {
    writeFileSync(file, text);
    return undefined;
  } catch (error) {
    return `${option} ${file}: cannot be written (${codeOf(error) ?? String(error)})`;
  }
}
