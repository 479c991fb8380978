// A job as a process of its own with a folder: started once, found again after a restart, killed as a whole.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, cp, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checkoutParts } from './checkout.ts';
import { beganAt, jobMark, killMarked, signalGroup } from './process-tree.ts';
import { clear } from './remove-tree.ts';
import { codeOf } from '../lib/message.ts';

/** Names of the files in a job's folder. */
export const jobFiles = {
  spec: 'job.json',
  /** The spec that a job worked out itself. */
  base: 'base.json',
  report: 'report.json',
  pid: 'pid.json',
  log: 'job.log',
  progress: 'progress.jsonl',
  spent: 'spent.json',
  mark: 'mark',
  guidance: 'guidance.txt',
} as const;

export interface ProcessState {
  state: 'absent' | 'living' | 'gone' | 'finished';
}

/**
 * The mark of every command of this job, kept in its folder. Random: another installation on this machine may have a
 * job of the same operation key, and must not find these.
 */
export async function markOfJob(folder: string): Promise<string> {
  try {
    await writeFile(join(folder, jobFiles.mark), randomUUID(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return await readFile(join(folder, jobFiles.mark), 'utf8');
}

/** Writes a whole file or nothing. */
export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `.${name}.${randomUUID()}.tmp`);
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, join(folder, name));
}

export async function readIfThere(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Puts files and folders of one job's folder in the place of another's; what is not there is in neither afterwards. */
export async function handUp(from: string, to: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await rm(join(to, name), { recursive: true, force: true });
    await cp(join(from, name), join(to, name), { recursive: true }).catch(error => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  }
}

/** Adds to a file of the folder. */
export async function appendTo(folder: string, name: string, text: string): Promise<void> {
  await appendFile(join(folder, name), text, { mode: 0o600 });
}

/** Whole lines of a growing file from a byte offset on, and the offset to go on from. */
export async function readSince(
  folder: string,
  name: string,
  offset: number,
): Promise<{ text: string; next: number }> {
  const text = (await readIfThere(folder, name)) ?? '';
  const bytes = Buffer.from(text, 'utf8').subarray(offset);
  const end = bytes.lastIndexOf(0x0a) + 1;
  return { text: bytes.subarray(0, end).toString('utf8'), next: offset + end };
}

/** A report found is final; a process group that lives is still at work; a spec with neither was lost. */
export async function processState(folder: string): Promise<ProcessState['state']> {
  if ((await readIfThere(folder, jobFiles.report)) !== undefined) return 'finished';
  if (await livingGroup(folder)) return 'living';
  return (await readIfThere(folder, jobFiles.spec)) === undefined ? 'absent' : 'gone';
}

/** Makes the folder, and clears it of what a job left that died in the middle: its commands, its checkout. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readIfThere(folder, jobFiles.pid)) !== undefined) await killJob(folder);
  await rm(join(folder, jobFiles.pid), { force: true });
  const left = await clear(folder, checkoutParts);
  if (left !== undefined) await appendTo(folder, jobFiles.log, `${left}\n`);
  await markOfJob(folder);
}

/**
 * Starts `argv` in a process group of its own with `env` and nothing else of this process's environment.
 * The child outlives this process; its output goes to the folder's log. `onEnd` is called when it ends.
 */
export async function startProcess(
  folder: string,
  {
    argv,
    env,
    spec,
    onEnd,
  }: { argv: string[]; env: Record<string, string>; spec: string; onEnd: () => void },
): Promise<void> {
  await writeWhole(folder, jobFiles.spec, spec);
  const log = await open(join(folder, jobFiles.log), 'a', 0o600);
  try {
    const child = spawn(argv[0]!, argv.slice(1), {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.once('exit', onEnd);
    child.unref();
  } finally {
    await log.close();
  }
}

/**
 * Called by the job itself before anything else: takes the folder. Answers false when another living process has it,
 * so that two that were started around a crash cannot both work, and when there is a report already.
 */
export async function claimFolder(folder: string, pid = process.pid): Promise<boolean> {
  const mine = JSON.stringify({ pid, began: beganAt(pid) });
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      // Whole or not at all, and only where there is none: a link fails where the name is taken.
      const own = join(folder, `.pid-${pid}`);
      await writeFile(own, mine, { mode: 0o600 });
      try {
        await link(own, join(folder, jobFiles.pid));
      } finally {
        await rm(own, { force: true });
      }
      // Stopped before it came so far: what it would do is reported already.
      return (await readIfThere(folder, jobFiles.report)) === undefined;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (await livingGroup(folder)) return false;
      await rm(join(folder, jobFiles.pid), { force: true });
    }
  }
  return false;
}

/** Kills the job and every command it started, which have groups of their own; what is gone already is fine. */
export async function killJob(folder: string): Promise<void> {
  const pid = await livingGroup(folder);
  if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  // Without a mark it has not come so far as to start a command.
  const mark = await readIfThere(folder, jobFiles.mark);
  if (mark) await killMarked(jobMark, mark);
}

/** The number of the process group, and when its first process began, as `beganAt` says it. */
const Began = z.object({ pid: z.int().positive(), began: z.string().nullable() });

async function livingGroup(folder: string): Promise<number | undefined> {
  const text = await readIfThere(folder, jobFiles.pid);
  if (!text) return undefined;
  const { pid, began } = Began.parse(JSON.parse(text));
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return undefined;
  }
  // The number may have gone to another process since: its start time tells them apart.
  return beganAt(pid) === began ? pid : undefined;
}
