// The job `base`, which a label starts beside the layers: which tests to run, and how, is read from the default branch.
import { mkdir } from 'node:fs/promises';
import { jobFiles, type Mirror, writeWhole } from '@echelon/ground/workspace';
import { configReader } from '../../app/config/config-file.ts';
import type { BaseTestsSpec } from '../../app/engineer/jobs/job-spec.ts';
import { projectCommands } from '../../app/engineer/project/project-commands.ts';
import { filesAt } from '../../app/handlers/labelled.ts';

interface Fetched {
  mirror: Mirror;
  /** Head of the default branch, whose name is `branch`. */
  head: string;
  branch: string;
  op: string;
  /** `owner/name`. */
  repository: string;
}

/** Writes the spec into the job's folder. Undefined: there is nothing to run. */
export async function writeBaseSpec(folder: string, of: Fetched): Promise<BaseTestsSpec | undefined> {
  await mkdir(folder, { recursive: true });
  const spec = await specOf(of);
  if (!spec) return undefined;
  // The second is left for the run, which takes the report only where this is the job that it needs.
  for (const name of [jobFiles.spec, jobFiles.base]) await writeWhole(folder, name, JSON.stringify(spec));
  return spec;
}

/** Undefined: the configuration cannot be used, which `advance` says; no test command is known; or the base is another branch. */
async function specOf({ mirror, head, branch, op, repository }: Fetched): Promise<BaseTestsSpec | undefined> {
  const read = await configReader({})(mirror, head);
  if ('problems' in read) return undefined;
  const { config } = read;
  // Only the head of the default branch is here.
  if (config.base !== undefined && config.base !== branch) return undefined;
  const { test, setup } = await projectCommands(await filesAt(mirror, head), config);
  if (test.trim() === '') return undefined;
  return {
    ...{ version: 1, kind: 'base-tests', op, repository, directive: 0, mirror: mirror.path },
    ...{ base: head, command: test.trim(), network: config.network },
    isolation: config.isolation === 'none' ? 'none' : 'bubblewrap',
    ...(setup && { setup: { command: setup, base: head } }),
    limits: { attempt_ms: config.timeouts.attempt, stuck_ms: config.timeouts.stuck },
  };
}
