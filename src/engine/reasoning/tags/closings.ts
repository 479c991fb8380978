// The closing tags of a text by name. One sweep for all names together: a search for each opening tag would read
// the rest of the text once for each tag that is never closed.
import { endOfName, NAME_LIMIT } from './name.ts';

/**
 * Answers the first offset of `{{</name>}}` that is at least `from`, or Infinity. `from` never gets
 * smaller, and is behind the closing tag that was answered for that name before.
 */
export function closings(text: string): (name: string, from: number) => number {
  const seen = new Map<string, { offsets: number[]; next: number }>();
  let swept = 0;
  const note = (name: string, offset: number) => {
    const noted = seen.get(name);
    if (noted) noted.offsets.push(offset);
    else seen.set(name, { offsets: [offset], next: 0 });
  };

  return (name, from) => {
    const noted = seen.get(name);
    if (noted)
      for (; noted.next < noted.offsets.length; noted.next++)
        if (noted.offsets[noted.next]! >= from) return noted.offsets[noted.next]!;
    if (swept < from) swept = from;
    for (;;) {
      const open = text.indexOf('{{</', swept);
      if (open < 0) break;
      const start = open + 4;
      // The one that is looked for is mostly the next: it is taken without a note.
      if (text.startsWith(name, start) && text.startsWith('>}}', start + name.length)) {
        swept = start + name.length;
        return open;
      }
      const end = endOfName(text, start);
      swept = end;
      if (end - start <= NAME_LIMIT && text.startsWith('>}}', end)) note(text.slice(start, end), open);
    }
    swept = text.length;
    return Number.POSITIVE_INFINITY;
  };
}
