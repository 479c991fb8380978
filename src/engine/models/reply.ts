// Streamed replies: events of a call that is made several times, and the end, where pieces become parts and calls' JSON is read.
import type { z } from 'zod';
import { type Json, jsonOf } from '@echelon/ground';
import { ModelFailure, type ModelEvent, type ModelReply, type Usage } from './model.ts';
import type { GivenPart } from './opaque.ts';
import { checkUsage } from './prices.ts';

/** A part of a reply as it was streamed; `json`: the text of a call's input. */
export type Piece =
  | { type: 'text'; text: string }
  | { type: 'tool_call'; id: string; name: string; json: string }
  | { type: 'opaque'; data: Json };

export type StreamedReply = Omit<ModelReply, 'cost_usd' | 'parts'> & { parts: GivenPart[] };

/** The listener of a stream. */
export type Listener = (event: ModelEvent) => void;

/** Usage reported so far. `output_tokens` is set as soon as a reply has begun. */
export type UsageSoFar = Partial<Usage>;

interface End {
  /** As the provider calls it; undefined where the stream ended before the reply did. */
  reason: string | undefined;
  stops: Readonly<Record<string, ModelReply['stop']>>;
  usage: UsageSoFar;
}

/**
 * The reply of a whole stream. A call's broken JSON stays text: its tool refuses it and shows it, and the model mends its
 * own JSON. A call that the output limit cut is left out. `toAbstract`: the call that one by the provider stands for.
 * Throws ModelFailure: `timeout` where the reply has no end, `crash` for an unknown end and where the usage is missing.
 */
export function endReply(
  pieces: readonly Piece[],
  { reason, stops, usage }: End,
  onEvent: Listener,
  toAbstract = (call: { name: string; input: unknown }) => call,
): StreamedReply {
  if (reason === undefined) throw new ModelFailure('timeout', 'the stream broke off before the reply ended');
  const stop = stops[reason];
  if (stop === undefined) throw malformed(`the reply ended for an unknown reason: ${reason}`);
  checkUsage(usage);
  const parts = pieces.flatMap((piece): GivenPart[] => {
    if (piece.type === 'text') return piece.text === '' ? [] : [piece];
    if (piece.type === 'opaque') return [piece];
    const { id, name, json } = piece;
    const input = parsed(json);
    if (input === undefined && stop === 'max_output') return [];
    const call = toAbstract({ name, input: input ?? json });
    return [{ type: 'tool_call', id, ...call }];
  });
  const text = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
  const tool_calls = parts.flatMap(({ type, ...call }) => ('input' in call ? [call] : []));
  for (const call of tool_calls) onEvent({ type: 'tool_call', ...call });
  onEvent({ type: 'usage', usage });
  return { text, tool_calls, parts, usage, stop };
}

/**
 * `next` is the listener of the next try: what comes of one before is not heard any more. `dropped` tells that the try
 * has failed, where anything was told of it.
 */
export function overTries(onEvent: Listener | undefined): { next(): Listener | undefined; dropped(): void } {
  let tries = 0;
  let begun = false;
  return {
    next() {
      const own = ++tries;
      return (
        onEvent &&
        (event => {
          if (own !== tries) return;
          begun = event.type !== 'restart';
          onEvent(event);
        })
      );
    },
    dropped() {
      tries++;
      if (begun) onEvent?.({ type: 'restart' });
      begun = false;
    },
  };
}

/** Undefined for what is no JSON. */
export const parsed = (json: string): unknown => (json.trim() === '' ? {} : jsonOf(json));

/** `error`: what does not fit in it. */
export function malformed(what: string, error?: z.ZodError): ModelFailure {
  const at = error ? `, at ${error.issues.map(({ path }) => path.join('.')).join(', ')}` : '';
  return new ModelFailure('crash', `the model's stream is not what the API promises: ${what}${at}`, {
    cause: error,
  });
}
