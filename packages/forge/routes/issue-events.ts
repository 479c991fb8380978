// What happened to issues: their events, and the timeline with all that was said and pushed besides.
import { roleIn } from '../auth.ts';
import { page } from '../page.ts';
import { issueEventJson, type Knows } from '../render/issue-event.ts';
import { type RepositoryCall, type Route, read } from '../route.ts';
import { countEvents, eventsOf } from '../store/issue-events.ts';
import { issueOf, readScopes } from './issue-input.ts';

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
