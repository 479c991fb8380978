// The templates that programs of a folder can name: the product's, the folder's own in `.github/echelon/`, further files.
import { createLibrary, type Library, type Source, type Template } from '../../language/library.ts';
import type { Problem } from '../../language/problem.ts';
import { SOURCE_LIMIT } from '../../language/tree.ts';
import { templateProblems } from '../../run/templates.ts';
import { templatesPath } from '../../workspace/templates.ts';
import { productTemplates } from '../templates.ts';
import { listFolderFiles, readFolderFile } from './folder-files.ts';

/** More than this in one folder is a mistake. */
const MOST = 50;

/** The `.xml` files below `.github/echelon/` of `folder`, in the order of the paths; none where there is no such folder. */
export function folderTemplates(folder: string): Source[] {
  const files = listFolderFiles(folder, templatesPath).filter(file => file.endsWith('.xml'));
  if (files.length > MOST)
    throw new Error(`${templatesPath} holds ${files.length} templates; at most ${MOST} are read`);
  return files.flatMap(file => {
    const text = readFolderFile(folder, file, SOURCE_LIMIT);
    return text === undefined ? [] : [{ file, text }];
  });
}

/** Product, then `own`, each overriding by name. `problems`: every error in `own`, and in what the product's become with it. */
export function libraryOf(own: readonly Source[]): { library: Library; problems: Problem[] } {
  const product = productTemplates();
  const { library } = createLibrary(own, { outer: createLibrary(product).library });
  return { library, problems: templateProblems(product, own) };
}

/**
 * As `libraryOf` of the folder's own templates, with `files` registered where their roots have names. A second file
 * of the same name is a warning, and is not registered.
 */
export function libraryWith(
  files: readonly Source[],
  folder: string,
): { library: Library; problems: Problem[]; twice: Problem[] } {
  const { library: outer, problems } = libraryOf(folderTemplates(folder));
  const first = new Map<string, Template>();
  const twice: Problem[] = [];
  for (const template of files.flatMap(file => createLibrary([file]).library.templates())) {
    const known = first.get(template.name);
    if (!known) first.set(template.name, template);
    else {
      const message = `a second task "${template.name}"; ref and call take the one in ${known.file}`;
      twice.push({ ...template.element.at, severity: 'warning', message });
    }
  }
  const sources = [...first.values()].map(({ file, source }) => ({ file, text: source }));
  return { library: createLibrary(sources, { outer }).library, problems, twice };
}
