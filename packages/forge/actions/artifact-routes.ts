// Artifacts and job logs of workflow runs.
import { type Artifact, artifactsUnder, removeArtifact } from '../runner/artifact-store.ts';
import { actor } from '../auth.ts';
import { blobUrl } from '../blobs.ts';
import { type Core, nodeId, now } from '../core.ts';
import { ApiError, found, notFound } from '../errors.ts';
import { pageOfAll } from '../page.ts';
import { noContent, read, type RepositoryCall, write } from '../route.ts';
import type { WorkflowRun } from './workflow-rows.ts';
import { jobOf, runOf } from './action-routes.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import { repositoryUrl } from '../repositories/repository-json.ts';

/** GitHub's `artifact`. */
function artifactJson(core: Core, repository: Repository, artifact: Artifact, run: WorkflowRun) {
  const url = `${repositoryUrl(core, repository)}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: nodeId('MDg6QXJ0aWZhY3Q', artifact.id),
    name: artifact.name,
    size_in_bytes: artifact.size,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.expires_at <= now(core),
    digest: artifact.digest,
    created_at: artifact.created_at,
    updated_at: artifact.created_at,
    expires_at: artifact.expires_at,
    workflow_run: {
      id: run.id,
      repository_id: repository.id,
      head_repository_id: repository.id,
      head_branch: run.head_branch ?? '',
      head_sha: run.head_sha,
    },
  };
}

const actionsRead = ['actions:read'];

/** The newest first, of one name where the caller asks for it. */
function list(call: RepositoryCall, run?: WorkflowRun) {
  const { core, repository, query } = call;
  const name = query.get('name');
  const all = artifactsUnder(core, repository.id, run?.id).filter(each => !name || each.name === name);
  const show = (each: Artifact) => artifactJson(core, repository, each, run ?? runOf(call, each.run_id));
  return pageOfAll(call, all, show, 'artifacts');
}

/** The artifact of the path, with its run; 404 for another repository's. */
function artifactOf(call: RepositoryCall) {
  const artifact = found(
    call.core.db.find<Artifact>('artifacts', { id: Number(call.params['artifact_id']) }),
  );
  return { artifact, run: runOf(call, artifact.run_id) };
}

/** Of a public repository too, GitHub gives these only to whom it knows. */
function redirect(call: RepositoryCall, kind: Parameters<typeof blobUrl>[1], id: number) {
  actor(call.identity);
  return { status: 302, headers: { location: blobUrl(call.core, kind, id) } };
}

export const artifactRoutes = [
  read('/actions/artifacts', actionsRead, call => list(call)),
  read('/actions/runs/{run_id}/artifacts', actionsRead, call => list(call, runOf(call))),
  read('/actions/artifacts/{artifact_id}/{archive_format}', actionsRead, call => {
    const { artifact } = artifactOf(call);
    if (call.params['archive_format'] !== 'zip') throw notFound();
    if (artifact.expires_at <= now(call.core)) throw new ApiError(410, 'Artifact has expired');
    return redirect(call, 'artifact', artifact.id);
  }),
  write('DELETE', '/actions/artifacts/{artifact_id}', { role: 'write', scopes: ['actions:write'] }, call => {
    removeArtifact(call.core, artifactOf(call).artifact.id);
    return noContent();
  }),
  read('/actions/runs/{run_id}/logs', actionsRead, call => redirect(call, 'run-logs', runOf(call).id)),
  read('/actions/jobs/{job_id}/logs', actionsRead, call => redirect(call, 'job-log', jobOf(call).job.id)),
];
