// Fetch as providers are asked: no redirect is followed, and no answer grows without end.
import { ModelFailure } from './model.ts';

/** Far more than the longest reply of a model takes, streamed a token at a time (bytes). */
const MAX_ANSWER = 64 << 20;
/** An event is a line, and the SDKs read a line in quadratic time (bytes). */
const MAX_LINE = 8 << 20;
const NEWLINE = 10;

/**
 * The answer of `fetch`, a redirect as it is: it would take the prompt to an address that nobody has set. Reading more
 * than MAX_ANSWER bytes of its body, or MAX_LINE of one line, fails with a ModelFailure.
 */
export const boundedFetch =
  (fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (!response.body) return response;
    let total = 0;
    let line = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        total += chunk.length;
        const end = chunk.lastIndexOf(NEWLINE);
        line = end < 0 ? line + chunk.length : chunk.length - end - 1;
        if (total <= MAX_ANSWER && line <= MAX_LINE) return controller.enqueue(chunk);
        const bound = line > MAX_LINE ? `a line of more than ${MAX_LINE}` : `more than ${MAX_ANSWER}`;
        controller.error(new ModelFailure('crash', `the answer has ${bound} bytes`));
      },
    });
    return new Response(response.body.pipeThrough(bounded), response);
  };
