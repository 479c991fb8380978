// The lines of a comment that say something in plain words of its author's own, as GitHub shows them.
import MarkdownIt, { type StateBlock, type Token } from 'markdown-it';

export interface PlainLine {
  /** From 1. */
  number: number;
  /** As written, without its line end. */
  text: string;
}

/**
 * Characters that mean something to Markdown, line ends among them, up to which a comment is read: its parser needs
 * some microseconds for each, and nothing that others write may hold the process for 50 ms. A comment of a person has
 * a few hundred.
 */
export const MAX_MARKS = 6000;

const marks = new Set('[]!*_`<>~|#\\\n\r'.split('').map(mark => mark.charCodeAt(0)));

/** True if a comment has more Markdown than is read. */
export function isIntricate(body: string): boolean {
  let count = 0;
  for (let at = 0; at < body.length && count <= MAX_MARKS; at += 1)
    if (marks.has(body.charCodeAt(at))) count += 1;
  return count > MAX_MARKS;
}

/** Parts of a paragraph or of a heading that end a line. */
const lineEnds = new Set(['softbreak', 'hardbreak']);

/**
 * The lines that begin with `/` behind white space and stand as plain text in a paragraph: not in code, quotes,
 * tables, footnotes, links, images or emphasis, nor behind anything of HTML that is still open. Linear in the text, which must not be intricate.
 */
export function slashLines(body: string): PlainLine[] {
  const lines = body.split(/\r\n?|\n/);
  if (!lines.some(startsWithSlash)) return [];
  // Each such line carries its number behind its slash, so that it is known again wherever Markdown puts it.
  const numbered = lines.map((line, index) =>
    startsWithSlash(line) ? unmarked(line).replace('/', `/${open}${index}${close}`) : unmarked(line),
  );
  const found: PlainLine[] = [];
  for (const index of shownPlain(reader.parse(numbered.join('\n'), {})))
    found.push({ number: index + 1, text: lines[index] ?? '' });
  return found;
}

/** Private-use characters, which Markdown gives no meaning. */
const open = '\ue000';
const close = '\ue001';
const ours = /^\s*\/\ue000(\d+)\ue001/;

const unmarked = (line: string) => line.replace(/[\ue000\ue001]/g, '\ufffd');
const startsWithSlash = (line: string) => /^\s*\//.test(line);

// An entity could spell our mark.
const reader = new MarkdownIt('default', { html: true }).disable('entity');
// GitHub's footnotes: one ends where a line that is not indented follows a blank one.
reader.block.ruler.before('reference', 'footnote', footnote, {
  alt: ['paragraph', 'reference', 'blockquote', 'list'],
});

function footnote(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const indent = (line: number) => (state.sCount[line] ?? 0) - state.blkIndent;
  if (indent(start) >= 4) return false;
  const text = state.src.slice((state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0), state.eMarks[start]);
  if (!/^\[\^[^\]\s]+\]:/.test(text)) return false;
  if (silent) return true;
  let line = start + 1;
  while (line < end && !(state.isEmpty(line - 1) && !state.isEmpty(line) && indent(line) < 4)) line += 1;
  state.line = line;
  return true;
}

/** Numbers of the lines that are shown as plain text, in their order. */
function* shownPlain(tokens: readonly Token[]): Generator<number> {
  const html = new OpenElements();
  let quotes = 0;
  let block = '';
  for (const { type, nesting, content, children } of tokens) {
    if (type === 'blockquote_open' || type === 'blockquote_close') quotes += nesting;
    else if (type === 'html_block') html.pass(content);
    else if (nesting === 1) block = type;
    else if (type === 'inline') {
      html.endParagraph();
      const isProse = block === 'paragraph_open' || block === 'heading_open';
      yield* plainIn(children ?? [], html, isProse && quotes === 0);
    }
  }
}

function* plainIn(parts: readonly Token[], html: OpenElements, isProse: boolean): Generator<number> {
  let depth = 0;
  let begins = true;
  for (const { type, nesting, content } of parts) {
    depth += nesting;
    const number = type === 'text' ? ours.exec(content)?.[1] : undefined;
    if (number !== undefined && begins && isProse && depth === 0 && html.none) yield Number(number);
    if (type === 'html_inline') html.pass(content);
    // An unclosed comment is text to Markdown, but may be a comment to another reader.
    if (type === 'text' && content.includes('<!--')) html.pass('<!--');
    begins = lineEnds.has(type);
  }
}

/** A comment, or a tag as HTML reads it, also one that the text breaks off. */
const piece =
  /<!--(?:-?>|[\s\S]*?(?:-->|$))|<(\/?)([a-z][^\s/>]*)(?:[\s/]+|[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'>][^\s>]*)?)?)*(>|$)/gi;

const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements whose end may be left out: the end of what is around them ends them. */
const endLeftOut = new Set(
  'p li dt dd tr td th thead tbody tfoot caption colgroup option optgroup'.split(' '),
);

/** Elements within each other. */
const MAX_DEPTH = 100;

/** The elements of HTML that are open at a place of the text: behind them nothing is sure to be seen. */
class OpenElements {
  #open: string[] = [];

  get none(): boolean {
    return this.#open.length === 0;
  }

  /** Deeper than anyone means it nothing is followed any more, and all stays open. */
  #push(name: string): void {
    if (this.#open.length < MAX_DEPTH) this.#open.push(name);
    else this.#open[0] = '!--';
  }

  /** Another paragraph ends one that HTML left open. */
  endParagraph(): void {
    if (this.#open.at(-1) === 'p') this.#open.pop();
  }

  pass(source: string): void {
    for (const [whole, slash, tag, end] of source.matchAll(piece)) {
      const name = tag?.toLowerCase();
      if (name === undefined) {
        if (!/--?>$/.test(whole)) this.#push('!--');
      } else if (slash === '') {
        if (!empty.has(name) || end !== '>') this.#push(name);
      } else this.#close(name);
    }
  }

  /** An end that fits nothing ends nothing. */
  #close(name: string): void {
    const at = this.#open.lastIndexOf(name);
    if (at >= 0 && this.#open.slice(at + 1).every(each => endLeftOut.has(each))) this.#open.length = at;
  }
}
