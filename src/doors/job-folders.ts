// The folders of jobs on GitHub Actions: what comes back of one as an artifact, and what the next one is handed.
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jobFiles, readRegular, unpack, writeWhole } from '@echelon/ground/workspace';
import { artifactName, type JobFolders } from '../app/engineer/jobs/actions-jobs.ts';

/** What a job hands over at most: its bundles, its journal, its log. */
const limits = { files: 500, bytes: 200 << 20 };
/** Bytes of a report, or of what was spent: what a job writes itself is far below. */
const MAX_TOLD = 512 * 1024;

/** `folder`: holds what came back. `handed`: what is to be uploaded for the jobs that start. */
export function jobFolders(folder: string, handed: string): JobFolders {
  const path = (op: string) => join(folder, artifactName(op));
  return {
    path,
    async read(op, file) {
      // Whoever made the archive may have put a folder there, or far too much.
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
      if ('from' in spec && spec.from)
        await cp(path(spec.from.op), join(handed, spec.from.op), { recursive: true }).catch(absent);
      await writeWhole(own, jobFiles.spec, JSON.stringify(spec));
    },
  };
}

/** Where the job before left nothing, the next begins anew. */
function absent(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
