// GitHub Actions as an app: the bot that jobs act as, and the token of each job.
import { HOUR_MS } from '../../ground/lib/clock.ts';
import type { Core } from '../core.ts';
import { findApp, installApp, issueToken, registerApp } from './apps.ts';
import type { Repository } from './repositories.ts';

/** GitHub's own id of the app. */
export const actionsAppId = 15_368;
const slug = 'github-actions';
/** GitHub's longest life of such a token; it dies with its job before that. */
const lifetimeMs = 24 * HOUR_MS;

/** A token that may do just this in the repository. Scopes in the words of workflow files (`pull-requests`). */
export function openJobToken(
  core: Core,
  repository: Repository,
  permissions: Readonly<Record<string, string>>,
): string {
  const settings = { slug, name: 'GitHub Actions', webhookUrl: '', events: [], permissions: {} };
  const installation = installApp(core, registerApp(core, settings, actionsAppId), repository);
  const scopes = Object.entries(permissions).map(([scope, level]) => [scope.replaceAll('-', '_'), level]);
  const granted = { metadata: 'read', ...Object.fromEntries(scopes) };
  return issueToken(core, installation, granted, [repository.id], lifetimeMs).token;
}

/** Closes the tokens of jobs that died with the process. */
export function closeJobTokens(core: Core): void {
  const app = findApp(core, slug);
  if (app)
    core.db.run(
      'DELETE FROM installation_tokens WHERE installation_id IN (SELECT id FROM installations WHERE app_id = ?)',
      app.id,
    );
}
