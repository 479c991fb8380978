// The Anthropic model: streams every call through the SDK, whose own retries are off.
import { toAnthropic } from './anthropic-request.ts';
import { readStream } from './anthropic-stream.ts';
import { anthropicTools } from './anthropic-tools.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Model } from './model.ts';
import { quiet, sdkModel, type ServedOptions } from './sdk-model.ts';

/** At https://api.anthropic.com where no other address is given. */
export function anthropicModel({ apiKey, baseUrl, fetch, rows }: ServedOptions): Model {
  return sdkModel({
    ...{ provider: 'anthropic', rows, apiKey, baseUrl },
    async connect() {
      const { default: sdk } = await import('@anthropic-ai/sdk');
      // Null, not undefined: what is left out the SDK would read from the environment.
      const own = { apiKey, webhookKey: null, baseURL: baseUrl ?? null };
      return { sdk, client: new sdk({ ...own, ...quiet, fetch: boundedFetch(fetch) }) };
    },
    async ask({ client }, request, row, usage, onEvent) {
      const tools = anthropicTools(row, request.tools);
      const body = toAnthropic(request, tools, row);
      const stream = await client.messages.create(body, { signal: request.signal });
      return await readStream(stream, tools.toAbstract, usage, onEvent);
    },
  });
}
