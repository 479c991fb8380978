// The Anthropic model: streams every call through the SDK, whose own retries are off.
import { toFailure } from './anthropic-failure.ts';
import { toAnthropic } from './anthropic-request.ts';
import { readStream } from './anthropic-stream.ts';
import { anthropicTools } from './anthropic-tools.ts';
import type { Model } from './model.ts';
import { withOwnParts } from './opaque.ts';
import { costOf, type Price, priceOf } from './prices.ts';

export interface AnthropicOptions {
  apiKey: string;
  /** https://api.anthropic.com when absent. */
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** Prices of the configuration, by model name, in USD per million tokens. */
  prices?: Readonly<Record<string, Price>>;
}

/** Fails every call of a model without a price with class `crash`, before anything is sent. */
export function anthropicModel({ apiKey, baseUrl, fetch, prices }: AnthropicOptions): Model {
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
      const price = priceOf(request.model, prices);
      connected ??= connect();
      const { sdk, client } = await connected;
      try {
        const tools = anthropicTools(request.model, request.tools);
        const { messages, marked } = withOwnParts(request.messages, request.model);
        const body = toAnthropic({ ...request, messages }, tools);
        const stream = await client.messages.create(body, { signal: request.signal });
        const { parts, ...reply } = await readStream(stream, tools.toAbstract, onEvent);
        return { ...reply, parts: marked(parts), cost_usd: costOf(reply.usage, price) };
      } catch (error) {
        request.signal.throwIfAborted();
        throw toFailure(error, sdk, apiKey);
      }
    },
  };
}
