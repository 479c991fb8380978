// A model that a provider's SDK asks: loaded at its first call, priced by its row, each failure of one of our classes.
import type { Model, ModelEvent, ModelFailure, ModelReply, ModelRequest } from './model.ts';
import { type GivenPart, withOwnParts } from './opaque.ts';
import { costOf } from './prices.ts';
import { type ModelRow, type ModelRows, rowOf } from './table.ts';

export interface ServedOptions {
  /** Empty where the server wants none. */
  apiKey: string;
  /** The provider's own address when absent. */
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** What is known of models that the product's own table lacks. */
  rows?: ModelRows;
}

/** For both SDKs: whoever stands around the model tries again, and what it logs could hold a key. */
export const quiet = { maxRetries: 0, logLevel: 'off' } as const;

interface Wire<Connected> {
  provider: Model['provider'];
  rows: ModelRows | undefined;
  /** Loads the SDK, which costs 50 to 165 ms: a process that never calls a model should not pay that. */
  connect(): Promise<Connected>;
  ask(
    connected: Connected,
    request: ModelRequest,
    row: ModelRow,
    onEvent: ((event: ModelEvent) => void) | undefined,
  ): Promise<Omit<ModelReply, 'cost_usd' | 'parts'> & { parts: GivenPart[] }>;
  failure(error: unknown, connected: Connected): ModelFailure;
}

/** Fails every call of a model without a price with class `crash`, before anything is sent. */
export function sdkModel<Connected>({ provider, rows, connect, ask, failure }: Wire<Connected>): Model {
  let opened: Promise<Connected> | undefined;
  return {
    provider,
    async call(request, onEvent) {
      request.signal.throwIfAborted();
      const row = rowOf(request.model, rows);
      opened ??= connect();
      const connected = await opened;
      try {
        const { messages, marked } = withOwnParts(request.messages, request.model);
        const { parts, ...reply } = await ask(connected, { ...request, messages }, row, onEvent);
        return { ...reply, parts: marked(parts), cost_usd: costOf(reply.usage, row.price) };
      } catch (error) {
        request.signal.throwIfAborted();
        throw failure(error, connected);
      }
    },
  };
}
