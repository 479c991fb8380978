// Issue events, and the timeline: events with comments, reviews and pushes.
import { roleIn } from '../auth.ts';
import { page } from '../page.ts';
import { read, type RepositoryCall, type Route } from '../route.ts';
import { countEvents, eventsOf, findIssueById, type IssueEvent } from './issue-rows.ts';
import { issueOf, readScopes } from './issue-input.ts';
import { type Core, nodeId } from '../core.ts';
import { getRepository, type Repository } from '../repositories/repository-rows.ts';
import { appOrNull } from '../apps/app-json.ts';
import { repositoryJson, repositoryUrl } from '../repositories/repository-json.ts';
import { userOfId } from '../apps/users.ts';

/** True if the caller may see the repository. Events that come from another repository are shown only then. */
type Knows = (repository: Repository) => boolean;

/** GitHub's `issue-event-for-issue`: the common fields and those of its kind. */
function issueEventJson(core: Core, repository: Repository, event: IssueEvent, knows: Knows) {
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
      Object.entries(JSON.parse(event.detail)).map(([name, value]) => detail(core, name, value, knows)),
    ),
  };
}

const otherIssues = new Set(['sub_issue', 'parent_issue', 'blocked_by', 'blocking']);

/** Stored details hold user ids under `<role>_id` and other issues with their id. */
function detail(core: Core, name: string, value: unknown, knows: Knows): [name: string, value: unknown] {
  if (name.endsWith('_id') && typeof value === 'number')
    return [name.slice(0, -'_id'.length), userOfId(core, value)];
  return [name, otherIssues.has(name) ? reference(core, value, knows) : value];
}

/** GitHub's `issue-reference`; null for an issue that is gone, or that the caller may not know. */
function reference(core: Core, value: unknown, knows: Knows) {
  const issue = findIssueById(core, Number(Reflect.get(Object(value), 'id')));
  const repository = issue && getRepository(core, issue.repository_id);
  if (!repository || !knows(repository)) return null;
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

const knowsOf =
  ({ core, identity }: RepositoryCall): Knows =>
  repository =>
    roleIn(core, identity, repository) !== 'none';

export const issueEventRoutes: Route[] = [
  read('/issues/{issue_number}/events', readScopes, call => {
    const issue = issueOf(call);
    const { core, repository } = call;
    return page(call, countEvents(core, issue.id), (limit, offset) =>
      eventsOf(core, issue.id, limit, offset).map(event =>
        issueEventJson(core, repository, event, knowsOf(call)),
      ),
    );
  }),
];
