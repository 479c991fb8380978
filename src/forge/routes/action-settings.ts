// What is set for GitHub Actions in a repository: whether they run, whether they may open pull requests.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { noContent, ok, parse, type Route, readBy, type WriteCall, write } from '../route.ts';

const settings: Need = { role: 'admin', scopes: ['administration:read'] };
const changing: Need = { role: 'admin', scopes: ['administration:write'] };

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
];
