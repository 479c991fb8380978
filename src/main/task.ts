// `echelon task check <file...>`: every problem of task programs as file:line:column message.
import { readFileSync } from 'node:fs';
import { parseProgram } from '../language/program.ts';
import type { Problem } from '../language/problem.ts';
import { optionsHelp, readOptions } from './options.ts';

const options = {
  json: { type: 'boolean', help: 'print one JSON object instead of lines' },
  help: { type: 'boolean', help: 'this text' },
} as const;

const help = `Usage: npx echelon task check <file...> [--json]

Checks programs of the task language and prints every problem as file:line:column message.
Exit code 0: no errors; 1: errors; 2: called wrongly.

${optionsHelp(options)}`;

export async function task(argv: string[]): Promise<number> {
  const { values, positionals, problems } = readOptions(argv, options);
  const [verb, ...files] = positionals;
  if (values['help']) {
    console.log(help);
    return 0;
  }
  if (verb !== 'check')
    problems.push(
      verb
        ? `task ${verb} is not available yet; what is: task check`
        : 'say what to do: task check <file...>',
    );
  else if (files.length === 0) problems.push('name at least one file to check');
  if (problems.length > 0) {
    for (const problem of problems) console.error(problem);
    console.error(`\n${help}`);
    return 2;
  }
  const found: Problem[] = [];
  for (const file of files) {
    try {
      found.push(...parseProgram(readFileSync(file, 'utf8'), file).problems);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const message = code === 'ENOENT' ? 'not found' : `cannot be read (${code ?? String(error)})`;
      found.push({ severity: 'error', file, line: 1, column: 1, message });
    }
  }
  const errors = found.filter(({ severity }) => severity === 'error').length;
  if (values['json']) console.log(JSON.stringify({ files: files.length, errors, problems: found }));
  else
    for (const { file, line, column, severity, message } of found)
      console.log(`${file}:${line}:${column} ${severity === 'warning' ? 'warning: ' : ''}${message}`);
  return errors > 0 ? 1 : 0;
}
