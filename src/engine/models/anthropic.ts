// The Anthropic model: streams every call through the SDK, whose own retries are off.
import { anthropicFailure } from './anthropic-failure.ts';
import { toAnthropic } from './anthropic-request.ts';
import { readStream } from './anthropic-stream.ts';
import { anthropicTools } from './anthropic-tools.ts';
import type { Model } from './model.ts';
import { withOwnParts } from './opaque.ts';
import { costOf } from './prices.ts';
import { type ModelRows, rowOf } from './table.ts';

export interface AnthropicOptions {
  apiKey: string;
  /** https://api.anthropic.com when absent. */
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** What is known of models that the product's own table lacks. */
  rows?: ModelRows;
}

/** Fails every call of a model without a price with class `crash`, before anything is sent. */
export function anthropicModel({ apiKey, baseUrl, fetch, rows }: AnthropicOptions): Model {
  let connected: ReturnType<typeof connect> | undefined;
  // Loading the SDK costs 50 to 165 ms, which a process that never calls a model should not pay.
  const connect = async () => {
    const { default: sdk } = await import('@anthropic-ai/sdk');
    const client = new sdk({
      apiKey,
      // Null, not undefined: what is left out the SDK would read from the environment.
      webhookKey: null,
      baseURL: baseUrl ?? null,
      maxRetries: 0,
      logLevel: 'off',
      ...(fetch === undefined ? {} : { fetch }),
    });
    return { sdk, client };
  };
  return {
    provider: 'anthropic',
    async call(request, onEvent) {
      request.signal.throwIfAborted();
      const row = rowOf(request.model, rows);
      connected ??= connect();
      const { sdk, client } = await connected;
      try {
        const tools = anthropicTools(row, request.tools);
        const { messages, marked } = withOwnParts(request.messages, request.model);
        const body = toAnthropic({ ...request, messages }, tools, row);
        const stream = await client.messages.create(body, { signal: request.signal });
        const { parts, ...reply } = await readStream(stream, tools.toAbstract, onEvent);
        return { ...reply, parts: marked(parts), cost_usd: costOf(reply.usage, row.price) };
      } catch (error) {
        request.signal.throwIfAborted();
        throw anthropicFailure(error, sdk, apiKey);
      }
    },
  };
}
