// Workflows, their runs and jobs as the REST API shows them.
import { simpleCommit } from '../repositories/commit-json.ts';
import type { GitCommit } from '../repositories/commits.ts';
import { type Core, nodeId } from '../core.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import { getWorkflow, type Job, type Workflow, type WorkflowRun } from './workflow-rows.ts';
import { pullsOfCommit } from '../checks/checks.ts';
import { repositoryJson, repositoryPage, repositoryUrl } from '../repositories/repository-json.ts';
import { userOfId } from '../apps/users.ts';

/** GitHub's `workflow`. */
export function workflowJson(core: Core, repository: Repository, workflow: Workflow) {
  const page = repositoryPage(core, repository);
  const file = workflow.path.split('/').at(-1) ?? workflow.path;
  return {
    id: workflow.id,
    node_id: nodeId('W', workflow.id),
    name: workflow.name,
    path: workflow.path,
    state: workflow.state,
    created_at: workflow.created_at,
    updated_at: workflow.updated_at,
    url: `${repositoryUrl(core, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${page}/blob/${repository.default_branch}/${workflow.path}`,
    badge_url: `${page}/workflows/${encodeURIComponent(file)}/badge.svg`,
  };
}

/** GitHub's `workflow-run`; `head` is the commit it runs on. */
export function runJson(core: Core, repository: Repository, run: WorkflowRun, head: GitCommit) {
  const workflow = getWorkflow(core, run.workflow_id);
  const url = `${repositoryUrl(core, repository)}/actions/runs/${run.id}`;
  const actor = userOfId(core, run.actor_id);
  const repo = repositoryJson(core, repository);
  return {
    id: run.id,
    name: workflow.name,
    node_id: nodeId('WFR', run.id),
    // The forge has no check suite for a run: the run's own id stands in.
    check_suite_id: run.id,
    check_suite_node_id: nodeId('CS', run.id),
    head_branch: run.head_branch,
    head_sha: run.head_sha,
    path: workflow.path,
    display_title: run.title || workflow.name,
    run_number: run.run_number,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: workflow.id,
    url,
    html_url: `${repositoryPage(core, repository)}/actions/runs/${run.id}`,
    pull_requests: pullsOfCommit(core, repository, run.head_sha),
    created_at: run.created_at,
    updated_at: run.updated_at,
    run_started_at: run.started_at ?? run.created_at,
    actor,
    triggering_actor: userOfId(core, run.triggering_actor_id ?? run.actor_id),
    referenced_workflows: JSON.parse(run.reference_list),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repositoryUrl(core, repository)}/check-suites/${run.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    workflow_url: `${repositoryUrl(core, repository)}/actions/workflows/${workflow.id}`,
    head_commit: simpleCommit(head),
    repository: repo,
    head_repository: repo,
  };
}

/** GitHub's `job`. */
export function jobJson(core: Core, repository: Repository, run: WorkflowRun, job: Job) {
  const url = repositoryUrl(core, repository);
  return {
    id: job.id,
    run_id: run.id,
    run_url: `${url}/actions/runs/${run.id}`,
    run_attempt: job.attempt,
    node_id: nodeId('J', job.id),
    head_sha: run.head_sha,
    head_branch: run.head_branch,
    url: `${url}/actions/jobs/${job.id}`,
    html_url: `${repositoryPage(core, repository)}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: job.created_at,
    started_at: job.started_at,
    completed_at: job.completed_at,
    name: job.name,
    steps: JSON.parse(job.steps),
    check_run_url: `${url}/check-runs/${job.id}`,
    labels: JSON.parse(job.labels),
    runner_id: null,
    runner_name: null,
    runner_group_id: null,
    runner_group_name: null,
    workflow_name: getWorkflow(core, run.workflow_id).name,
  };
}
