// Packages that a change adds, by its lock files and manifests. Both were written by a model: every text is bounded.
import type { Mirror } from '@echelon/ground/workspace';
import { isLock, isLocking } from './guess-setup.ts';

export interface ChangedFile {
  path: string;
  /** Empty where there was no file, or is none now. */
  before: string;
  after: string;
}

export type NewPackages = ReturnType<typeof newPackages>;

const MOST = 50;
const MAX_UNREAD = 10;

/** Names with their versions, of one file. Throws where the text is none of its format. */
type Read = (text: string) => Iterable<readonly [name: string, version: string]>;

/** Every match of a pattern with two groups, line by line. A line may be as long as a file: reading it takes linear time. */
const lines =
  (pattern: RegExp): Read =>
  text =>
    [...text.replaceAll('\r\n', '\n').matchAll(pattern)].map(
      ([, name = '', version = '']) => [name, version] as const,
    );

/** `[[package]]` of TOML, as Cargo, uv and Poetry write it. */
const tomlPackages = lines(/^name = "([^"\n]*)"\nversion = "([^"\n]*)"/gm);

const readers: Readonly<Record<string, Read>> = {
  'package-lock.json': npmLock,
  'npm-shrinkwrap.json': npmLock,
  'package.json': npmManifest,
  // `"@a/b@npm:^1.0.0, @a/b@npm:^1.1.0":`, and in the next line `version "1.1.0"` or `version: 1.1.0`
  'yarn.lock': lines(/^"?(@?[^@\s"]+)@[^\n]*:\n {2}version:? "?([^"\s]+)/gm),
  // `  /@a/b@1.0.0(c@2.0.0):`, `  '@a/b@1.0.0':`
  'pnpm-lock.yaml': lines(/^ {2}'?\/?(@?[^@\s'"]+)@([^:('\s]+)(?:[:(][^\n]*)?'?:$/gm),
  'Cargo.lock': tomlPackages,
  'uv.lock': tomlPackages,
  'poetry.lock': tomlPackages,
  'requirements.txt': lines(/^([A-Za-z0-9][\w.-]*)(?:\[[^\]\n]*\])?[ \t]*([=<>~!][^;#\n]*)?/gm),
  'go.mod': lines(/^(?:require[ \t]+|\t)(?=\S*[/.])([^\s()]+)[ \t]+(v\S+)/gm),
  'go.sum': lines(/^(\S+) (v[^\s/]+) h1:/gm),
  'Gemfile.lock': lines(/^ {4}([\w.-]+) \(([^)\n]+)\)$/gm),
  'packages.lock.json': nugetLock,
  'gradle.lockfile': lines(/^([^:#\s]+:[^:\s]+):([^=\s]+)=/gm),
};

/** A file without a reader, and one that its reader does not understand, is named in `unread`. */
export function newPackages(files: readonly ChangedFile[]) {
  const found = new Set<string>();
  const unread: string[] = [];
  for (const { path, before, after } of files) {
    const read = readers[path.slice(path.lastIndexOf('/') + 1)];
    try {
      if (!read) throw new Error('no reader');
      for (const each of added(versionsOf(read, before), versionsOf(read, after))) found.add(each);
    } catch {
      // Not its format, or none that is known: a person has to look.
      unread.push(path);
    }
  }
  const packages = [...found].sort();
  return {
    /** `name version`, and the version before where there was one; at most 50. */
    packages: packages.slice(0, MOST),
    /** Number of further packages. */
    more: Math.max(0, packages.length - MOST),
    /** Files that changed and are not understood. */
    unread: unread.slice(0, MAX_UNREAD),
  };
}

/** The versions of each name; several may be installed side by side. */
function versionsOf(read: Read, text: string): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  if (text.trim() === '') return versions;
  for (const [name, version] of read(text))
    if (name !== '') versions.set(name, (versions.get(name) ?? new Set()).add(version));
  return versions;
}

function* added(before: Map<string, Set<string>>, after: Map<string, Set<string>>): Generator<string> {
  for (const [name, versions] of after) {
    const known = before.get(name);
    for (const version of versions)
      if (!known?.has(version))
        yield `${plain(name)} ${plain(version)}${known ? ` (was ${[...known].map(plain).join(', ')})` : ''}`.trim();
  }
}

/** Keeps the characters of names and versions; others could be meant for the reader. */
const plain = (text: string): string => {
  const short = text.trim().slice(0, 100);
  return /^[\w@./:+~^<>=!*, -]*$/.test(short) ? short : '(not a name or version)';
};

function* npmLock(text: string): Generator<readonly [string, string]> {
  const { packages, dependencies } = objectOf(JSON.parse(text));
  for (const [path, entry] of Object.entries(objectOf(packages))) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (path.includes('node_modules/')) yield [name, textOf(objectOf(entry)['version'])];
  }
  // npm before version 7 wrote these alone.
  if (packages === undefined)
    for (const [name, entry] of Object.entries(objectOf(dependencies)))
      yield [name, textOf(objectOf(entry)['version'])];
}

function* npmManifest(text: string): Generator<readonly [string, string]> {
  const manifest = objectOf(JSON.parse(text));
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
    for (const [name, version] of Object.entries(objectOf(manifest[kind]))) yield [name, textOf(version)];
}

function* nugetLock(text: string): Generator<readonly [string, string]> {
  for (const framework of Object.values(objectOf(objectOf(JSON.parse(text))['dependencies'])))
    for (const [name, entry] of Object.entries(objectOf(framework)))
      yield [name, textOf(objectOf(entry)['resolved'])];
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Files that are read, and bytes of each. */
const MOST_FILES = 30;
const MAX_FILE = 8 << 20;

/** `paths`: what differs between the two commits. Undefined: nothing that names packages. */
export async function packageChanges(
  mirror: Mirror,
  { base, commit, paths }: { base: string; commit: string; paths: readonly string[] },
): Promise<NewPackages | undefined> {
  const locked = new Set(paths.filter(isLocking).map(folderOf));
  // A lock file has the versions that its manifest leads to.
  const named = paths.filter(path => isLock(path, locked.has(folderOf(path))));
  if (named.length === 0) return undefined;
  const read = async (at: string, path: string) => String((await mirror.readFile(at, path, MAX_FILE)) ?? '');
  const files = [];
  for (const path of named.slice(0, MOST_FILES))
    files.push({ path, before: await read(base, path), after: await read(commit, path) });
  const found = newPackages(files);
  const unread = [...found.unread, ...named.slice(MOST_FILES, MOST_FILES + 10)];
  return { ...found, unread };
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
