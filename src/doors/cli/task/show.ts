// `echelon task show <file|name>`: what a program consists of, before anything of it runs.
import { libraryWith } from '../../../engine/runtime/folder-library.ts';
import { oneLine } from '../../progress.ts';
import { print } from '../output.ts';
import { folderOf, libraryFolder } from './folder.ts';
import { outlineMermaid, outlineOf, outlineText } from './program-outline.ts';
import { programNamed } from './program-named.ts';
import type { Verb } from './verb.ts';

export const show: Verb = {
  usage: 'show <file or name> [--folder <folder>] [--mermaid | --json]',
  about: `Shows the tasks of a program, a file or a registered task, one in another, and the names that each reads. Nothing runs.
What ref took stands there in full; of a call only the call. Warnings of the check go to stderr.
Exit code 0: shown; 1: the program has errors; 2: called wrongly, also where it is not there.`,
  options: {
    folder: { type: 'string', value: 'folder', help: libraryFolder },
    mermaid: { type: 'boolean', help: 'print a Mermaid flowchart instead of a tree' },
    json: { type: 'boolean', help: 'print one JSON object instead of a tree' },
  },
  async run(given) {
    const { values } = given;
    const [what, ...more] = given.positionals;
    const problems = [...given.problems, ...more.map(word => `unexpected argument ${word}`)];
    if (what === undefined) problems.push('name the program: a file, or a registered task');
    if (values['json'] && values['mermaid']) problems.push('--mermaid goes without --json');
    const folder = folderOf(given, problems);
    if (problems.length > 0 || what === undefined || folder === undefined) return { problems };
    const found = programNamed(what, libraryWith([], folder).library);
    if ('problems' in found) {
      if (!found.refused) return found;
      if (values['json']) await print(JSON.stringify({ problems: found.problems }));
      else console.error(found.problems.map(oneLine).join('\n'));
      return 1;
    }
    for (const warning of found.warnings) console.error(oneLine(warning));
    const outline = outlineOf(found.program);
    if (values['json']) await print(JSON.stringify({ program: outline }));
    else await print(values['mermaid'] ? outlineMermaid(outline) : outlineText(outline));
    return 0;
  },
};
