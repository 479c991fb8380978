// Replacing a text of a file that occurs once, and inserting lines, whatever ends the file's lines. Models write \n, also
// where a file has \r\n.
import { ToolRefusal } from '../../language/tool.ts';

interface Span {
  start: number;
  end: number;
}

/**
 * `text` with `by` in place of `wanted`, and the line of it, from 1. A \n of `wanted` stands for \r\n too, unless the text
 * is found as it stands; `by` gets the line ends of what it replaces, or of the file where that is within a line.
 * Throws ToolRefusal where `wanted` does not occur exactly once.
 */
export function replaceOnce(
  path: string,
  text: string,
  wanted: string,
  by: string,
): { text: string; line: number } {
  const [place, second] = placesOf(text, wanted);
  if (!place)
    throw new ToolRefusal(`old_text does not occur in ${path}; read the file and copy the text exactly`);
  if (second)
    throw new ToolRefusal(
      `old_text occurs more than once in ${path}; add the lines around it until it occurs once`,
    );
  const { start, end } = place;
  const replaced = text.slice(start, end);
  const isCrlf = replaced.includes('\n') ? replaced.includes('\r\n') : hasMostlyCrlf(text);
  const put = isCrlf ? by.replaceAll(/\r?\n/g, '\r\n') : by;
  return {
    text: text.slice(0, start) + put + text.slice(end),
    line: text.slice(0, start).split('\n').length,
  };
}

/**
 * `text` with `by` as whole lines after `line` (0: before the first), and the line where they begin, from 1. They end as
 * the file's lines do. Throws ToolRefusal where there is no such line.
 */
export function insertAfter(
  path: string,
  text: string,
  line: number,
  by: string,
): { text: string; line: number } {
  const lines = text.split(/(?<=\n)/);
  if (text === '') lines.pop();
  if (line > lines.length)
    throw new ToolRefusal(`${path} has ${lines.length} lines, there is no line ${line} to insert after`);
  const newline = hasMostlyCrlf(text) ? '\r\n' : '\n';
  const before = lines.slice(0, line).join('');
  const opened = before === '' || before.endsWith('\n') ? '' : newline;
  const closed = by.endsWith('\n') ? by : `${by}\n`;
  const put = opened + closed.replaceAll(/\r?\n/g, newline);
  return { text: before + put + lines.slice(line).join(''), line: line + 1 };
}

/** At most two. */
function placesOf(text: string, wanted: string): Span[] {
  const asItStands = startsOf(text, wanted)
    .filter(start => !(wanted.startsWith('\n') && text[start - 1] === '\r'))
    .map(start => ({ start, end: start + wanted.length }));
  if (asItStands.length > 0 || !wanted.includes('\n') || !text.includes('\r\n')) return asItStands;
  return startsOf(text.replaceAll('\r\n', '\n'), wanted).map(start => ({
    start: withReturns(text, start),
    end: withReturns(text, start + wanted.length),
  }));
}

function startsOf(text: string, wanted: string): number[] {
  const first = text.indexOf(wanted);
  return first < 0 ? [] : [first, text.indexOf(wanted, first + 1)].filter(at => at >= 0);
}

/** The index in `text` of what has index `at` once each \r\n is \n. */
function withReturns(text: string, at: number): number {
  let dropped = 0;
  for (
    let next = text.indexOf('\r\n');
    next >= 0 && next - dropped < at;
    next = text.indexOf('\r\n', next + 1)
  )
    dropped++;
  return at + dropped;
}

const hasMostlyCrlf = (text: string) => 2 * text.split('\r\n').length > text.split('\n').length + 1;
