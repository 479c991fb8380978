// The program that a verb of `echelon task` is given by name: a file, or a registered task.
import { existsSync } from 'node:fs';
import { messageOf } from '@echelon/ground';
import type { Task } from '../../../engine/language/ast.ts';
import type { Library, Source } from '../../../engine/language/library.ts';
import { formatProblem } from '../../../engine/language/problem.ts';
import type { Flow } from '../../../engine/language/scope.ts';
import { parseProgram, readTemplate } from '../../../engine/language/program.ts';
import { isProgramFile } from '../../../engine/language/surface/surface.ts';
import { readNamed } from '../../../engine/runtime/named-file.ts';

export interface NamedProgram {
  program: Task;
  source: Source;
  flows: readonly Flow[];
  /** Of its check. */
  warnings: string[];
}

/** A file where there is one, else a registered task. `refused`: it was found, and its check says what is wrong. */
export function programNamed(
  what: string,
  library: Library,
): NamedProgram | { problems: string[]; refused: boolean } {
  const template = existsSync(what) ? undefined : library.find(what);
  const none = (problem: string) => ({ problems: [problem], refused: false });
  if (!template && !existsSync(what)) {
    if (/[/\\]/.test(what) || isProgramFile(what)) return none(`${what}: not found`);
    return none(`${what}: there is no such file, and ${reasonOf(() => library.get(what))}`);
  }
  const file = template ? { text: template.source } : readNamed(what);
  if ('problem' in file) return none(`${what}: ${file.problem}`);
  const { text } = file;
  const read = template ? readTemplate(template, library) : parseProgram(text, what, library, 'asked for');
  if (read.program) {
    return {
      program: read.program,
      flows: read.flows,
      source: { file: template?.file ?? what, text },
      warnings: read.problems.map(formatProblem),
    };
  }
  const errors = read.problems.filter(({ severity }) => severity === 'error');
  return { problems: errors.map(formatProblem), refused: true };
}

function reasonOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return messageOf(error);
  }
}
