// `echelon task convert <file>`: a program in the other surface.
import { formatProblem } from '../../../engine/language/problem.ts';
import { formatProgram } from '../../../engine/language/program.ts';
import { type Surface, surfaceOf } from '../../../engine/language/surface/surface.ts';
import { readNamed } from '../../../engine/runtime/named-file.ts';
import { print } from '../output.ts';
import type { Verb } from './verb.ts';

export const convert: Verb = {
  usage: 'convert <file>',
  about: `Writes a program of the task language as S-expressions where it is XML, and as XML where it is S-expressions, in canonical
form: it means the same, with the same texts and comments, and comes back as the canonical form of what it was.
Exit code 0: done; 1: the file is not well-formed, or the program cannot be written; 2: called wrongly.`,
  options: {},
  async run(given) {
    const [file, ...more] = given.positionals;
    const problems = [...given.problems, ...more.map(word => `unexpected argument ${word}`)];
    if (file === undefined) problems.push('name the file to convert');
    const read = file === undefined ? undefined : readNamed(file);
    if (read && 'problem' in read) problems.push(`${file}: ${read.problem}`);
    if (problems.length > 0 || file === undefined || !read || !('text' in read)) return { problems };
    const { text, problems: wrong } = formatProgram(read.text, file, other[surfaceOf(read.text, file)]);
    if (wrong) console.error(wrong.map(formatProblem).join('\n'));
    else await print(text.trimEnd());
    return wrong ? 1 : 0;
  },
};

const other: Readonly<Record<Surface, Surface>> = { xml: 'task', task: 'xml' };
