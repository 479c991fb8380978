// The folder of a job, and the mark of its processes: by these, what a job left is found, also after the forge died.
import { execFile } from 'node:child_process';
import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Core } from '../core.ts';
import { killJob } from './process.ts';

/** Folder in which each job has its own. */
export const workFolder = (core: Core): string => join(core.folder, 'actions', 'work');

/** By the name of the job's folder. */
export const markOf = (name: string): string => `github_${name}`;

/** Removes it whole. A step may have left folders in it that forbid their removal. Throws what stands in the way. */
export async function removeJobFolder(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await remove().catch(async () => {
    await promisify(execFile)('chmod', ['-R', 'u+rwX', '--', folder]);
    await remove();
  });
}

/** Ends what jobs left running when the forge before this one died, and removes their folders. */
export async function clearLeftJobs(core: Core): Promise<void> {
  const work = await realpath(workFolder(core)).catch(() => undefined);
  // No job ever ran here.
  if (work === undefined) return;
  for (const name of await readdir(work)) {
    await killJob(markOf(name), join(work, name));
    await removeJobFolder(join(work, name));
  }
}
