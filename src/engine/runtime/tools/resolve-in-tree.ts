// Turns a path that a model gives into a place inside the work tree, or refuses it.
// Between the look and the use nothing else may write to the tree: commands have ended before a file tool runs.
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { maxFileBytes, pathFault, readRegular } from '@echelon/ground/workspace';
import { ToolRefusal } from '../../language/tool.ts';

/** The path as git spells it: without a leading `./` or a trailing `/`; `.` is the root. Refused by name. */
export function treePath(path: string): string {
  const plain = path.replace(/^(\.\/)+/, '').replace(/(?<=.)\/$/, '');
  if (plain === '.' || plain === '') return '.';
  const fault = pathFault(plain);
  if (fault)
    throw new ToolRefusal(
      `the path ${JSON.stringify(path)} ${fault}; give a path relative to the root of the checkout`,
    );
  return plain;
}

/**
 * The real place of `path`, which need not exist. Symbolic links on the way are followed while they stay inside the
 * tree. With `link`, a link at the end is not followed.
 */
export async function placeOf(tree: string, path: string, { link = false } = {}): Promise<string> {
  const root = await realpath(tree);
  const names = treePath(path) === '.' ? [] : treePath(path).split('/');
  let place = root;
  for (const [at, name] of names.entries()) {
    const next = join(place, name);
    const stat = await lstat(next).catch(() => undefined);
    if (!stat) return join(place, ...names.slice(at));
    if (stat.isSymbolicLink() && !(link && at === names.length - 1)) {
      // A link to nothing is refused too: writing through it would make its target, wherever that is.
      const real = await realpath(next).catch(() => undefined);
      const inside = real === undefined ? undefined : relative(root, real);
      if (real === undefined || inside === undefined || (inside !== '' && pathFault(inside)))
        throw new ToolRefusal(
          `${names.slice(0, at + 1).join('/')} is a symbolic link that leads out of the checkout or to nothing`,
        );
      place = real;
    } else place = next;
  }
  return place;
}

/** The bytes of a regular file of at most 1 MB. Never waits on a pipe and never follows a link at the end. */
export function readRegularFile(place: string, path: string): Buffer {
  const read = readRegular(place, maxFileBytes);
  if (Buffer.isBuffer(read)) return read;
  if (read.kind === 'missing') throw new ToolRefusal(`there is no file ${path}`);
  if (read.kind === 'folder') throw new ToolRefusal(`${path} is a folder; use list_files`);
  throw new ToolRefusal(`${path} ${read.reason}`);
}

/** Writes a regular file, keeping the mode it has. */
export async function writeRegularFile(place: string, path: string, content: string): Promise<void> {
  if (Buffer.byteLength(content) > maxFileBytes)
    throw new ToolRefusal(`the content for ${path} has more than ${maxFileBytes} bytes`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(place, flags, 0o644).catch((error: NodeJS.ErrnoException) => {
    throw new ToolRefusal(
      `${path} cannot be written (${error.code === 'EISDIR' ? 'it is a folder' : error.code})`,
    );
  });
  try {
    if (!(await file.stat()).isFile()) throw new ToolRefusal(`${path} is not a regular file`);
    await file.truncate();
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}
