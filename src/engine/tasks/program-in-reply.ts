// Finds the program in what a model wrote around it.
import { closesFence, fenceAt } from '@echelon/ground';

/** A line that begins with the root counts before a mention of it in a sentence. */
const ownLine = /^[ \t]*<task(?=[\s/>])/m;
const anywhere = /<task(?=[\s/>])/;
const tag = /<(\/?)task(?=[\s/>])[^<>]*?(\/?)>/y;

/**
 * The first `<task ...>...</task>` of `reply`, fenced or not. One that is never closed goes to the end of the reply,
 * so that reading it says what is wrong. Undefined: there is none.
 */
export function programIn(reply: string): string | undefined {
  const found = ownLine.exec(reply) ?? anywhere.exec(reply);
  if (!found) return undefined;
  const start = reply.indexOf('<task', found.index);
  let depth = 0;
  let at = start;
  while (at >= 0) {
    const skipped = past(reply, at, '<!--', '-->') ?? past(reply, at, '<![CDATA[', ']]>');
    if (skipped === undefined) {
      tag.lastIndex = at;
      const [whole, closing, empty] = tag.exec(reply) ?? [];
      if (whole === undefined) at++;
      else {
        at += whole.length;
        if (closing) depth--;
        else if (!empty) depth++;
        if (depth <= 0) return reply.slice(start, at);
      }
    } else if (skipped < 0) break;
    else at = skipped;
    at = reply.indexOf('<', at);
  }
  return withoutLastFence(reply.slice(start));
}

/** Without the last line where that closes a fence, whichever it was. */
function withoutLastFence(text: string): string {
  const trimmed = text.trimEnd();
  const end = trimmed.lastIndexOf('\n');
  const last = fenceAt(trimmed.slice(end + 1));
  return end >= 0 && last && closesFence(trimmed.slice(end + 1), last)
    ? trimmed.slice(0, end).trimEnd()
    : text;
}

/** Past the section that begins at `at`; -1 when it does not end; undefined when none begins there. */
function past(text: string, at: number, open: string, close: string): number | undefined {
  if (!text.startsWith(open, at)) return undefined;
  const end = text.indexOf(close, at + open.length);
  return end < 0 ? -1 : end + close.length;
}
