// Webhooks of a repository as the REST API shows them.
import type { Core } from '../core.ts';
import { lastDelivery } from '../store/deliveries.ts';
import { eventsOfHook, type Hook } from '../store/hooks.ts';
import type { Repository } from '../store/repositories.ts';
import { repositoryUrl } from './repository.ts';

/** What is shown in place of a secret. */
export const masked = '********';

/** GitHub's `webhook-config`: that there is a secret is told, and no more. */
export const hookConfig = (hook: Hook) => ({
  content_type: hook.content_type,
  insecure_ssl: `${hook.insecure_ssl}`,
  ...(hook.secret !== null && { secret: masked }),
  url: hook.url,
});

/** GitHub's `hook`. */
export function hookJson(core: Core, repository: Repository, hook: Hook) {
  const url = `${repositoryUrl(core, repository)}/hooks/${hook.id}`;
  const last = lastDelivery(core, hook.id);
  const good = last?.status === 'OK';
  return {
    type: 'Repository',
    id: hook.id,
    name: 'web',
    active: hook.active === 1,
    events: eventsOfHook(hook),
    config: hookConfig(hook),
    updated_at: hook.updated_at,
    created_at: hook.created_at,
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: last
      ? { code: last.status_code, status: good ? 'active' : 'failed', message: last.status }
      : { code: null, status: 'unused', message: null },
  };
}
