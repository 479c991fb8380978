// The OpenAI model: OpenAI by its Responses API, any other server by the chat completions API. The SDK's retries are off.
import { atOpenRouter, type Identity } from './provider-keys.ts';
import type { Model } from './model.ts';
import { toOpenAi, toResponses } from './openai-request.ts';
import { readChunks } from './openai-stream.ts';
import { readResponse } from './responses-stream.ts';
import { quiet, sdkModel, type ServedOptions } from './sdk-model.ts';

const ownUrl = 'https://api.openai.com/v1';

/**
 * At https://api.openai.com/v1 where no other address is given. Its current models refuse tools over chat completions;
 * other servers know those only.
 */
export function openaiModel(options: ServedOptions): Model {
  const { apiKey, identity, baseUrl = ownUrl } = options;
  const isOpenAi = /(?:^|\.)openai\.com$/.test(URL.parse(baseUrl)?.hostname ?? '');
  return sdkModel({
    ...options,
    provider: 'openai',
    async connect(asks) {
      const { default: sdk } = await import('openai');
      const own = {
        // The SDK refuses to begin without one; a server that wants none does not look.
        ...(identity ? { apiKey: null, workloadIdentity: trust(identity) } : { apiKey: apiKey || 'none' }),
        // Null, not undefined: what is left out the SDK would read from the environment.
        ...{ organization: null, project: null, webhookSecret: null },
        baseURL: baseUrl,
      };
      const fetch = identity && !isOpenAi ? atOpenRouter(identity, baseUrl, asks) : asks;
      return { sdk, client: new sdk({ ...own, ...quiet, fetch }) };
    },
    async ask({ client, sdk }, request, row, usage, onEvent) {
      const { signal } = request;
      if (!isOpenAi) {
        const chunks = await client.chat.completions.create(toOpenAi(request, row), { signal });
        return await readChunks(chunks, usage, onEvent);
      }
      const events = await client.responses.create(toResponses(request, row), { signal });
      const failure = (error: object) => new sdk.APIError(undefined, error, undefined, undefined);
      return await readResponse(events, usage, onEvent, failure);
    },
  });
}

const trust = ({ id, token }: Identity) => ({
  identityProviderId: id('OPENAI_IDENTITY_PROVIDER_ID') ?? '',
  serviceAccountId: id('OPENAI_SERVICE_ACCOUNT_ID') ?? '',
  provider: { tokenType: 'jwt' as const, getToken: token },
});
