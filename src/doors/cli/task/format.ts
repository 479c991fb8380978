// `echelon task format <file...>`: programs in their canonical form, or which of them are not.
import { writeFileSync } from 'node:fs';
import { messageOf } from '@echelon/ground';
import { formatProblem } from '../../../engine/language/problem.ts';
import { formatProgram } from '../../../engine/language/program.ts';
import { readNamed } from '../../../engine/runtime/named-file.ts';
import { print } from '../output.ts';
import { filesOf } from './program-files.ts';
import type { Verb } from './verb.ts';

export const format: Verb = {
  usage: 'format <file or folder ...> [--check]',
  about: `Writes programs of the task language in their canonical form: shorthand written out, two spaces a level, comments and
texts with their words as they are. Of a folder, the .xml and .task files in and below it, except in .git and node_modules. The name of each file that
changes goes to stdout.
Exit code 0: all are in canonical form now; 1: a file is not well-formed, and is left as it is; with --check also: one is
not in canonical form, and nothing was written; 2: called wrongly.`,
  options: {
    check: { type: 'boolean', help: 'writes nothing: tells which files would change' },
  },
  async run({ positionals, values, problems: wrong }) {
    const problems = [...wrong];
    if (positionals.length === 0) problems.push('name at least one file or folder to format');
    const { files, problems: none } = filesOf(positionals);
    problems.push(...none);
    const sources = files.flatMap(file => {
      const read = readNamed(file);
      if ('text' in read) return [{ file, text: read.text }];
      problems.push(`${file}: ${read.problem}`);
      return [];
    });
    if (problems.length > 0) return { problems };
    const changed: string[] = [];
    let failed = false;
    for (const { file, text } of sources) {
      const formatted = formatProgram(text, file);
      if (formatted.problems) {
        failed = true;
        console.error(formatted.problems.map(formatProblem).join('\n'));
      } else if (formatted.text !== text) {
        changed.push(file);
        try {
          if (!values['check']) writeFileSync(file, formatted.text);
        } catch (error) {
          failed = true;
          console.error(`${file}: cannot be written (${messageOf(error)})`);
        }
      }
    }
    if (changed.length > 0) await print(changed.join('\n'));
    return failed || (values['check'] === true && changed.length > 0) ? 1 : 0;
  },
};
