// Cuts the output of a step into lines, of any length and at any place of a chunk, in a bounded amount of memory.
import { StringDecoder } from 'node:string_decoder';

/** Characters of a line that are held; what goes beyond is dropped, so that no part of it can pass for a new line. */
const longest = 128 * 1024;

export interface Lines {
  add(chunk: Buffer): void;
  /** Hands on what stands after the last line end. */
  end(): void;
}

/** Calls `onLine` with each line without its end; a carriage return alone ends one too, as for GitHub's runner. */
export function lines(onLine: (line: string) => void): Lines {
  const decoder = new StringDecoder('utf8');
  let held = '';
  /** Whether the text so far ended with a carriage return, whose line feed may be still to come. */
  let afterReturn = false;
  const take = (text: string) => {
    let from = 0;
    if (afterReturn && text.startsWith('\n')) from = 1;
    if (text !== '') afterReturn = text.endsWith('\r');
    for (const { index, 0: ending } of text.matchAll(/\r\n|\r|\n/g)) {
      if (index < from) continue;
      onLine(held + text.slice(from, Math.min(index, from + longest - held.length)));
      held = '';
      from = index + ending.length;
    }
    held += text.slice(from, from + Math.max(0, longest - held.length));
  };
  return {
    add: chunk => take(decoder.write(chunk)),
    end() {
      take(decoder.end());
      if (held !== '') onLine(held);
      held = '';
    },
  };
}
