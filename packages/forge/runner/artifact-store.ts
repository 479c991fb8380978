// Artifacts of a run: files in a zip beside the forge's database, under a name that is given once.
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '@echelon/ground';
import { type Core, now, timestamp } from '../core.ts';
import { type ZipSource, writeZip } from './zip.ts';

export interface Artifact {
  id: number;
  run_id: number;
  /** Of the run: a re-run may give a name again. */
  attempt: number;
  name: string;
  /** Of the zip, in bytes. */
  size: number;
  /** `sha256:` and hexadecimal, of the zip. */
  digest: string;
  created_at: string;
  expires_at: string;
}

/** GitHub's bounds: of a run, and days that an artifact is kept (its default, its most). */
const mostArtifacts = 500;
const keptDays = 90;

/** Reason for refusing an artifact, in a sentence for the log of the step. */
export class ArtifactRefused extends Error {
  override readonly name = 'ArtifactRefused';
}

export interface ArtifactStore {
  /** The newest of each name, with the path of its zip. */
  list(): (Artifact & { file: string })[];
  /** Throws ArtifactRefused for a name that the attempt has already, unless `overwrite`, and for one too many. */
  add(
    name: string,
    files: readonly ZipSource[],
    options: { overwrite: boolean; days: number; level: number },
  ): Promise<Artifact>;
}

/** Path of an artifact's zip. */
export const artifactFile = (core: Core, id: number): string => join(folderOf(core), `${id}.zip`);

const folderOf = (core: Core): string => join(core.folder, 'actions', 'artifacts');

/** The artifacts of one attempt at a run. */
export function artifactStore(core: Core, runId: number, attempt: number): ArtifactStore {
  return {
    list: () => latestOfRun(core, runId).map(each => ({ ...each, file: artifactFile(core, each.id) })),
    async add(name, files, { overwrite, days, level }) {
      const folder = folderOf(core);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const check = () => refuseTaken(core, runId, attempt, name, overwrite);
      check();
      const temporary = join(folder, `${randomUUID()}.tmp`);
      try {
        const { size, sha256 } = await writeZip(temporary, files, level);
        return core.db.aside(() => {
          // Another job may have been quicker.
          check();
          if (overwrite) for (const old of named(core, runId, attempt, name)) removeArtifact(core, old.id);
          const kept = Math.min(days > 0 ? days : keptDays, keptDays);
          const row = {
            run_id: runId,
            attempt,
            name,
            size,
            digest: `sha256:${sha256}`,
            created_at: now(core),
          };
          const expires_at = timestamp(core.clock.now() + kept * 24 * HOUR_MS);
          const id = core.db.insert('artifacts', { ...row, expires_at });
          renameSync(temporary, artifactFile(core, id));
          return { id, ...row, expires_at };
        });
      } finally {
        rmSync(temporary, { force: true });
      }
    },
  };
}

function refuseTaken(core: Core, runId: number, attempt: number, name: string, overwrite: boolean): void {
  if (!overwrite && named(core, runId, attempt, name).length > 0)
    throw new ArtifactRefused(
      `Failed to CreateArtifact: Received non-retryable error: Failed request: (409) Conflict: an artifact with this name already exists on the workflow run`,
    );
  if (core.db.count('artifacts WHERE run_id = ?', runId) >= mostArtifacts)
    throw new ArtifactRefused(`A run has ${mostArtifacts} artifacts at most.`);
}

const named = (core: Core, runId: number, attempt: number, name: string): Artifact[] =>
  core.db.rows<Artifact>('artifacts', { run_id: runId, attempt, name });

const latestOfRun = (core: Core, runId: number): Artifact[] =>
  core.db.all<Artifact>(
    'SELECT * FROM artifacts WHERE id IN (SELECT max(id) FROM artifacts WHERE run_id = ? GROUP BY name) ORDER BY id',
    runId,
  );

/** Those of a repository, or of one of its runs, that lists show already; the newest first. */
export const artifactsUnder = (core: Core, repositoryId: number, runId?: number): Artifact[] =>
  core.db.all<Artifact>(
    `SELECT a.* FROM artifacts a JOIN workflow_runs r ON r.id = a.run_id
     WHERE r.repository_id = ? AND r.id = coalesce(?, r.id) AND a.created_at <= ? ORDER BY a.id DESC`,
    repositoryId,
    runId ?? null,
    timestamp(core.clock.now() - core.artifactLag),
  );

/** Removes the row and the file. */
export function removeArtifact(core: Core, id: number): void {
  core.db.remove('artifacts', { id });
  rmSync(artifactFile(core, id), { force: true });
}
