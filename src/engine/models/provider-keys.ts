// Authentication with the models' providers: API keys from environment variables, or workload identity of a GitHub
// Actions job. For the latter, a provider's SDK exchanges GitHub's identity token for a short-lived token of the
// provider, and renews it. Both are sent only to these servers.
// https://platform.claude.com/docs/en/manage-claude/wif-reference
// https://developers.openai.com/api/reference/workload-identity-federation
// https://openrouter.ai/docs/guides/overview/auth/workload-identity-federation
import { messageOf } from '@echelon/ground';
import { boundedFetch } from './bounded-fetch.ts';
import { ModelFailure } from './model.ts';

export const providers = ['anthropic', 'openai'] as const;
/** The provider whose API serves a model. */
export type Provider = (typeof providers)[number];

export interface ProviderKey {
  /** Absent where a server of one's own wants none. */
  apiKey?: string;
  /** In its place. */
  identity?: Identity;
  /** The provider's own address where absent. */
  baseUrl?: string;
}

/** Of the providers whose models can be asked. */
export type ProviderKeys = Readonly<Partial<Record<Provider, ProviderKey>>>;

/** The names of the environment's variables. */
export const keyName = (provider: Provider): string => `${provider.toUpperCase()}_API_KEY`;
export const addressName = (provider: Provider): string => `${provider.toUpperCase()}_BASE_URL`;

/** For a sentence where no model can be asked, and nobody knows yet whose they are. */
export const anyKey = providers.map(keyName).join(' or ');

/**
 * Keys from the environment. A self-hosted server with OpenAI's API needs an address only. `identity`: providers
 * without a key get the job's workload identity, where they accept it.
 */
export function providerKeys(env: NodeJS.ProcessEnv, { identity: shows = false } = {}): ProviderKeys {
  const found = providers.flatMap(provider => {
    const apiKey = env[keyName(provider)]?.trim();
    const baseUrl = env[addressName(provider)]?.trim();
    const identity = shows && !apiKey ? identityFor(provider, env) : undefined;
    if (!apiKey && !identity && !(provider === 'openai' && baseUrl)) return [];
    return [
      [provider, { ...(apiKey && { apiKey }), ...(identity && { identity }), ...(baseUrl && { baseUrl }) }],
    ];
  });
  return Object.fromEntries(found);
}

/** For the environment of a job that asks them. */
export const environmentOf = (keys: ProviderKeys): Record<string, string> =>
  Object.fromEntries(
    providers.flatMap(provider => {
      const { apiKey, baseUrl } = keys[provider] ?? {};
      return [
        ...(apiKey === undefined ? [] : [[keyName(provider), apiKey]]),
        ...(baseUrl === undefined ? [] : [[addressName(provider), baseUrl]]),
      ];
    }),
  );

/** Values to mask in everything that is written. */
export const secretsOf = (keys: ProviderKeys): string[] =>
  Object.values(keys).flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey]));

export const providersOf = (keys: ProviderKeys): Provider[] => providers.filter(provider => keys[provider]);

export const hasKey = (keys: ProviderKeys): boolean => providersOf(keys).length > 0;

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

/** The variables that hold ids of a trust. */
export const idNames: readonly string[] = [
  ...Object.values(trusts).flatMap(({ ids }) => ids),
  // For rules that ask for them.
  ...['ANTHROPIC_SERVICE_ACCOUNT_ID', 'ANTHROPIC_WORKSPACE_ID'],
];

/** Milliseconds that GitHub may take. */
const PATIENCE_MS = 30_000;

/** Of the servers that speak OpenAI's wire no other has a way to exchange. */
function trustOf(provider: 'anthropic' | 'openai', env: NodeJS.ProcessEnv) {
  const address = provider === 'openai' ? URL.parse(env['OPENAI_BASE_URL'] ?? '') : null;
  if (address && address.protocol !== 'https:') return undefined;
  const server = address?.hostname;
  if (!server || /(?:^|\.)openai\.com$/.test(server)) return trusts[provider];
  return server === 'openrouter.ai' ? trusts.openrouter : undefined;
}

/** Undefined where the server takes none, the ids are not set, or the job may not show who it is (`id-token: write`). */
function identityFor(provider: 'anthropic' | 'openai', env: NodeJS.ProcessEnv): Identity | undefined {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  const trust = trustOf(provider, env);
  const id = (name: string) => env[name]?.trim() || undefined;
  if (!trust || !url || !bearer || trust.ids.some(name => id(name) === undefined)) return undefined;
  const secrets = new Set<string>();
  return {
    ...{ id, secrets },
    async token() {
      // No answer, or one of a proxy on the way, says nothing of whose job it is.
      const unwell = (error: unknown) => {
        throw new ModelFailure('timeout', `GitHub did not say whose job this is: ${messageOf(error)}`);
      };
      const headers = { authorization: `bearer ${bearer}` };
      const request = { headers, signal: AbortSignal.timeout(PATIENCE_MS) };
      const asked = `${url}&audience=${encodeURIComponent(trust.audience)}`;
      const response = await boundedFetch()(asked, request).catch(unwell);
      const answer: unknown = await response.json().catch(unwell);
      if (response.status >= 500 || [408, 429].includes(response.status)) unwell(response.status);
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
