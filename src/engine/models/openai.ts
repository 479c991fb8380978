// The OpenAI model: any server of the chat completions API, by its SDK, whose own retries are off.
import type { Model } from './model.ts';
import { openAiFailure } from './openai-failure.ts';
import { toOpenAi } from './openai-request.ts';
import { readChunks } from './openai-stream.ts';
import { withOwnParts } from './opaque.ts';
import { costOf } from './prices.ts';
import { type ModelRows, rowOf } from './table.ts';

export interface OpenAiOptions {
  /** Empty where the server wants none. */
  apiKey: string;
  /** https://api.openai.com/v1 when absent. */
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** What is known of models that the product's own table lacks. */
  rows?: ModelRows;
}

/** Fails every call of a model without a price with class `crash`, before anything is sent. */
export function openaiModel({ apiKey, baseUrl, fetch, rows }: OpenAiOptions): Model {
  let connected: ReturnType<typeof connect> | undefined;
  const connect = async () => {
    const { default: sdk } = await import('openai');
    const client = new sdk({
      // The SDK refuses to begin without one; a server that wants none does not look.
      apiKey: apiKey === '' ? 'none' : apiKey,
      // Null, not undefined: what is left out the SDK would read from the environment.
      ...{ organization: null, project: null, webhookSecret: null },
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
      maxRetries: 0,
      logLevel: 'off',
      ...(fetch === undefined ? {} : { fetch }),
    });
    return { sdk, client };
  };
  return {
    provider: 'openai',
    async call(request, onEvent) {
      request.signal.throwIfAborted();
      const row = rowOf(request.model, rows);
      connected ??= connect();
      const { sdk, client } = await connected;
      try {
        const { messages, marked } = withOwnParts(request.messages, request.model);
        const body = toOpenAi({ ...request, messages }, row);
        const stream = await client.chat.completions.create(body, { signal: request.signal });
        const { parts, ...reply } = await readChunks(stream, onEvent);
        return { ...reply, parts: marked(parts), cost_usd: costOf(reply.usage, row.price) };
      } catch (error) {
        request.signal.throwIfAborted();
        throw openAiFailure(error, sdk, apiKey);
      }
    },
  };
}
