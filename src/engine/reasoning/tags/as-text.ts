// Detects a reply that writes its operations as text: tags that nothing carries out.
import { operationTags } from './forms.ts';
import { Prose } from './prose.ts';

/** An opening tag of an operation, with two braces or one; of names that no other language has, without any. */
const OPENING = new RegExp(
  `(?:\\{{1,2}<(?:${operationTags.join('|')})|<(?:final_output|js_execute|datavault))(?=[\\s/>])`,
  'g',
);
/** Tags that are looked at one by one, each with a search through the text. */
const LOOKED_AT = 20;

/**
 * True if the tags of a reply without operations look like text by mistake: with single braces, behind a stray
 * backtick, in a fence that is never closed, or in a reply that is only code or a quote. A tag quoted among other
 * words does not count: models are told to quote that way.
 */
export function tagsStandAsText(text: string): boolean {
  const openings = [...text.matchAll(OPENING)].map(({ index }) => index);
  const last = openings.at(-1);
  if (last === undefined) return false;
  const prose = new Prose(text);
  for (const [at, open] of openings.entries()) {
    const place = prose.placeOf(open);
    if (
      (place === 'prose' && !isInQuotes(text, open)) ||
      (place === 'code' && at < LOOKED_AT && !isSpanClosed(text, open))
    )
      return true;
  }
  return prose.openFence(text.length) <= last || (isOnlyCode(text) && openings.some(beginsIn(text)));
}

/** True if a straight quote precedes the tag and another follows its block or the tag itself. */
function isInQuotes(text: string, open: number): boolean {
  const quote = text[open - 1];
  if (quote !== '"' && quote !== "'") return false;
  return text.slice(open, open + LONGEST_QUOTE).includes(`}${quote}`);
}

/** Characters in which a quoted tag has to end. */
const LONGEST_QUOTE = 1000;

/** True if a backtick is on the line where the block ends that begins at `open`. */
function isSpanClosed(text: string, open: number): boolean {
  const name = /[a-z_]+/.exec(text.slice(open, open + 64))?.[0] ?? '';
  const line = text.indexOf('\n', open);
  const close = text.indexOf(`</${name}>}`, open);
  const end = close < 0 ? open : close;
  const lineEnd = line >= end || line < 0 ? line : text.indexOf('\n', end);
  return text.slice(end, lineEnd < 0 ? undefined : lineEnd).includes('`');
}

/** True if every line is in or marks a fence, is a quote or is empty, or if the whole is one code span. */
function isOnlyCode(text: string): boolean {
  const whole = text.trim();
  if (/^`+[^`]/.test(whole) && whole.endsWith('`') && !whole.startsWith('```')) return true;
  const prose = new Prose(text);
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    // A fence's first mark is not yet within it, its last one no more at its end.
    const isCode = prose.placeOf(start) !== 'prose';
    const endsInCode = prose.placeOf(end) === 'fence';
    if (line.trim() !== '' && !isCode && !endsInCode) return false;
    start = end + 1;
  }
  return true;
}

/** True if only blanks and marks of code and quotes precede `open` on its line, so it is not in a JSON string. */
const beginsIn =
  (text: string) =>
  (open: number): boolean => {
    const before = text.slice(Math.max(0, open - INDENT), open);
    return /^[\s>`]*$/.test(before.slice(before.lastIndexOf('\n') + 1));
  };
/** Characters before a tag that are looked at. */
const INDENT = 200;
