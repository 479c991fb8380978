// The programs of templates, each read once.
import type { Task } from '../language/ast.ts';
import type { Library, Template } from '../language/library.ts';
import { readTemplate } from '../language/program.ts';
import { invalidAt } from '../language/result.ts';

/** Templates do not change while a program runs, so that each is read once for a library. */
const read = new WeakMap<Library, Map<Template, Task>>();

/** The checked program of a template. Throws TaskError VALIDATION_ERROR with its first problem. */
export function programOf(template: Template, library: Library): Task {
  let known = read.get(library);
  if (!known) read.set(library, (known = new Map()));
  const found = known.get(template);
  if (found) return found;
  const { program, problems } = readTemplate(template, library);
  if (!program) {
    const first = problems.find(({ severity }) => severity !== 'warning')!;
    throw invalidAt(first, first.message);
  }
  known.set(template, program);
  return program;
}
