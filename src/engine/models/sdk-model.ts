// A model that a provider's SDK asks: loaded at its first call, priced by its row, each failure of one of our classes.
import type { Model, ModelRequest, Usage } from './model.ts';
import { withFitIds, withOwnParts } from './opaque.ts';
import { costOf } from './prices.ts';
import { boundedFetch } from './bounded-fetch.ts';

import { type Identity, keyName, type Provider } from './provider-keys.ts';
import type { Listener, StreamedReply, UsageSoFar } from './reply.ts';
import { type FailureSource, toFailure } from './sdk-failure.ts';
import { type ModelRow, type ModelRows, rowOf } from './table.ts';

export interface ServedOptions {
  /** Empty where the server wants none, or a job shows its identity. */
  apiKey: string;
  identity?: Identity;
  /** The provider's own address when absent. */
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** Data of models that the product's own table lacks. */
  rows?: ModelRows;
}

/** For both SDKs: whoever stands around the model tries again, and what it logs could hold a key. */
export const quiet = { maxRetries: 0, logLevel: 'off' } as const;

interface Wire<Connected> extends ServedOptions {
  provider: Provider;
  /** Loads the SDK, which costs 50 to 165 ms: a process that never calls a model should not pay that. */
  connect(fetch: typeof globalThis.fetch): Promise<Connected>;
  /** Fills `usage` while the reply comes. */
  ask(
    connected: Connected,
    request: ModelRequest,
    row: ModelRow,
    usage: UsageSoFar,
    onEvent: Listener,
  ): Promise<StreamedReply>;
}

/** Fails every call of a model without a price with class `crash`, before anything is sent. */
export function sdkModel<Connected extends Pick<FailureSource, 'sdk'>>(wire: Wire<Connected>): Model {
  const { provider, rows, apiKey, identity, baseUrl } = wire;
  const own = provider === 'anthropic' ? 'Anthropic' : 'OpenAI';
  const name = URL.parse(baseUrl ?? '')?.host ?? own;
  const bounded = boundedFetch(wire.fetch);
  const fetch: typeof bounded = async (input, init) => {
    const shown = new Headers(init?.headers).get('authorization')?.replace(/^bearer /i, '');
    if (shown) identity?.secrets.add(shown);
    return await bounded(input, init);
  };
  const remedy = identity ? 'look at its trust in this job' : `set ${keyName(provider)} anew`;
  let opened: Promise<Connected> | undefined;
  const model: Model = {
    provider,
    async call(request, onEvent) {
      request.signal.throwIfAborted();
      const row = rowOf(request.model, rows);
      opened ??= wire.connect(fetch);
      const connected = await opened;
      const usage: UsageSoFar = {};
      let said = 0;
      const heard: Listener = event => {
        if ('text' in event) said += event.text.length;
        onEvent?.(event);
      };
      const { messages, marked } = withOwnParts(request.messages, request.model);
      const images = row.image === undefined ? [] : (request.images ?? []);
      const asked = { ...request, images, messages: withFitIds(messages) };
      try {
        const { parts, ...reply } = await wire.ask(connected, asked, row, usage, heard);
        return { ...reply, parts: marked(parts), cost_usd: costOf(reply.usage, row.price) };
      } catch (error) {
        if (usage.output_tokens !== undefined)
          request.onLost?.(costOf(usageOfBroken(asked, usage, said, row.image), row.price));
        request.signal.throwIfAborted();
        // Too many pixels, a broken file, or more than the model's window holds: the text is worth more.
        if (
          images.length > 0 &&
          error instanceof connected.sdk.APIError &&
          [400, 413, 422].includes(error.status ?? 0)
        )
          return await model.call({ ...request, images: [] }, onEvent);
        const called = `${name} (${request.model}, for ${request.task})`;
        throw toFailure(error, {
          called,
          remedy,
          secrets: [apiKey, ...(identity?.secrets ?? [])],
          sdk: connected.sdk,
        });
      }
    },
  };
  return model;
}

/** Characters a token, where a provider has not said what a reply that broke off has used. */
const CHARACTERS = 4;

/** Usage that a broken reply is billed for: all of its input, and the output so far. */
function usageOfBroken(
  { system, messages, images = [], tools }: ModelRequest,
  { input_tokens, output_tokens = 0, ...cached }: UsageSoFar,
  said: number,
  image = 0,
): Usage {
  const sent = JSON.stringify([system, messages, tools]).length;
  return {
    ...{ cache_read_tokens: 0, cache_write_tokens: 0, ...cached },
    input_tokens: input_tokens ?? Math.ceil(sent / CHARACTERS) + images.length * image,
    output_tokens: Math.max(output_tokens, Math.ceil(said / CHARACTERS)),
  };
}
