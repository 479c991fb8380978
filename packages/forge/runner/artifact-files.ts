// Files of an upload: patterns as upload-artifact reads them, links followed, nothing from outside the job.
import { constants, type FileHandle, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, normalize, resolve, sep } from 'node:path';
import { type Glob, readGlob } from '@echelon/ground';
import { ArtifactRefused } from './artifact-store.ts';
import { isWithin } from './built-in/inputs.ts';
import type { ZipSource } from './zip.ts';

/** Limit of matching patterns, in visited states (see `lib/glob-match.ts`). */
const mostEffort = 200_000_000;
/** Files that are looked at; a zip holds no more. */
const mostFiles = 0xffff;

interface Pattern {
  glob: Glob;
  /** Begins with `!`: takes away what the patterns before it found. */
  negated: boolean;
  /** The part before the first sign of a glob: where the search begins. */
  root: string;
}

interface Found {
  /** Absolute, in the order of the search. */
  files: string[];
  /** Folder that the artifact's paths are relative to. */
  root: string;
}

/**
 * The files of `paths`, one pattern a line, relative to `workspace`. A folder stands for all that is in it; hidden files
 * and folders are left out unless `hidden`; links are followed, broken ones and rings left out. Several patterns share
 * the deepest folder above all of them as their root. Throws ArtifactRefused for a pattern that is none, and for a
 * folder that lies outside `within` when links are followed.
 */
export async function findFiles(
  paths: string,
  { workspace, hidden, within }: { workspace: string; hidden: boolean; within: string },
): Promise<Found> {
  const patterns = paths
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => patternOf(line, workspace));
  const roots = [...new Set(patterns.filter(each => !each.negated).map(each => each.root))];
  const tops = roots.filter(root => !roots.some(other => other !== root && isWithin(root, other)));
  const effort = { left: mostEffort };
  const takes = (path: string) => {
    let taken = false;
    for (const { glob, negated } of patterns)
      if (taken === negated && glob.covers(path.slice(1), effort)) taken = !negated;
    if (effort.left < 0) throw new ArtifactRefused('The patterns are too costly to match.');
    return taken;
  };
  const files: string[] = [];
  for (const top of tops) await search(top, [], { hidden, within, takes, files });
  const [only] = roots;
  const single = roots.length === 1 && files.length === 1 && files[0] === only;
  return { files, root: single ? dirname(only ?? workspace) : sharedFolder(roots) };
}

function patternOf(line: string, workspace: string): Pattern {
  const negated = line.startsWith('!');
  const text = negated ? line.slice(1).trim() : line;
  const path = normalize(text.startsWith('/') ? text : join(workspace, text)).replace(/\/$/, '');
  const names = path.split(sep);
  const first = names.findIndex(name => /[*?[\]]/.test(name));
  // Braces are no sign of a glob to upload-artifact.
  const glob = readGlob(path.replace(/[{}\\]/g, sign => `\\${sign}`));
  if (!glob) throw new ArtifactRefused(`The path ${line} is no pattern that can be searched for.`);
  return { glob, negated, root: (first < 0 ? names : names.slice(0, first)).join(sep) || sep };
}

function sharedFolder(roots: string[]): string {
  const [first = sep, ...others] = roots;
  let shared = first;
  while (!others.every(root => isWithin(root, shared))) shared = dirname(shared);
  return shared;
}

interface Search {
  hidden: boolean;
  within: string;
  takes(path: string): boolean;
  files: string[];
}

/** `above`: the real paths of the folders that lead here, to find rings. */
async function search(path: string, above: readonly string[], into: Search): Promise<void> {
  // A broken link, or a file that went away meanwhile.
  const found = await stat(path).catch(() => undefined);
  if (!found || (!into.hidden && basename(path).startsWith('.'))) return;
  if (!found.isDirectory()) {
    if (!into.takes(path)) return;
    into.files.push(path);
    if (into.files.length > mostFiles)
      throw new ArtifactRefused(`An artifact holds ${mostFiles} files at most.`);
    return;
  }
  const real = await realpath(path);
  if (!isWithin(real, into.within)) throw outside(path, real);
  if (above.includes(real)) return;
  for (const name of (await readdir(path)).sort()) await search(join(path, name), [...above, real], into);
}

const outside = (path: string, place: string) =>
  new ArtifactRefused(`${path} leads to ${place}, outside the job's folders: it is not uploaded.`);

/** Not allowed in a path, because some file system cannot have them; the same as the toolkit's. */
const forbidden = /["<>|*?:\r\n]/;

/**
 * The files as they go into the zip. Each is read when its turn comes. Refused, with a sentence: a file that lies
 * outside `within` when links are followed, one that is no regular file, more than `largest` bytes of all together.
 */
export function sourcesOf({ files, root }: Found, within: string, largest: number): ZipSource[] {
  const left = { bytes: largest };
  return files.map(file => {
    const name = file.slice(root === sep ? 1 : root.length + 1);
    if (forbidden.test(name))
      throw new ArtifactRefused(
        `The path for one of the files in artifact is not valid: ${name}. It has one of the signs " : < > | * ? or a line end.`,
      );
    return { name, chunks: () => chunksOf(file, within, left, largest) };
  });
}

async function* chunksOf(
  path: string,
  within: string,
  left: { bytes: number },
  largest: number,
): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const place = await openedPlace(file, path);
    if (!isWithin(place, within)) throw outside(path, place);
    const found = await file.stat();
    if (!found.isFile()) throw new ArtifactRefused(`${path} is no regular file: it is not uploaded.`);
    const refuse = () =>
      new ArtifactRefused(`The artifact holds more than ${largest} bytes, the most that are taken here.`);
    // Said before all of it is read.
    if (found.size > left.bytes) throw refuse();
    const bytes = Buffer.allocUnsafe(256 * 1024);
    for (;;) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, null);
      if (bytesRead === 0) return;
      left.bytes -= bytesRead;
      if (left.bytes < 0) throw refuse();
      yield Buffer.from(bytes.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Real path of an open file, not of what its path leads to by now. */
async function openedPlace(file: FileHandle, path: string): Promise<string> {
  // Without /proc a path may be turned elsewhere between opening and asking.
  return readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(resolve(path)));
}
