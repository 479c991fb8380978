// The fenced json blocks of a layer's reply, and what people read of it without them.
import { closesFence, fenceAt, markdownLines, splitLines } from '@echelon/ground';

interface Fenced {
  json: boolean;
  /** Lines of the reply, from 1: the opening fence, and the closing one or the reply's last. */
  first: number;
  last: number;
  content: string;
}

const isJson = /^\s*json(?:\s|$)/i;

/** Fenced blocks of a reply in their order. An unclosed one runs to the end. */
function fencedBlocks(reply: string): Fenced[] {
  const blocks: Fenced[] = [];
  let open: { mark: string; json: boolean; first: number; lines: string[] } | undefined;
  const close = (last: number) => {
    if (open) blocks.push({ json: open.json, first: open.first, last, content: open.lines.join('\n') });
    open = undefined;
  };
  let number = 0;
  for (const { text: line } of splitLines(reply)) {
    number++;
    if (!open) {
      const fence = fenceAt(line);
      if (fence) open = { mark: fence.mark, json: isJson.test(fence.info), first: number, lines: [] };
    } else if (closesFence(line, open)) close(number);
    else open.lines.push(line);
  }
  close(number);
  return blocks;
}

/** Fenced blocks whose info string is `json`, with the line of the reply they begin on. */
export function jsonBlocks(reply: string): { line: number; content: string }[] {
  return fencedBlocks(reply)
    .filter(block => block.json)
    .map(({ first, content }) => ({ line: first, content }));
}

/** The reply without its action blocks, or without the one that begins on a line: what people read. */
export function prose(reply: string, only?: number): string {
  const lines = Array.from(splitLines(reply), ({ text }) => text);
  const left: string[] = [];
  let at = 0;
  for (const { first, last, json } of fencedBlocks(reply)) {
    if (!json || (only !== undefined && first !== only)) continue;
    for (const line of lines.slice(at, first - 1)) left.push(line);
    // So that what stood before and after it does not become one paragraph.
    left.push('');
    at = last;
  }
  return [...left, ...lines.slice(at)].join('\n').trim();
}

/** Text below the first heading of this name (in small letters), up to the next one that is no smaller. */
export function section(text: string, name: string): string | undefined {
  const { lines } = markdownLines(text);
  const headings = lines.flatMap(({ number, kind, text: line }) => {
    const [, marks, words = ''] = (kind === 'text' && /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line)) || [];
    return marks === undefined
      ? []
      : { number, level: marks.length, words: words.replace(/[ \t]+#+[ \t]*$/, '').trim() };
  });
  const at = headings.findIndex(({ words }) => words.toLowerCase() === name);
  const own = headings[at];
  if (!own) return undefined;
  const next = headings.slice(at + 1).find(({ level }) => level <= own.level);
  return lines
    .slice(own.number, next && next.number - 1)
    .map(({ text: line }) => line)
    .join('\n')
    .trim();
}
