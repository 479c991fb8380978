// The lock files and manifests that a commit changes, read for the packages that are new.
import type { Mirror } from '../../workspace/mirror.ts';
import { isLock, isLocking } from './guess-setup.ts';
import { type NewPackages, newPackages } from './new-packages.ts';

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
  const read = async (at: string, path: string) => {
    const file = await mirror.find(at, path);
    return file && file.size <= MAX_FILE ? String(await mirror.readFile(at, path, MAX_FILE)) : '';
  };
  const files = [];
  for (const path of named.slice(0, MOST_FILES))
    files.push({ path, before: await read(base, path), after: await read(commit, path) });
  const found = newPackages(files);
  const unread = [...found.unread, ...named.slice(MOST_FILES, MOST_FILES + 10)];
  return { ...found, unread };
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
