// Reads bodies of HTTP requests that nobody has vouched for yet, within bounds of size, memory and time.
import type { Clock } from './clock.ts';
import { deadline } from './deadline.ts';

/** Reason for refusing a body; `status` is the HTTP answer. After any but 400 the connection is to be closed. */
export class BodyRefused extends Error {
  readonly status: 400 | 408 | 413 | 503;
  constructor(status: BodyRefused['status'], message: string) {
    super(message);
    this.status = status;
  }
}

export interface BodyLimits {
  /** Bytes of one body. */
  largest: number;
  /** Bytes of all bodies that are held at once. Beyond it the largest one that still comes in is refused. */
  together: number;
  /** Milliseconds until a body is there as a whole. */
  patienceMs: number;
}

/** The members used of an IncomingMessage. */
export interface BodySource {
  headers: { 'content-length'?: string | undefined };
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

interface BodySoFar {
  /** Copied: a chunk of one byte may hold on to the whole block of memory that it came in. */
  bytes: Uint8Array;
  /** Bytes that have come; there may be room for more. */
  size: number;
  complete: boolean;
  refuse(why: BodyRefused): void;
}

/**
 * Reads a body and hands it to `use` as text, byte for byte: a byte order mark stays. It counts as held until `use` is
 * done. Rejects with BodyRefused, and with what `use` rejects with. The stream is left open, so that the request can
 * be answered.
 */
export type ReadBody = <T>(source: BodySource, use: (text: string) => Promise<T>) => Promise<T>;

export function bodyReader({ largest, together, patienceMs }: BodyLimits, clock: Clock): ReadBody {
  const held = new Set<BodySoFar>();
  const tooLarge = () => new BodyRefused(413, `the body is larger than ${largest} bytes`);

  function grow(body: BodySoFar, chunk: Uint8Array): void {
    const size = body.size + chunk.length;
    if (size > largest) throw tooLarge();
    if (size > body.bytes.length) {
      const larger = new Uint8Array(Math.min(largest, Math.max(size, 2 * body.bytes.length)));
      larger.set(body.bytes);
      body.bytes = larger;
    }
    body.bytes.set(chunk, body.size);
    body.size = size;
    if ([...held].reduce((sum, { bytes }) => sum + bytes.length, 0) <= together) return;
    const [first] = [...held].filter(({ complete }) => !complete).sort((a, b) => b.size - a.size);
    first?.refuse(new BodyRefused(503, 'too many large bodies at once; send it again later'));
  }

  async function collect(body: BodySoFar, source: BodySource, signal: AbortSignal): Promise<void> {
    try {
      // Ending the loop must not destroy the stream: the connection would be gone before the answer.
      for await (const chunk of source.iterator({ destroyOnReturn: false })) {
        signal.throwIfAborted();
        grow(body, chunk);
      }
    } catch (error) {
      throw error instanceof BodyRefused ? error : new BodyRefused(400, 'the body was cut off');
    }
  }

  return async (source, use) => {
    if (Number(source.headers['content-length'] ?? 0) > largest) throw tooLarge();
    const refused = new AbortController();
    const time = deadline(patienceMs, clock, refused.signal);
    const body: BodySoFar = {
      bytes: new Uint8Array(),
      size: 0,
      complete: false,
      refuse: why => refused.abort(why),
    };
    held.add(body);
    try {
      await time.race(collect(body, source, time.signal)).catch(error => {
        throw time.expired() ? new BodyRefused(408, `the body took longer than ${patienceMs} ms`) : error;
      });
      body.complete = true;
      return await use(textOf(body.bytes.subarray(0, body.size)));
    } finally {
      time.end();
      held.delete(body);
      // The loop over a refused one goes on until its connection is closed.
      body.bytes = new Uint8Array();
    }
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // A TypeError says nothing more.
    throw new BodyRefused(400, 'the body is not UTF-8');
  }
}
