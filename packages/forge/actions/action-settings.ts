// Settings of a repository: what GitHub Actions may do, and its rulesets.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { ApiError, notFound } from '../errors.ts';
import { repositoryUrl } from '../repositories/repository-json.ts';
import {
  created,
  noContent,
  ok,
  parse,
  readBy,
  type RepositoryCall,
  write,
  type WriteCall,
} from '../route.ts';
import type { Database } from '../database.ts';
import { Ruleset, rulesetsOf } from '../repositories/rules.ts';

const settings: Need = { role: 'admin', scopes: ['administration:read'] };
const changing: Need = { role: 'admin', scopes: ['administration:write'] };

function set(call: WriteCall, row: Parameters<Database['update']>[2]) {
  call.core.db.update('repositories', call.repository.id, row);
  return noContent();
}

const permissions = z.object({
  enabled: z.boolean(),
  allowed_actions: z.enum(['all', 'local_only', 'selected']).optional(),
  sha_pinning_required: z.boolean().optional(),
});
const workflowPermissions = z.object({
  default_workflow_permissions: z.enum(['read', 'write']).optional(),
  can_approve_pull_request_reviews: z.boolean().optional(),
});
const selectedActions = z.object({
  github_owned_allowed: z.boolean().optional(),
  verified_allowed: z.boolean().optional(),
  patterns_allowed: z.array(z.string()).optional(),
});

function selectedOf({ repository }: RepositoryCall): object {
  if (repository.allowed_actions !== 'selected')
    throw new ApiError(409, 'Conflict: allowed_actions of the repository is not "selected"');
  return JSON.parse(repository.selected_actions);
}

export const actionSettingRoutes = [
  readBy(settings, '/actions/permissions', ({ core, repository }) => {
    if (repository.actions_enabled === 0) return ok({ enabled: false });
    const { allowed_actions } = repository;
    const url = `${repositoryUrl(core, repository)}/actions/permissions/selected-actions`;
    return ok({
      enabled: true,
      allowed_actions,
      ...(allowed_actions === 'selected' && { selected_actions_url: url }),
      sha_pinning_required: repository.actions_pinned === 1,
    });
  }),
  write('PUT', '/actions/permissions', changing, call => {
    const { enabled, allowed_actions, sha_pinning_required } = parse(call, 'Repository', permissions);
    return set(call, {
      actions_enabled: enabled,
      allowed_actions,
      actions_pinned: sha_pinning_required,
    });
  }),
  readBy(settings, '/actions/permissions/selected-actions', call => ok(selectedOf(call))),
  write('PUT', '/actions/permissions/selected-actions', changing, call =>
    set(call, {
      selected_actions: JSON.stringify({
        ...selectedOf(call),
        ...parse(call, 'Repository', selectedActions),
      }),
    }),
  ),
  readBy(settings, '/actions/permissions/workflow', ({ repository }) =>
    ok({
      default_workflow_permissions: repository.actions_write === 1 ? 'write' : 'read',
      can_approve_pull_request_reviews: repository.actions_open_pulls === 1,
    }),
  ),
  write('PUT', '/actions/permissions/workflow', changing, call => {
    const { default_workflow_permissions: level, can_approve_pull_request_reviews } = parse(
      call,
      'Repository',
      workflowPermissions,
    );
    return set(call, {
      actions_write: level && level === 'write',
      actions_open_pulls: can_approve_pull_request_reviews,
    });
  }),
  write('POST', '/rulesets', changing, call => {
    const known = rulesetsOf(call.repository);
    const ruleset = { id: Math.max(0, ...known.map(({ id }) => id)) + 1, ...parse(call, 'Ruleset', Ruleset) };
    set(call, { rulesets: JSON.stringify([...known, ruleset]) });
    const { owner, name } = call.repository;
    return created({
      ...ruleset,
      target: 'branch',
      source_type: 'Repository',
      source: `${owner}/${name}`,
    });
  }),
  write('DELETE', '/rulesets/{ruleset_id}', changing, call => {
    const known = rulesetsOf(call.repository);
    const others = known.filter(({ id }) => id !== Number(call.params['ruleset_id']));
    if (others.length === known.length) throw notFound();
    return set(call, { rulesets: JSON.stringify(others) });
  }),
];
