// What is set for GitHub Actions in a repository: whether they run, whether they may open pull requests, the secrets' names.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { noContent, ok, parse, type Route, readBy, type WriteCall, write } from '../route.ts';
import { actionValues } from '../store/workflows.ts';

const settings: Need = { role: 'admin', scopes: ['administration:read'] };
const changing: Need = { role: 'admin', scopes: ['administration:write'] };
const secrets: Need = { role: 'write', scopes: ['secrets:read'] };

const set = (call: WriteCall, row: Record<string, boolean>) => {
  call.core.db.update('repositories', call.repository.id, row);
  return noContent();
};

const permissions = z.object({ enabled: z.boolean() });
const workflowPermissions = z.object({ can_approve_pull_request_reviews: z.boolean() });

export const actionSettingRoutes: Route[] = [
  readBy(settings, '/actions/permissions', ({ repository }) =>
    ok(
      repository.actions_enabled === 1
        ? { enabled: true, allowed_actions: 'all', sha_pinning_required: false }
        : { enabled: false },
    ),
  ),
  write('PUT', '/actions/permissions', changing, call =>
    set(call, { actions_enabled: parse(call, 'Repository', permissions).enabled }),
  ),
  readBy(settings, '/actions/permissions/workflow', ({ repository }) =>
    ok({
      default_workflow_permissions: 'read',
      can_approve_pull_request_reviews: repository.actions_open_pulls === 1,
    }),
  ),
  write('PUT', '/actions/permissions/workflow', changing, call => {
    const { can_approve_pull_request_reviews } = parse(call, 'Repository', workflowPermissions);
    return set(call, { actions_open_pulls: can_approve_pull_request_reviews });
  }),
  readBy(secrets, '/actions/secrets', ({ core, repository }) => {
    // When each was set is not kept.
    const { created_at, updated_at } = repository;
    const names = Object.keys(actionValues(core, repository.id, 'secret')).sort();
    return ok({ total_count: names.length, secrets: names.map(name => ({ name, created_at, updated_at })) });
  }),
  // Owners here are people, who have none.
  readBy(secrets, '/actions/organization-secrets', () => ok({ total_count: 0, secrets: [] })),
];
