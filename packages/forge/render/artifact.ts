// Artifacts as the REST API shows them.
import type { Artifact } from '../actions/artifact-store.ts';
import { type Core, nodeId, now } from '../core.ts';
import type { Repository } from '../store/repositories.ts';
import type { WorkflowRun } from '../store/workflows.ts';
import { repositoryUrl } from './repository.ts';

/** GitHub's `artifact`. */
export function artifactJson(core: Core, repository: Repository, artifact: Artifact, run: WorkflowRun) {
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
