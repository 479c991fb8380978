// Check runs and commit statuses as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import { type Act, emit } from '../emit.ts';
import { getIssue } from '../issues/issue-rows.ts';
import type { Pull } from '../pulls/pull-rows.ts';
import { getRepository, type Repository } from '../repositories/repository-rows.ts';
import { jobsOfAttempt, type WorkflowRun } from '../actions/workflow-rows.ts';
import { actionsAppId } from '../apps/app-rows.ts';
import { appOrNull } from '../apps/app-json.ts';
import { repositoryPage, repositoryUrl } from '../repositories/repository-json.ts';
import { userOfId } from '../apps/users.ts';
import { present } from '@echelon/ground';

export interface CheckRun {
  id: number;
  repository_id: number;
  app_id: number;
  suite_id: number;
  name: string;
  head_sha: string;
  external_id: string;
  details_url: string;
  status: string;
  conclusion: string | null;
  started_at: string | null;
  completed_at: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  /** JSON array. */
  annotations: string;
}

export interface Status {
  id: number;
  repository_id: number;
  sha: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  context: string;
  description: string | null;
  target_url: string | null;
  creator_id: number;
  created_at: string;
}

/** The suite that holds one app's check runs of one commit. */
export function suiteOf(core: Core, repositoryId: number, appId: number, sha: string): number {
  const row = { repository_id: repositoryId, app_id: appId, head_sha: sha };
  core.db.ensure('check_suites', row);
  return present(core.db.find<{ id: number }>('check_suites', row), 'the suite').id;
}

/** The check runs of a commit, newest first. */
export const checkRunsOf = (core: Core, repositoryId: number, sha: string): CheckRun[] =>
  core.db.rows<CheckRun>('check_runs', { repository_id: repositoryId, head_sha: sha }, 'id DESC');

/** Of each name and app the newest alone, and the jobs of workflows, which are check runs of GitHub's own app. */
export function latestCheckRuns(core: Core, repositoryId: number, sha: string): CheckRun[] {
  const seen = new Set<string>();
  const made = checkRunsOf(core, repositoryId, sha).filter(({ app_id, name }) => {
    const key = `${app_id} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
  const runs = core.db.rows<WorkflowRun>('workflow_runs', { repository_id: repositoryId, head_sha: sha });
  return [...runs.flatMap(run => checkRunsOfJobs(core, run)), ...made];
}

function checkRunsOfJobs(core: Core, run: WorkflowRun): CheckRun[] {
  const page = `${repositoryPage(core, getRepository(core, run.repository_id))}/actions/runs/${run.id}`;
  return jobsOfAttempt(core, run.id, run.attempt).map(
    ({ id, name, status, conclusion, started_at, completed_at }) => ({
      ...{ id, name, status, conclusion, started_at, completed_at },
      ...{ repository_id: run.repository_id, head_sha: run.head_sha, suite_id: run.id, external_id: '' },
      ...{ app_id: actionsAppId, details_url: `${page}/job/${id}`, annotations: '[]' },
      ...{ title: null, summary: null, text: null },
    }),
  );
}

/** The statuses of a commit, newest first. */
export const statusesOf = (core: Core, repositoryId: number, sha: string): Status[] =>
  core.db.rows<Status>('statuses', { repository_id: repositoryId, sha }, 'id DESC');

/** The newest status of each context. */
export function latestStatuses(core: Core, repositoryId: number, sha: string): Status[] {
  const all = statusesOf(core, repositoryId, sha);
  return all.filter((status, index) => all.findIndex(each => each.context === status.context) === index);
}

/** GitHub's `check-run`. */
export function checkRunJson(core: Core, repository: Repository, run: CheckRun) {
  const url = `${repositoryUrl(core, repository)}/check-runs/${run.id}`;
  const page = `${repositoryPage(core, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    head_sha: run.head_sha,
    node_id: nodeId('CR', run.id),
    external_id: run.external_id,
    url,
    html_url: page,
    details_url: run.details_url || page,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.started_at,
    completed_at: run.completed_at,
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: JSON.parse(run.annotations).length,
      annotations_url: `${url}/annotations`,
    },
    name: run.name,
    check_suite: { id: run.suite_id },
    app: appOrNull(core, run.app_id),
    pull_requests: pullsOfCommit(core, repository, run.head_sha),
  };
}

/** All that one app, or one run of a workflow, checks of a commit has ended; the forge keeps no branch of it but that of a pull request. */
export function emitSuite(
  act: Act,
  { id, head_sha, conclusion, app_id }: Pick<CheckRun, 'id' | 'head_sha' | 'conclusion' | 'app_id'>,
): void {
  emit(act, 'check_suite', 'completed', core => {
    const pull_requests = pullsOfCommit(core, act.repository, head_sha);
    const head_branch = pull_requests[0]?.head.ref ?? null;
    const app = appOrNull(core, app_id);
    const suite = { id, head_sha, head_branch, status: 'completed', conclusion, app, pull_requests };
    return { check_suite: suite };
  });
}

/** Open pull requests with this head, as GitHub's `pull-request-minimal`. */
export function pullsOfCommit(core: Core, repository: Repository, sha: string) {
  const url = repositoryUrl(core, repository);
  const repo = { id: repository.id, url, name: repository.name };
  return core.db
    .all<Pull>(
      `SELECT p.* FROM pulls p JOIN issues i ON i.id = p.issue_id
       WHERE p.repository_id = ? AND p.head_sha = ? AND i.state = 'open' ORDER BY p.id`,
      repository.id,
      sha,
    )
    .map(pull => {
      const { number } = getIssue(core, pull.issue_id);
      return {
        id: pull.id,
        number,
        url: `${url}/pulls/${number}`,
        head: { ref: pull.head_ref, sha: pull.head_sha, repo },
        base: { ref: pull.base_ref, sha: pull.base_sha, repo },
      };
    });
}

/** GitHub's `status`. */
export function statusJson(core: Core, repository: Repository, status: Status) {
  return {
    id: status.id,
    node_id: nodeId('SC', status.id),
    url: `${repositoryUrl(core, repository)}/statuses/${status.sha}`,
    avatar_url: userOfId(core, status.creator_id).avatar_url,
    state: status.state,
    description: status.description,
    target_url: status.target_url,
    context: status.context,
    created_at: status.created_at,
    updated_at: status.created_at,
    creator: userOfId(core, status.creator_id),
  };
}
