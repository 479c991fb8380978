// Whether a program of one's own may register a task under its name.
import { createLibrary, type Library, type Source } from '../../engine/language/library.ts';
import type { Problem } from '../../engine/language/problem.ts';
import { problemAt } from '../../engine/tasks/written-program.ts';

/**
 * What keeps the task of `source` from being registered beside those of `library`: one of its name is there, be it the
 * product's, the folder's, or registered before. Empty where the name is free, and where there is none.
 */
export function takenNames(source: Source, library: Library): Problem[] {
  const [own] = createLibrary([source]).library.templates();
  const known = own && library.find(own.name);
  if (!known) return [];
  const at = own.element.attributes.get('name')?.at ?? own.element.at;
  const message = `a task "${own.name}" is registered already (${known.file}): take another name; a task of the product or of the folder is replaced by a template of its name in .github/echelon/ of the folder`;
  return [problemAt(at, message)];
}
