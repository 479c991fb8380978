// `echelon task format <file...>`: programs in their canonical form, or which of them are not. `echelon task convert
// <file>`: a program in the other surface.
import { writeFileSync } from 'node:fs';
import { messageOf } from '@echelon/ground';
import { formatProblem, readNamed } from '../../../engine/texts.ts';
import { formatProgram, type Surface, surfaceOf } from '../../../engine/language.ts';
import { print } from '../output.ts';
import { filesOf } from './program-files.ts';
import type { Command } from '../command.ts';

export const format: Command = {
  usage: 'echelon task format <file or folder ...> [--check]',
  about: `Writes programs in canonical form: shorthand written out, two spaces a level, comments and texts unchanged. A folder means
its .xml and .task files at any depth, except in .git and node_modules. Prints the names of changed files.
Exit code 0: all are canonical now; 1: a file is not well-formed, or with --check not canonical; 2: wrong call.`,
  options: {
    check: { type: 'boolean', help: 'writes nothing: lists the files that would change' },
  },
  takes: { missing: 'name at least one file or folder to format', many: true },
  async run({ positionals, values, problems }) {
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

export const convert: Command = {
  usage: 'echelon task convert <file>',
  about: `Writes an XML program as S-expressions and the reverse, in canonical form, with the same meaning, texts and comments.
Exit code 0: done; 1: the program cannot be read or written; 2: wrong call.`,
  options: {},
  takes: { missing: 'name the file to convert' },
  async run({ positionals: [file = ''], problems }) {
    const read = readNamed(file);
    if ('problem' in read) problems.push(`${file}: ${read.problem}`);
    if (problems.length > 0 || !('text' in read)) return { problems };
    const { text, problems: wrong } = formatProgram(read.text, file, other[surfaceOf(read.text, file)]);
    if (wrong) console.error(wrong.map(formatProblem).join('\n'));
    else await print(text.trimEnd());
    return wrong ? 1 : 0;
  },
};

const other: Readonly<Record<Surface, Surface>> = { xml: 'task', task: 'xml' };
