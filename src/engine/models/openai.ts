// The OpenAI model: any server of the chat completions API, by its SDK, whose own retries are off.
import { boundedFetch } from './bounded-fetch.ts';
import type { Model } from './model.ts';
import { openAiFailure } from './openai-failure.ts';
import { toOpenAi } from './openai-request.ts';
import { readChunks } from './openai-stream.ts';
import { quiet, sdkModel, type ServedOptions } from './sdk-model.ts';

/** At https://api.openai.com/v1 where no other address is given. */
export function openaiModel({ apiKey, baseUrl, fetch, rows }: ServedOptions): Model {
  return sdkModel({
    ...{ provider: 'openai', rows },
    async connect() {
      const { default: sdk } = await import('openai');
      const own = {
        // The SDK refuses to begin without one; a server that wants none does not look.
        apiKey: apiKey === '' ? 'none' : apiKey,
        // Null, not undefined: what is left out the SDK would read from the environment.
        ...{ organization: null, project: null, webhookSecret: null },
        baseURL: baseUrl ?? 'https://api.openai.com/v1',
      };
      return { sdk, client: new sdk({ ...own, ...quiet, fetch: boundedFetch(fetch) }) };
    },
    async ask({ client }, request, row, onEvent) {
      const stream = await client.chat.completions.create(toOpenAi(request, row), { signal: request.signal });
      return await readChunks(stream, onEvent);
    },
    failure: (error, { sdk }) => openAiFailure(error, sdk, apiKey),
  });
}
