// The Anthropic model: streams every call through the SDK, whose own retries are off.
import { toAnthropic } from './anthropic-request.ts';
import { readStream } from './anthropic-stream.ts';
import { anthropicTools } from './anthropic-tools.ts';

import type { Identity } from './provider-keys.ts';
import type { Model } from './model.ts';
import { quiet, sdkModel, type ServedOptions } from './sdk-model.ts';

/** At https://api.anthropic.com where no other address is given. */
export function anthropicModel(options: ServedOptions): Model {
  const { apiKey, identity, baseUrl } = options;
  return sdkModel({
    ...options,
    provider: 'anthropic',
    async connect(fetch) {
      const { default: sdk } = await import('@anthropic-ai/sdk');
      // Null, not undefined: what is left out the SDK would read from the environment.
      const own = { webhookKey: null, baseURL: baseUrl ?? null };
      const shown = identity
        ? { apiKey: null, credentials: await exchange(identity, baseUrl, fetch) }
        : { apiKey };
      return { sdk, client: new sdk({ ...own, ...shown, ...quiet, fetch }) };
    },
    async ask({ client }, request, row, usage, onEvent) {
      const tools = anthropicTools(row, request.tools);
      const body = toAnthropic(request, tools, row);
      const stream = await client.messages.create(body, { signal: request.signal });
      return await readStream(stream, tools.toAbstract, usage, onEvent);
    },
  });
}

async function exchange(
  { id, token }: Identity,
  baseURL = 'https://api.anthropic.com',
  fetch: typeof globalThis.fetch,
) {
  const { oidcFederationProvider } = await import('@anthropic-ai/sdk/lib/credentials/oidc-federation.mjs');
  return oidcFederationProvider({
    ...{ identityTokenProvider: token, baseURL, fetch },
    federationRuleId: id('ANTHROPIC_FEDERATION_RULE_ID') ?? '',
    organizationId: id('ANTHROPIC_ORGANIZATION_ID') ?? '',
    serviceAccountId: id('ANTHROPIC_SERVICE_ACCOUNT_ID'),
    workspaceId: id('ANTHROPIC_WORKSPACE_ID'),
  });
}
