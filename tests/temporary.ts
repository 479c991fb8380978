// Temporary folders of the tests lie in memory where there is room. A suite makes and removes some hundred thousand
// files: ext4 without a journal takes no number of a removed file for minutes, and looks through all of them for each
// new file, which then takes seventy times as long.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Linux has it. Containers often have one that is small, or in which no program may be started. */
const memory = '/dev/shm';
const leastBytes = 4 * 2 ** 30;
const name = 'echelon-tests-';

function hasRoom(): boolean {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounted.map(line => line.split(' ')).find(([, at]) => at === memory)?.[3];
    const { bavail, bsize } = statfsSync(memory);
    const isExecutable = options !== undefined && !options.split(',').includes('noexec');
    // A RAM disk's size says nothing about the memory.
    return isExecutable && bavail * bsize >= leastBytes && freemem() >= 2 * leastBytes;
  } catch {
    return false;
  }
}

/** A test's leftovers may be nested too deeply for Node's own removal. */
const remove = (folder: string) => void execFileSync('rm', ['-rf', '--', folder]);

/** Of runs that were killed, which could not remove theirs. */
function sweep(): void {
  for (const each of readdirSync(memory)) {
    const pid = each.startsWith(name) && each.slice(name.length);
    if (pid && !isAlive(Number(pid))) remove(join(memory, each));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** For vitest, before whatever makes a folder. A folder that TMPDIR names already stays. */
export default function setup(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return undefined;
  sweep();
  const folder = join(memory, `${name}${process.pid}`);
  // Folders in it are private, except those that a test gives to another user.
  mkdirSync(folder, { mode: 0o711 });
  process.env['TMPDIR'] = folder;
  return () => remove(folder);
}
