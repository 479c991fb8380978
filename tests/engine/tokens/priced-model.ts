// A real model of Anthropic's, SDK included, whose calls are answered here and priced as its prompt cache would have it.
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import type { Model } from '../../../src/engine/models/model.ts';
import { begin, block, end, type StreamEvent } from '../models/server.ts';
import { type Cached, type Priced, promptCache } from './prompt-cache.ts';

/** A model's words in one call. */
export interface Said {
  text?: string;
  tool_calls?: readonly { name: string; input: unknown }[];
}

/** Calls, and the tokens of all of them. */
export interface Tally extends Priced {
  calls: number;
  output: number;
}

export const nothing: Tally = { calls: 0, raw: 0, read: 0, written: 0, priced: 0, output: 0 };

export const added = (sum: Tally, priced: Priced, output: number): Tally => ({
  calls: sum.calls + 1,
  raw: sum.raw + priced.raw,
  read: sum.read + priced.read,
  written: sum.written + priced.written,
  priced: sum.priced + priced.priced,
  output: sum.output + output,
});

export function pricedModel(say: (body: Cached, call: number) => Said): { model: Model; tally(): Tally } {
  const cache = promptCache();
  let tally = nothing;
  const model = anthropicModel({
    apiKey: 'a key of nobody',
    async fetch(_url, init) {
      const body: Cached = JSON.parse(String(init?.body));
      const said = say(body, tally.calls + 1);
      const priced = cache.price(body);
      tally = added(tally, priced, outputOf(said));
      const events = eventsOf(said, body.model, priced, tally.calls);
      const text = events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return { model, tally: () => tally };
}

/** About four characters a token. */
export const outputOf = ({ text = '', tool_calls = [] }: Said): number =>
  Math.ceil((text.length + JSON.stringify(tool_calls.map(({ input }) => input)).length) / 4);

/** The reply as the API streams it; `call` makes the ids of its calls. */
export function eventsOf(
  said: Said,
  model: string,
  { raw, read, written }: Priced,
  call: number,
): StreamEvent[] {
  const { text = '', tool_calls = [] } = said;
  const usage = {
    ...{ input_tokens: raw - read - written, output_tokens: 1 },
    ...{ cache_read_input_tokens: read, cache_creation_input_tokens: written },
  };
  return [
    { ...begin, message: { ...Object(begin['message']), model, usage } },
    ...(text === '' ? [] : block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text }])),
    ...tool_calls.flatMap(({ name, input }, at) => {
      const opened = { type: 'tool_use', id: `toolu_${call}_${at}`, name, input: {} };
      return block(text === '' ? at : at + 1, opened, [
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ]);
    }),
    ...end(tool_calls.length > 0 ? 'tool_use' : 'end_turn', outputOf(said)),
  ];
}
