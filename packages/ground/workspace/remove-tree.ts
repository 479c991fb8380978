// Removes trees that model-written code could write: of any depth, with any permissions. Nothing of it throws, so that
// what a removal comes to never takes the place of a result.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf } from '../lib/message.ts';
import { systemPath } from '../lib/system-path.ts';

/** Folder, within the one that was cleared, of what could not be removed. */
const aside = 'removed';
/** After so long the rest of a removal is left for the next one (milliseconds). */
const removalMs = 60_000;

/**
 * Removes a file, a link, or a folder with all that is in it. Answers what stood in the way; undefined: nothing is
 * left. By the system's `rm`, which goes from folder to folder: whole paths may be longer than any call takes.
 */
export async function removeTree(
  path: string,
  signal: AbortSignal = AbortSignal.timeout(removalMs),
): Promise<string | undefined> {
  const fault = await run('rm', ['-rf', '--', path], signal);
  if (fault === undefined) return undefined;
  // Of a user without privileges, a folder that forbids it keeps what is in it.
  if (await isFolder(path)) await run('chmod', ['-R', 'u+rwx', '--', path], signal);
  return await run('rm', ['-rf', '--', path], signal);
}

/** A new folder of the system's own, which goes with all that is in it at the end of the block that it is used in. */
export async function temporaryFolder(name: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), `echelon-${name}-`));
  return { path, [Symbol.asyncDispose]: async () => void (await removeTree(path)) };
}

/**
 * Makes these names of `folder` free. What cannot be removed is moved aside within `folder`, for `sweep`; the answer
 * says for a log what was left, and why. Undefined: nothing was.
 */
export async function clear(
  folder: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const left: string[] = [];
  const place = join(folder, aside);
  for (const name of names) {
    const path = join(folder, name);
    try {
      if ((await lstat(path)).isDirectory()) await chmod(path, 0o700);
      await mkdir(place, { recursive: true });
      await rename(path, join(place, `${name}-${randomUUID()}`));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') left.push(messageOf(error));
    }
  }
  const fault = (await isFolder(place)) ? await removeTree(place, signal) : undefined;
  if (fault !== undefined) left.push(`what could not be removed is in ${place}: ${fault}`);
  return left.length > 0 ? left.join('; ') : undefined;
}

/** Removes what `clear` left in the folders within `parent`, as far as it comes until the signal. */
export async function sweep(parent: string, signal: AbortSignal): Promise<void> {
  // No such folder: nothing was left in it.
  for (const name of await readdir(parent).catch(() => [])) {
    const place = join(parent, name, aside);
    if (signal.aborted) return;
    if (await isFolder(place)) await removeTree(place, signal);
  }
}

/** Undefined: it ended well. The program is not looked for on the caller's PATH. */
async function run(program: string, args: string[], signal: AbortSignal): Promise<string | undefined> {
  const late = 'the time for it is over';
  if (signal.aborted) return late;
  return await new Promise(resolve => {
    const options = { env: { PATH: systemPath, LC_ALL: 'C' }, signal, killSignal: 'SIGKILL' as const };
    execFile(program, args, options, (error, _stdout, stderr) => {
      if (!error) resolve(undefined);
      else if (signal.aborted) resolve(late);
      else resolve((stderr.trim().split('\n')[0] || messageOf(error)).slice(0, 500));
    });
  });
}

export async function isFolder(path: string): Promise<boolean> {
  // Not there, or not to be looked at: no folder.
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}
