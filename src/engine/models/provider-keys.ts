// The keys of the models' providers, by the names of the environment that hold them.
import { type Identity, identityFor } from './identity.ts';

export const providers = ['anthropic', 'openai'] as const;
/** Whose API a model is asked by. */
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

/** Keys in the environment; a server of your own with OpenAI's API needs only an address. */
export function providerKeys(env: NodeJS.ProcessEnv): ProviderKeys {
  const found = providers.flatMap(provider => {
    const apiKey = env[keyName(provider)]?.trim();
    const baseUrl = env[addressName(provider)]?.trim();
    if (!apiKey && !(provider === 'openai' && baseUrl)) return [];
    return [[provider, { ...(apiKey && { apiKey }), ...(baseUrl && { baseUrl }) }]];
  });
  return Object.fromEntries(found);
}

/** The keys, and for a provider without one what this job can show in its place. */
export const withIdentity = (keys: ProviderKeys, env: NodeJS.ProcessEnv): ProviderKeys =>
  Object.fromEntries(
    providers.flatMap(provider => {
      const { apiKey } = keys[provider] ?? {};
      const identity = apiKey ? undefined : identityFor(provider, env);
      const baseUrl = env[addressName(provider)]?.trim();
      const key = identity ? { identity, ...(baseUrl && { baseUrl }) } : keys[provider];
      return key ? [[provider, key]] : [];
    }),
  );

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
