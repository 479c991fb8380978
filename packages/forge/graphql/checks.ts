// The checks and statuses of a commit as GraphQL shows them.
import { type Core, nodeId } from '../core.ts';
import {
  checkRunJson,
  type CheckRun,
  latestCheckRuns,
  latestStatuses,
  type Status,
} from '../checks/checks.ts';
import { getApp } from '../apps/app-rows.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import { int, userOfId } from './accounts.ts';
import { listOf, type Window } from './connection.ts';

const passed = new Set(['SUCCESS', 'NEUTRAL', 'SKIPPED']);

/** Combined state of a commit's checks; null for a commit without any. */
export function rollupObject(core: Core, repository: Repository, sha: string, commit: () => unknown) {
  const runs = latestCheckRuns(core, repository.id, sha).reverse();
  const statuses = latestStatuses(core, repository.id, sha).reverse();
  if (runs.length + statuses.length === 0) return null;
  const runStates = runs.map(({ status, conclusion }) => (conclusion ?? status).toUpperCase());
  const statusStates = statuses.map(({ state }) => state.toUpperCase());
  const contexts = [
    ...runs.map(run => checkRunObject(core, repository, run)),
    ...statuses.map(status => statusObject(core, status)),
  ];
  return {
    id: nodeId('SCR', repository.id, sha),
    state: together([...runs.map(run => run.conclusion?.toUpperCase() ?? 'PENDING'), ...statusStates]),
    commit,
    contexts: (window: Window) => ({
      ...listOf('contexts', window, contexts),
      checkRunCount: runs.length,
      checkRunCountsByState: countsOf(runStates),
      statusContextCount: statuses.length,
      statusContextCountsByState: countsOf(statusStates),
    }),
  };
}

function together(states: string[]): string {
  if (states.includes('PENDING')) return 'PENDING';
  return states.every(state => passed.has(state)) ? 'SUCCESS' : 'FAILURE';
}

const countsOf = (states: string[]) =>
  [...Map.groupBy(states, state => state)].map(([state, each]) => ({ state, count: each.length }));

function checkRunObject(core: Core, repository: Repository, run: CheckRun) {
  const { html_url, details_url } = checkRunJson(core, repository, run);
  return {
    __typename: 'CheckRun',
    id: nodeId('CR', run.id),
    databaseId: int(run.id),
    name: run.name,
    status: run.status.toUpperCase(),
    conclusion: run.conclusion?.toUpperCase() ?? null,
    startedAt: run.started_at,
    completedAt: run.completed_at,
    detailsUrl: details_url,
    url: html_url,
    title: run.title,
    summary: run.summary,
    isRequired: false,
    checkSuite() {
      const { id, name, slug } = getApp(core, run.app_id);
      return {
        id: nodeId('CS', run.suite_id),
        databaseId: int(run.suite_id),
        app: { id: nodeId('A', id), databaseId: id, name, slug },
      };
    },
  };
}

const statusObject = (core: Core, status: Status) => ({
  __typename: 'StatusContext',
  id: nodeId('SC', status.id),
  context: status.context,
  state: status.state.toUpperCase(),
  targetUrl: status.target_url,
  description: status.description,
  createdAt: status.created_at,
  creator: () => userOfId(core, status.creator_id),
  isRequired: false,
});
