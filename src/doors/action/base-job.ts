// The job `base`, which a label starts beside the layers: it reads from the checkout which tests to run, and how.
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { configReader } from '../../app/config/config-file.ts';
import type { BaseTestsSpec } from '../../app/engineer/job-spec.ts';
import { projectCommands } from '../../app/engineer/project-commands.ts';
import { filesAt } from '../../app/handlers/labelled.ts';
import { borrowObjects } from '../../workspace/borrow.ts';
import { git } from '../../workspace/git.ts';
import { jobFiles, writeWhole } from '../../workspace/job-process.ts';
import { openMirror } from '../../workspace/mirror.ts';

interface CheckedOut {
  /** Its folder, `owner/name`, and the branch whose head it is. */
  checkout: string;
  repository: string;
  branch: string;
}

/** Writes the spec into the job's folder. False: there is nothing to run. */
export async function writeBaseSpec(folder: string, of: CheckedOut): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const spec = await specOf(folder, of);
  if (!spec) return false;
  // The second is left for the run, which takes the report only where this is the job that it needs.
  for (const name of [jobFiles.spec, jobFiles.base]) await writeWhole(folder, name, JSON.stringify(spec));
  return true;
}

/** Undefined: the configuration cannot be used, which `advance` says; no test command is known; or the base is another branch. */
async function specOf(
  folder: string,
  { checkout, repository, branch }: CheckedOut,
): Promise<BaseTestsSpec | undefined> {
  const gitDir = join(checkout, '.git');
  const head = (await git(['rev-parse', '--verify', 'HEAD^{commit}'], { gitDir })).trim();
  const path = join(folder, 'mirror.git');
  await borrowObjects(gitDir, path);
  const mirror = await openMirror({ folder: path, url: checkout });
  const read = await configReader({})(mirror, head);
  if ('problems' in read) return undefined;
  const { config } = read;
  // Only the head of the default branch is here.
  if (config.base !== undefined && config.base !== branch) return undefined;
  const { test, setup } = await projectCommands(await filesAt(mirror, head), config);
  if (test.trim() === '') return undefined;
  return {
    ...{ version: 1, kind: 'base-tests', op: basename(folder), repository, directive: 0, mirror: path },
    ...{ base: head, command: test.trim(), network: config.network },
    isolation: config.isolation === 'none' ? 'none' : 'bubblewrap',
    ...(setup && { setup: { command: setup, base: head } }),
    limits: { attempt_ms: config.timeouts.attempt, stuck_ms: config.timeouts.stuck },
  };
}
