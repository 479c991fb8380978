// Check runs and commit statuses as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import type { CheckRun, Status } from '../store/checks.ts';
import { getIssue } from '../store/issues.ts';
import type { Pull } from '../store/pulls.ts';
import type { Repository } from '../store/repositories.ts';
import { appOrNull } from './app.ts';
import { repositoryPage, repositoryUrl } from './repository.ts';
import { userOfId } from './user.ts';

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
