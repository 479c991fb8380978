// Tells of a change: an event in the queue of every app that subscribed to it and is installed on the repository, and of
// the runner; an entry in the history of the issue.
import { type Core, nodeId, now } from './core.ts';
import { eventsOfApp } from './apps/app-json.ts';
import { repositoryJson } from './repositories/repository-json.ts';
import { simpleUser, getUser, type User } from './apps/users.ts';
import { actionsAppId, type App, getApp, installationsOn } from './apps/app-rows.ts';
import { queueDelivery } from './apps/delivery-rows.ts';
import { getRepository, type Repository } from './repositories/repository-rows.ts';
import type { Issue } from './issues/issue-rows.ts';

/** The actor: the user, and the app through which a bot acts. */
export interface By {
  user: User;
  app: App | null;
}

/** A change: who makes it, in which repository. */
export interface Act {
  core: Core;
  by: By;
  repository: Repository;
}

/** As that person, in that repository, by their ids. */
export const actOf = (core: Core, repositoryId: number, userId: number): Act => ({
  core,
  by: { user: getUser(core, userId), app: null },
  repository: getRepository(core, repositoryId),
});

type Part = (core: Core) => Record<string, unknown>;

/** Common payload of every event, as JSON. */
const payloadOf = (core: Core, by: By, repository: Repository, part: object, more: object = {}): string =>
  JSON.stringify({
    ...part,
    repository: repositoryJson(core, repository),
    sender: simpleUser(core, by.user),
    ...more,
  });

/**
 * Queues `event`. The payload is fixed here, so it shows things as they are at this moment, however late it is
 * sent, and under the forge's own address. `part` is asked for only when somebody listens.
 */
export function emit(
  { core: asked, by, repository: { id } }: Act,
  event: string,
  action: string | null,
  part: Part,
) {
  const core = asked.own ?? asked;
  const repository = getRepository(core, id);
  const told = () => ({ ...(action !== null && { action }), ...part(core) });
  const byJob = by.app?.id === actionsAppId;
  const awaits = byJob && event === 'pull_request' && awaitingApproval.includes(action ?? '');
  if (startsWorkflows(core, event) && (!byJob || awaits))
    core.db.insert('triggers', {
      repository_id: repository.id,
      event,
      payload: payloadOf(core, by, repository, told()),
      actor_id: by.user.id,
      awaits_approval: awaits,
    });
  for (const installation of installationsOn(core, repository.id)) {
    const app = getApp(core, installation.app_id);
    if (app.webhook_url === '' || !eventsOfApp(app).includes(event)) continue;
    const on = { id: installation.id, node_id: nodeId('INS', installation.id) };
    queueDelivery(core, {
      app_id: app.id,
      event,
      action,
      installation_id: installation.id,
      repository_id: repository.id,
      payload: payloadOf(core, by, repository, told(), { installation: on }),
    });
  }
}

/**
 * Events of a job's own token start no workflow (that prevents loops), but these do: their runs wait for approval.
 * https://docs.github.com/actions/how-tos/write-workflows/choose-when-workflows-run/trigger-a-workflow
 */
const awaitingApproval = ['opened', 'synchronize', 'reopened'];

/** Events that may start a run. */
const startsWorkflows = (core: Core, event: string): boolean =>
  core.runsWorkflows &&
  ['issues', 'issue_comment', 'pull_request', 'pull_request_review', 'push'].includes(event);

/** True if an app or the runner would get this event: costly payloads are made only then. */
export const listening = (core: Core, repository: Repository, event: string): boolean =>
  startsWorkflows(core, event) ||
  installationsOn(core, repository.id).some(installation =>
    eventsOfApp(getApp(core, installation.app_id)).includes(event),
  );

/** Adds to the issue's history. `detail` holds what only this kind of event has; users as `<role>_id`. */
export function recordEvent(
  { core, by }: Act,
  issue: Issue,
  event: string,
  detail: Record<string, unknown> = {},
  commit: string | null = null,
): void {
  core.db.insert('issue_events', {
    issue_id: issue.id,
    actor_id: by.user.id,
    app_id: by.app?.id ?? null,
    event,
    commit_id: commit,
    detail: JSON.stringify(detail),
    created_at: now(core),
  });
}
