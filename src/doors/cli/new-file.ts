// A file that an option names and that is to be made: nothing that is there is written over.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Its absolute path; a sentence in `problems` where it is there already, or has no folder. */
export function newFile(option: string, file: string, problems: string[]): string {
  const path = resolve(file);
  if (existsSync(path)) problems.push(`${option} ${file}: is there already; name a new file`);
  else if (!existsSync(dirname(path)))
    problems.push(`${option} ${file}: there is no folder ${dirname(file)}`);
  return path;
}
