// The jobs of one repository's runs that its workflow is dispatched for, by the App or by the job `settle`; and their folders:
// what comes back of one as an artifact, and what the next one is handed.
import { existsSync } from 'node:fs';
import { rm, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SharedWait, systemClock } from '@echelon/ground';
import type { Mirror } from '@echelon/ground/workspace';
import { commitFolder, jobFiles, readRegular, unpack, writeWhole } from '@echelon/ground/workspace';
import type { ActionsJobs, Dispatched, JobFolders } from '../../app/app.ts';
import { artifactName, dispatchedJobs, removeBranches } from '../../app/app.ts';
import { caller, type Client, workflowPath, workflowRuns } from '../../app/set-up.ts';

interface Parts {
  client: Client;
  wait: SharedWait;
  /** Read at each look: a repository may be renamed. */
  place: { owner: string; name: string; readonly id: number };
  /** Results of jobs, and their input until that is pushed. */
  folder: string;
  mirror(): Promise<Mirror>;
  defaultBranch(): Promise<string>;
  /** The workflow run that this process is a job of, with the operation keys of the other jobs that began with it. */
  within?: { run: number; path: string; begun: readonly string[] };
}

/** Answers the jobs of a directive, for one look at its run. */
export function jobsOnActions(parts: Parts): (directive: number) => ActionsJobs {
  const { client, wait, place, folder, defaultBranch } = parts;
  const { run, path, begun } = parts.within ?? { run: 0, path: workflowPath, begun: [] };
  const now = systemClock.now();
  const dispatched = new Map<string, Dispatched>(begun.map(op => [op, { at: now, times: 1 }]));
  const calls = caller(systemClock, wait);
  return directive => {
    const here = { owner: place.owner, repo: place.name };
    // One look at a run at a time: what one that failed has left goes with the next.
    const own = join(folder, `${place.id}-${directive}`);
    const [left, handed] = [join(own, 'left'), join(own, 'handed')];
    return dispatchedJobs({
      ...{ run, directive, dispatched, clock: systemClock, folders: jobFolders(left, handed) },
      runs: workflowRuns(client, calls, {
        ...{ ...here, id: place.id, path, defaultBranch, clock: systemClock },
      }),
      async handOver(branch) {
        const mirror = await parts.mirror();
        const date = new Date(systemClock.now()).toISOString();
        const commit = await commitFolder(mirror, handed, { message: 'What jobs begin with\n', date });
        await mirror.push({ branch, commit, expect: await mirror.remoteBranch(branch) });
        await rm(handed, { recursive: true, force: true });
      },
      async tidy(prefix) {
        await rm(own, { recursive: true, force: true });
        await removeBranches(client, calls, here, prefix);
      },
    });
  };
}

/** Largest output of a job: its bundles, its journal, its log. */
const limits = { files: 500, bytes: 200 << 20 };
/** Bytes of a report, or of what was spent: what a job writes itself is far below. */
const MAX_TOLD = 512 * 1024;

/** `folder`: holds what came back. `handed`: what is to be uploaded for the jobs that start. */
export function jobFolders(folder: string, handed: string): JobFolders {
  const path = (op: string) => join(folder, artifactName(op));
  return {
    path,
    async read(op, file) {
      // The archive's author may have put a folder there, or far too much.
      const bytes = readRegular(join(path(op), jobFiles[file]), MAX_TOLD);
      return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : undefined;
    },
    async unpack(op, archive) {
      await rm(path(op), { recursive: true, force: true });
      await mkdir(path(op), { recursive: true, mode: 0o700 });
      await unpack(archive, path(op), limits);
    },
    async prepare(spec) {
      const own = join(handed, spec.op);
      await mkdir(own, { recursive: true, mode: 0o700 });
      // If the job before left nothing, the next starts over.
      if ('from' in spec && spec.from && existsSync(path(spec.from.op)))
        await cp(path(spec.from.op), join(handed, spec.from.op), { recursive: true });
      await writeWhole(own, jobFiles.spec, JSON.stringify(spec));
    },
  };
}
