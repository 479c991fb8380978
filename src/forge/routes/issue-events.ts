// What happened to issues: their events, and the timeline with all that was said and pushed besides.
import { roleIn } from '../auth.ts';
import { startOf } from '../changes/pulls.ts';
import { readCommits } from '../commits.ts';
import { notFound } from '../errors.ts';
import { page } from '../page.ts';
import { gitCommitJson } from '../render/commit.ts';
import { commentJson, issueJson } from '../render/issue.ts';
import { crossReference, issueEventJson, type Knows } from '../render/issue-event.ts';
import { reviewJson } from '../render/pull.ts';
import { type Answer, ok, type RepositoryCall, type Route, read } from '../route.ts';
import { commentCount, commentsOf } from '../store/comments.ts';
import {
  countEvents,
  countRepositoryEvents,
  eventsOf,
  findEvent,
  historyOf,
  type IssueEvent,
  repositoryEvents,
} from '../store/issue-events.ts';
import { getIssue, type Issue } from '../store/issues.ts';
import { getPull, submittedReviews } from '../store/pulls.ts';
import { issueOf, readScopes } from './issue-input.ts';

const knowsOf =
  ({ core, identity }: RepositoryCall): Knows =>
  repository =>
    roleIn(core, identity, repository) !== 'none';

/** GitHub's `issue-event`. */
function repositoryEvent(call: RepositoryCall, event: IssueEvent) {
  const { core, repository } = call;
  const issue = issueJson(core, repository, getIssue(core, event.issue_id));
  return { ...issueEventJson(core, repository, event, knowsOf(call)), issue };
}

interface Entry {
  time: string;
  json(): Record<string, unknown>;
}

/** What was pushed, said and done, in this order where it happened in the same second. */
async function entriesOf(call: RepositoryCall, issue: Issue): Promise<Entry[]> {
  const { core, repository } = call;
  const knows = knowsOf(call);
  const said = commentsOf(core, issue.id, commentCount(core, issue.id), 0).map(comment => ({
    time: comment.created_at,
    json: () => {
      const shown = commentJson(core, repository, comment);
      return { ...shown, actor: shown.user, event: 'commented' };
    },
  }));
  const done = historyOf(core, issue.id).flatMap(event => {
    const entry = (json: Entry['json']) => [{ time: event.created_at, json }];
    if (event.event !== 'cross-referenced')
      return entry(() => issueEventJson(core, repository, event, knows));
    const reference = crossReference(core, event, knows);
    return reference ? entry(() => reference) : [];
  });
  const all = [...(issue.is_pull ? await pushedTo(call, issue) : []), ...said, ...done];
  return all.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
}

/** The commits and the reviews of a pull request. */
async function pushedTo({ core, repository, folder }: RepositoryCall, issue: Issue): Promise<Entry[]> {
  const pull = getPull(core, issue.id);
  const start = await startOf(folder, pull.base_sha, pull.head_sha);
  const commits = await readCommits(folder, ['--reverse', `${start}..${pull.head_sha}`, '--']);
  return [
    ...commits.map(commit => ({
      time: commit.committer.date,
      json: () => ({ ...gitCommitJson(core, repository, commit), event: 'committed' }),
    })),
    ...submittedReviews(core, pull.id).map(review => ({
      time: review.submitted_at ?? '',
      json: () => ({
        ...reviewJson(core, repository, pull, review),
        // Here the state is in small letters.
        state: review.state.toLowerCase(),
        event: 'reviewed',
      }),
    })),
  ];
}

async function timeline(call: RepositoryCall): Promise<Answer> {
  const entries = await entriesOf(call, issueOf(call));
  return page(call, entries.length, (limit, offset) =>
    entries.slice(offset, offset + limit).map(entry => entry.json()),
  );
}

export const issueEventRoutes: Route[] = [
  read('/issues/events', readScopes, call => {
    const { core, repository } = call;
    return page(call, countRepositoryEvents(core, repository.id), (limit, offset) =>
      repositoryEvents(core, repository.id, limit, offset).map(event => repositoryEvent(call, event)),
    );
  }),
  read('/issues/events/{event_id}', readScopes, call => {
    const event = findEvent(call.core, call.repository.id, Number(call.params['event_id']));
    if (!event) throw notFound();
    return ok(repositoryEvent(call, event));
  }),
  read('/issues/{issue_number}/events', readScopes, call => {
    const issue = issueOf(call);
    const { core, repository } = call;
    return page(call, countEvents(core, issue.id), (limit, offset) =>
      eventsOf(core, issue.id, limit, offset).map(event =>
        issueEventJson(core, repository, event, knowsOf(call)),
      ),
    );
  }),
  read('/issues/{issue_number}/timeline', readScopes, timeline),
];
