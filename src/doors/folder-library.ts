// Library and settings for programs in a folder: the product's templates, those of `.github/echelon/` and of further
// files, and `.github/echelon.yml`.
import { createLibrary, type Library, type Source, type Template } from '../engine/language/library.ts';
import type { Problem } from '../engine/language/problem.ts';
import { readTemplate } from '../engine/language/program.ts';
import type { Subtype } from '../engine/language/subtypes.ts';
import type { FurtherTools } from '../engine/language/tool.ts';
import { isProgramFile } from '../engine/language/surface/surface.ts';
import { SOURCE_LIMIT } from '../engine/language/tree.ts';
import { templatesPath, productTemplates } from '../engine/runtime/commit-templates.ts';
import { FileRefused, listFolderFiles, readFolderFile } from '../engine/runtime/folder-files.ts';
import { type Config, configPath, parseConfig, sessionSettings } from '../app/config.ts';

/** More than this in one folder is a mistake. */
const MOST = 50;

/**
 * The programs below `.github/echelon/` of `folder`, `.xml` or `.task`, in the order of the paths; none where there is no such folder.
 * Throws FileRefused for the first that is not taken, unless `refused` takes what is wrong with it.
 */
export function folderTemplates(folder: string, refused?: (problem: Problem) => void): Source[] {
  const files = listFolderFiles(folder, templatesPath).filter(isProgramFile);
  if (files.length > MOST)
    throw new Error(`${templatesPath} holds ${files.length} templates; at most ${MOST} are read`);
  return files.flatMap(file => {
    try {
      const text = readFolderFile(folder, file, SOURCE_LIMIT);
      return text === undefined ? [] : [{ file, text }];
    } catch (error) {
      if (!refused || !(error instanceof FileRefused)) throw error;
      refused(error.problem);
      return [];
    }
  });
}

/** Names that programs can use besides the language's and the product's. */
interface Further {
  subtypes?: Readonly<Record<string, Subtype>>;
  tools?: FurtherTools;
}

/**
 * Product, then `own`, each overriding by name. `problems`: every error in `own`, and in what the product's become with
 * it.
 */
export function libraryOf(
  own: readonly Source[],
  further: Further = {},
): { library: Library; problems: Problem[] } {
  const { library: outer } = createLibrary(productTemplates(), further);
  const { library, problems } = createLibrary(own, { outer });
  // The product's alone are fine.
  if (own.length === 0) return { library, problems };
  const found = [...problems, ...library.templates().flatMap(each => readTemplate(each, library).problems)];
  return { library, problems: found.filter(({ severity }) => severity === 'error') };
}

/**
 * As `libraryOf` of the folder's own templates, with `files` registered where their roots have names. A second file
 * of the same name is a warning, and is not registered. `together`: what is wrong with the folder's own as its
 * templates, whatever else is given; these are among `problems`.
 */
export function libraryWith(
  files: readonly Source[],
  folder: string,
  further: Further = {},
): { library: Library; problems: Problem[]; together: Problem[]; twice: Problem[] } {
  const unread: Problem[] = [];
  const own = folderTemplates(folder, problem => unread.push(problem));
  const { library: outer, problems } = libraryOf(own, further);
  const together = [...unread, ...createLibrary(own).problems];
  const first = new Map<string, Template>();
  const twice: Problem[] = [];
  for (const template of files.flatMap(file => createLibrary([file]).library.templates())) {
    const known = first.get(template.name);
    if (!known) first.set(template.name, template);
    else {
      const message = `a second task "${template.name}"; ref and call take the one in ${known.file}`;
      const { at } = template.element.attributes.get('name') ?? template.element;
      twice.push({ ...at, severity: 'warning', message });
    }
  }
  const sources = [...first.values()].map(({ file, source }) => ({ file, text: source }));
  const { library } = createLibrary(sources, { outer });
  return { library, problems: [...unread, ...problems], together, twice };
}

/** Bytes of a configuration that are read. */
const MAX_FILE = 256 * 1024;

/** The configuration of `folder`; everything has a default. Throws an Error with every problem as file:line:column. */
export function readTaskConfig(folder: string): Config {
  return parsed(readFolderFile(folder, configPath, MAX_FILE) ?? '');
}

/** Configuration in the absence of a file. */
export const defaultTaskConfig = (): Config => parsed('');

function parsed(text: string): Config {
  const read = parseConfig(text);
  if ('config' in read) return read.config;
  throw new Error(
    read.problems.map(({ line, column, message }) => `${configPath}:${line}:${column} ${message}`).join('\n'),
  );
}

/** Settings of the configuration for programs. `<command>` may read the same names as in an engineer's program. */
export const programSettings = (config: Config) => ({
  settings: { test_command: config.test ?? '', rounds: String(config.rounds) },
  reasoning: sessionSettings(config),
  warnAt: config.limits.warn_at,
});
