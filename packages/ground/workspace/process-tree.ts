// Ends everything that a command started: its process group, and on Linux also what left the group.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** The variables that mark all descendants of a command, and of all commands of a job. */
export const commandMark = 'ECHELON_COMMAND';
export const jobMark = 'ECHELON_JOB';

/** Process groups that were started here and have not ended. */
export const runningGroups = new Set<number>();

/** Kills all that was started here and runs, at once: for a process that is about to end and can wait for nothing. */
export function killRunningGroups(): void {
  for (const group of runningGroups) signalGroup(group, 'SIGKILL');
}

/** Sends a signal to a whole process group; false when there is none. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-groupId, signal);
  } catch {
    // There is no such group any more.
    return false;
  }
}

/** Asks all of a child's process group to end; what does not obey within `grace` milliseconds is killed. */
export function endGroup(child: ChildProcess, grace = 2000): void {
  const { pid } = child;
  if (pid === undefined) return;
  signalGroup(pid, grace === 0 ? 'SIGKILL' : 'SIGTERM');
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), grace);
  child.once('close', () => clearTimeout(timer));
}

/**
 * Kills processes that carry the mark in the environment they were started with: daemons that left the process group
 * and whose parent is gone. Needs /proc; a process that also emptied its environment is not found.
 */
export async function killMarked(variable: typeof commandMark | typeof jobMark, mark: string): Promise<void> {
  // Again while something was found: it may have forked while we looked.
  for (let pass = 0; pass < 5; pass += 1) {
    const marked = await findMarked(`${variable}=${mark}`);
    if (marked.length === 0) return;
    for (const pid of marked)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended by itself.
      }
  }
}

async function findMarked(entry: string): Promise<number[]> {
  // No `/proc` on this system: the group was all there is.
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async pid => {
      // Ended meanwhile, or another user's: not ours.
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(entry) ? [pid] : [];
    }),
  );
  return marked.flat();
}

/**
 * Start time of a process in clock ticks since boot (Linux); null where the system does not tell. A number may go to another
 * process; number and start together do not.
 */
export function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie is over, though its number is still taken.
    return fields[0] === 'Z' ? 'over' : (fields[19] ?? null);
  } catch {
    // No such process, or no `/proc`: nobody can say.
    return null;
  }
}
