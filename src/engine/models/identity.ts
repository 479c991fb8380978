// Who a job of GitHub Actions is, in the place of a stored key: a provider's SDK exchanges the token by which GitHub says it
// for a short-lived one of the provider's, and renews that. Neither leaves this process but to these servers.
// https://platform.claude.com/docs/en/manage-claude/wif-reference
// https://developers.openai.com/api/reference/workload-identity-federation
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
};

/** Milliseconds that GitHub may take. */
const PATIENCE_MS = 30_000;

/** Undefined where the ids are not set, or the job may not show who it is (`id-token: write`). */
export function identityFor(provider: keyof typeof trusts, env: NodeJS.ProcessEnv): Identity | undefined {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  const { audience, ids } = trusts[provider];
  const id = (name: string) => env[name]?.trim() || undefined;
  if (!url || !bearer || ids.some(name => id(name) === undefined)) return undefined;
  const secrets = new Set<string>();
  return {
    ...{ id, secrets },
    async token() {
      const response = await boundedFetch()(`${url}&audience=${encodeURIComponent(audience)}`, {
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
