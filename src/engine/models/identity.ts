// Identity of a GitHub Actions job, used instead of a stored key: a provider's SDK exchanges GitHub's token for the job
// for a short-lived one of the provider's, and renews that. Neither leaves this process but to these servers.
// https://platform.claude.com/docs/en/manage-claude/wif-reference
// https://developers.openai.com/api/reference/workload-identity-federation
// https://openrouter.ai/docs/guides/overview/auth/workload-identity-federation
import { boundedFetch } from './bounded-fetch.ts';
import { ModelFailure } from './model.ts';

export interface Identity {
  /** An id of the trust that is set up at the provider, by the name of its variable. */
  id(name: string): string | undefined;
  /** A new token of GitHub's for the provider. */
  token(): Promise<string>;
  /** GitHub's tokens and the provider's, to be masked. */
  secrets: Set<string>;
}

/** The audience of GitHub's token, and the ids that are required for the trust. */
const trusts = {
  anthropic: {
    audience: 'https://api.anthropic.com',
    ids: ['ANTHROPIC_FEDERATION_RULE_ID', 'ANTHROPIC_ORGANIZATION_ID'],
  },
  openai: {
    audience: 'https://api.openai.com/v1',
    ids: ['OPENAI_IDENTITY_PROVIDER_ID', 'OPENAI_SERVICE_ACCOUNT_ID'],
  },
  openrouter: { audience: 'https://openrouter.ai', ids: ['OPENROUTER_FEDERATION_POLICY_ID'] },
};

/** Milliseconds that GitHub may take. */
const PATIENCE_MS = 30_000;

/** Undefined where the server takes none, the ids are not set, or the job may not show who it is (`id-token: write`). */
export function identityFor(provider: 'anthropic' | 'openai', env: NodeJS.ProcessEnv): Identity | undefined {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  // Of the servers that speak OpenAI's wire no other has a way to exchange.
  const server = provider === 'openai' ? URL.parse(env['OPENAI_BASE_URL'] ?? '')?.hostname : undefined;
  const isOwn = !server || /(?:^|\.)openai\.com$/.test(server);
  const trust = isOwn ? trusts[provider] : server === 'openrouter.ai' ? trusts.openrouter : undefined;
  const id = (name: string) => env[name]?.trim() || undefined;
  if (!trust || !url || !bearer || trust.ids.some(name => id(name) === undefined)) return undefined;
  const secrets = new Set<string>();
  return {
    ...{ id, secrets },
    async token() {
      const response = await boundedFetch()(`${url}&audience=${encodeURIComponent(trust.audience)}`, {
        headers: { authorization: `bearer ${bearer}` },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const answer: unknown = await response.json();
      const value = answer !== null && typeof answer === 'object' && 'value' in answer && answer.value;
      if (typeof value !== 'string')
        throw new ModelFailure('denied', `GitHub answers ${response.status}, and no identity`);
      secrets.add(value);
      return value;
    },
  };
}

/** OpenAI's exchange, made at OpenRouter: the same one (RFC 8693) at another address, as a form, with another id. */
export const atOpenRouter =
  ({ id }: Identity, baseUrl: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    if (input !== 'https://auth.openai.com/oauth/token') return await fetch(input, init);
    const { grant_type, subject_token, subject_token_type } = JSON.parse(String(init?.body));
    const federation_policy_id = id('OPENROUTER_FEDERATION_POLICY_ID') ?? '';
    const body = new URLSearchParams({ grant_type, subject_token, subject_token_type, federation_policy_id });
    return await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  };
