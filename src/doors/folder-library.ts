// Library and settings for programs in a folder: the product's templates, those of `.github/echelon/` and of further
// files, and `.github/echelon.yml`.
import { readRegular } from '@echelon/ground/workspace';
import { join } from 'node:path';
import { lstatSync, readdirSync } from 'node:fs';
import type { FurtherTools, Library, Source, Template } from '../engine/language.ts';
import {
  createLibrary,
  isProgramFile,
  productTemplates,
  readTemplate,
  SOURCE_LIMIT,
  templatesPath,
} from '../engine/language.ts';
import { type Problem, textOfBytes } from '../engine/texts.ts';
import type { Subtype } from '../engine/engine.ts';
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

/** More entries than this below one path are a mistake. */
const MOST_ENTRIES = 10_000;

/** A file that is there and is not taken. */
class FileRefused extends Error {
  readonly problem: Problem;
  constructor(file: string, reason: string, { line, column } = { line: 1, column: 1 }) {
    super(`${file} ${reason}`);
    this.problem = { file, line, column, severity: 'error', message: reason };
  }
}

/**
 * The text of `path` in `folder`; undefined where there is no such file. Throws FileRefused where it is no regular file,
 * has more than `limit` bytes, is not UTF-8 or cannot be read, an Error where a part of `path` is a symbolic link.
 */
function readFolderFile(folder: string, path: string, limit: number): string | undefined {
  if (!isThere(folder, path)) return undefined;
  const read = readRegular(join(folder, path), limit);
  if (!Buffer.isBuffer(read)) {
    if (read.kind === 'missing') return undefined;
    throw new FileRefused(path, read.reason);
  }
  const decoded = textOfBytes(read);
  if ('text' in decoded) return decoded.text;
  throw new FileRefused(path, decoded.problem, decoded);
}

/**
 * The paths of the regular files below `path`, which ends with `/`, in their order; none where there is no such folder.
 * Links are left out. Throws an Error where a part of `path` itself is a link, or for more than 10,000 entries.
 */
function listFolderFiles(folder: string, path: string): string[] {
  const files: string[] = [];
  const open = isThere(folder, path.slice(0, -1), 'folder') ? [path] : [];
  let seen = 0;
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      if (++seen > MOST_ENTRIES) throw new Error(`${path} holds more than ${MOST_ENTRIES} files and folders`);
      if (entry.isDirectory()) open.push(`${below}${entry.name}/`);
      else if (entry.isFile()) files.push(`${below}${entry.name}`);
    }
  }
  return files.sort();
}

function isThere(folder: string, path: string, kind: 'file' | 'folder' = 'file'): boolean {
  const names = path.split('/');
  for (const [at] of names.entries()) {
    const part = names.slice(0, at + 1).join('/');
    const stat = lstatSync(join(folder, part), { throwIfNoEntry: false });
    if (!stat) return false;
    if (stat.isSymbolicLink())
      throw new Error(`${part} is a symbolic link, which is not followed; put the files themselves there`);
    // A file where a folder should be: there is nothing below it.
    if (!stat.isDirectory() && (kind === 'folder' || at < names.length - 1)) return false;
  }
  return true;
}
