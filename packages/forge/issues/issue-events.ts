// Issue events, and the timeline: events with comments, reviews and pushes.
import { roleIn } from '../auth.ts';
import { pageOfRows } from '../page.ts';
import { read, type RepositoryCall } from '../route.ts';
import { findIssueById, type IssueEvent } from './issue-rows.ts';
import { issueOf, readScopes } from './issue-input.ts';
import { nodeId } from '../core.ts';
import { getRepository } from '../repositories/repository-rows.ts';
import { appOrNull } from '../apps/app-json.ts';
import { repositoryJson, repositoryUrl } from '../repositories/repository-json.ts';
import { userOfId } from '../apps/users.ts';

/** GitHub's `issue-event-for-issue`: the common fields and those of its kind. */
function issueEventJson(call: RepositoryCall, event: IssueEvent) {
  const { core, repository } = call;
  const url = repositoryUrl(core, repository);
  return {
    id: event.id,
    node_id: nodeId('EV', event.id),
    url: `${url}/issues/events/${event.id}`,
    actor: userOfId(core, event.actor_id),
    event: event.event,
    commit_id: event.commit_id,
    commit_url: event.commit_id === null ? null : `${url}/commits/${event.commit_id}`,
    created_at: event.created_at,
    performed_via_github_app: appOrNull(core, event.app_id),
    ...Object.fromEntries(
      Object.entries(JSON.parse(event.detail)).map(([name, value]) => detail(call, name, value)),
    ),
  };
}

const otherIssues = new Set(['sub_issue', 'parent_issue', 'blocked_by', 'blocking']);

/** Stored details hold user ids under `<role>_id` and other issues with their id. */
function detail(call: RepositoryCall, name: string, value: unknown): [name: string, value: unknown] {
  if (name.endsWith('_id') && typeof value === 'number')
    return [name.slice(0, -'_id'.length), userOfId(call.core, value)];
  return [name, otherIssues.has(name) ? reference(call, value) : value];
}

/** GitHub's `issue-reference`; null for an issue that is gone, or that the caller may not know. */
function reference({ core, identity }: RepositoryCall, value: unknown) {
  const issue = findIssueById(core, Number(Reflect.get(Object(value), 'id')));
  const repository = issue && getRepository(core, issue.repository_id);
  if (!repository || roleIn(core, identity, repository) === 'none') return null;
  const { number, title, state, state_reason } = issue;
  return {
    number,
    title,
    state,
    state_reason,
    repository: repositoryJson(core, repository),
    issue_type: null,
  };
}

export const issueEventRoutes = [
  read('/issues/{issue_number}/events', readScopes, call => {
    const rows = { from: 'issue_events WHERE issue_id = ?', values: [issueOf(call).id] };
    return pageOfRows<IssueEvent>(call, rows, event => issueEventJson(call, event));
  }),
];
