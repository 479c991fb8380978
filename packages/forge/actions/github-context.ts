// The `github` context of a run, but for what only a job knows (`token`, `job`, and what its steps add).
import type { JsonObject } from '../../ground/lib/json.ts';
import type { Core } from '../core.ts';
import type { Repository } from '../store/repositories.ts';
import { getUser } from '../store/users.ts';
import { getWorkflow, type WorkflowRun } from '../store/workflows.ts';

export function githubContext(
  core: Core,
  repository: Repository,
  run: WorkflowRun,
  workflowName: string | undefined,
): JsonObject {
  const full = `${repository.owner}/${repository.name}`;
  const actor = getUser(core, run.actor_id);
  const { path } = getWorkflow(core, run.workflow_id);
  const event: JsonObject & { pull_request?: { head?: { ref?: string }; base?: { ref?: string } } } =
    JSON.parse(run.payload);
  // A review is of a pull request, but only events of its own name have these two, as on GitHub.
  const pull = run.event.startsWith('pull_request') ? event.pull_request : undefined;
  return {
    event,
    event_name: run.event,
    actor: actor.login,
    actor_id: String(actor.id),
    triggering_actor: getUser(core, run.triggering_actor_id ?? run.actor_id).login,
    repository: full,
    repository_id: String(repository.id),
    repository_owner: repository.owner,
    repository_owner_id: String(repository.owner_id),
    repository_visibility: repository.private ? 'private' : 'public',
    repositoryUrl: `git://${new URL(core.site).host}/${full}.git`,
    ref: run.ref,
    ref_name: run.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    ref_type: run.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    ref_protected: false,
    head_ref: pull?.head?.ref ?? '',
    base_ref: pull?.base?.ref ?? '',
    sha: run.sha,
    run_id: String(run.id),
    run_number: String(run.run_number),
    run_attempt: String(run.attempt),
    retention_days: '90',
    workflow: workflowName ?? path,
    workflow_ref: `${full}/${path}@${run.ref}`,
    workflow_sha: run.sha,
    server_url: core.site,
    api_url: core.api,
    graphql_url: `${core.site}/api/graphql`,
    secret_source: 'Actions',
  };
}
