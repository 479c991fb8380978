// The JSON that stands alone in a reply: a code fence that holds it, or an object or list on lines of its own.
import {
  bracketEnd,
  closesFence,
  fenceAt,
  type FenceLine,
  type MarkdownLine,
  markdownLines,
} from '@echelon/ground';
import { isOfAnswers } from './mentions.ts';

/** From and to of the JSON, and of all that belongs to it, its fence included. */
interface JsonBlock {
  from: number;
  to: number;
  begin: number;
  end: number;
  inCode: boolean;
}

/** The beginning of a line that may begin JSON, of an object or of a list. */
const begins = /^[^\S\n\r]*(?:\{\s*(?:["}]|$)|\[\s*[{["\]])/m;

/** The first blocks of a text, at most `most`; whether each can be read as JSON is not asked. */
export function jsonBlocks(text: string, most: number): JsonBlock[] {
  const blocks: JsonBlock[] = [];
  if (!begins.test(text)) return blocks;
  const { lines, open } = markdownLines(text);
  const isComment = commentsIn(text);
  let fence: (FenceLine & { line: MarkdownLine }) | undefined;
  let past = 0;
  for (const line of lines) {
    if (blocks.length === most) break;
    const { start, text: words, kind, number } = line;
    if (start < past || isComment(start)) continue;
    if (kind === 'fenced' && !(open && number >= open.line)) {
      if (!fence) {
        const opened = fenceAt(words.trimStart());
        if (opened) fence = { ...opened, line };
      } else if (closesFence(words.trimStart(), fence)) {
        const block = fenced(text, fence, line);
        if (block) blocks.push(block);
        fence = undefined;
      }
      continue;
    }
    fence = undefined;
    if (kind === 'quote' || !begins.test(words)) continue;
    const from = start + words.search(/\S/);
    const to = bracketEnd(text, from);
    past = to;
    const behind = /[^\S\n\r]*/y;
    behind.lastIndex = to;
    behind.exec(text);
    const isAlone = behind.lastIndex >= text.length || /[\n\r]/.test(text[behind.lastIndex]!);
    if (isAlone) blocks.push({ from, to, begin: start, end: to, inCode: false });
  }
  return blocks;
}

/** The block of a fence, where it may hold an answer, and begins as JSON does. */
function fenced(
  text: string,
  { info, line }: FenceLine & { line: MarkdownLine },
  last: MarkdownLine,
): JsonBlock | undefined {
  const inside = text.slice(line.start + line.text.length, last.start);
  if (!isOfAnswers(info) || !/^\s*[{[]/.test(inside)) return undefined;
  const from = line.start + line.text.length + inside.search(/\S/);
  const end = last.start + last.text.length;
  return { from, to: last.start, begin: line.start, end, inCode: true };
}

/**
 * Returns a test for offsets in a comment that begins a line. Offsets must be passed in ascending order. An unclosed
 * comment does not count: it would hide all that follows.
 */
export function commentsIn(text: string): (offset: number) => boolean {
  const opening = /^[ \t]*<!--/gm;
  let from = 0;
  let to = 0;
  const next = () => {
    opening.lastIndex = to;
    const found = opening.exec(text);
    const end = found ? text.indexOf('-->', found.index + found[0].length) : -1;
    [from, to] = found && end >= 0 ? [found.index, end + 3] : [text.length, text.length];
  };
  return offset => {
    while (to <= offset && to < text.length) next();
    return from <= offset && offset < to;
  };
}
