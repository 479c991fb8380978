// The templates of the task language that a run goes by: the product's, and the repository's, which override them.
import type { Mirror } from '@echelon/ground/workspace';
import type { Library, Source } from '../../engine/language.ts';
import { createLibrary, readTemplate, readTemplates } from '../../engine/language.ts';
import type { Problem } from '../../engine/texts.ts';

export interface Templates {
  library: Library;
  /** The product's, then the repository's. */
  sources: readonly (readonly Source[])[];
}

/** `commit`: where the repository's templates are pinned; undefined: it has none. */
export async function templatesOf(
  commit: string | undefined,
  access: { templates: readonly Source[]; mirror(): Promise<Mirror> },
): Promise<Templates> {
  const own = commit === undefined ? [] : await readTemplates(await access.mirror(), commit);
  return { library: merged(access.templates, own).library, sources: [access.templates, own] };
}

/** Every error in the repository's templates, and in what the product's become with them. */
export function templateProblems(product: readonly Source[], own: readonly Source[]): Problem[] {
  if (own.length === 0) return [];
  const { library, problems } = merged(product, own);
  const found = [...problems, ...library.templates().flatMap(each => readTemplate(each, library).problems)];
  return found.filter(({ severity }) => severity === 'error');
}

function merged(
  product: readonly Source[],
  own: readonly Source[],
): { library: Library; problems: Problem[] } {
  const outer = products.get(product) ?? createLibrary(product).library;
  products.set(product, outer);
  return createLibrary(own, { outer });
}

/** The product's templates as a library: read once in a process, and not at each look at a run. */
const products = new WeakMap<readonly Source[], Library>();
