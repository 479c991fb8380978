// Where the `<result>` of a reply stands. Each search passes over the text once, whatever the text is.
import { closesFence, fenceAt, markdownLines } from '../../lib/markdown.ts';
import { fenceAround } from './parts.ts';

export interface Found extends Written {
  /** The text before the envelope and that after it. */
  before: string;
  after: string;
  isClosed: boolean;
  /** It stands in code, and may be quoted. */
  inCode?: true;
  /** The other envelopes outside of code, in `before`. */
  others: Written[];
}

export interface Written {
  /** The attributes of `<result>`, as written. */
  attributes: string;
  inner: string;
}

/** The opening of an envelope at the beginning of a line, or a closing anywhere. */
const marks = /^[ \t]*<result(\s[^<>]*)?(?:>|(?=<))|<\/result\s*>/gm;

interface Opening {
  from: number;
  to: number;
  attributes: string;
  /** Whether the tag itself is whole. */
  isWhole: boolean;
  /** Counts the closings before it, of which the last is `closingBefore`. */
  closings: number;
  closingBefore: Closing | undefined;
}

interface Closing {
  from: number;
  to: number;
}

/**
 * The last envelope at the top of the text, outside of code: what stands in code is quoted, and one inside another is
 * content. Where there is no other, one in code at the end counts, with a warning. Without any, half an envelope counts where it cannot be another document: `declared` are the outputs that
 * were asked for.
 */
export function findEnvelope(
  text: string,
  declared: readonly string[],
  warnings: string[],
): Found | undefined {
  // White space at the beginning indents nothing.
  const whole = text.trimStart();
  const first = whole.indexOf('<result');
  if (first < 0) return withoutResult(text, declared, warnings);
  return (first === 0 ? soundEnvelope(whole) : inFence(whole)) ?? searched(whole, warnings);
}

const soundOpening = /^<result(\s[^<>]*)?>/;

/** The usual case, where nothing is to be searched: one envelope and nothing else. */
function soundEnvelope(text: string): Found | undefined {
  const opening = soundOpening.exec(text);
  const trimmed = text.trimEnd();
  if (!opening || !trimmed.endsWith('</result>') || text.includes('<result', 1)) return undefined;
  const inner = trimmed.slice(opening[0].length, -'</result>'.length);
  return { before: '', after: '', attributes: opening[1] ?? '', inner, isClosed: true, others: [] };
}

/** A fence as the whole reply, in which there are other fences, but nothing besides one envelope. */
function inFence(text: string): Found | undefined {
  const inside = fenceAround(text)?.inside.trim();
  if (inside === undefined || inside.indexOf('</result') !== inside.length - '</result>'.length)
    return undefined;
  return soundEnvelope(inside);
}

function searched(text: string, warnings: string[]): Found | undefined {
  const outside: Opening[] = [];
  const quoted: Opening[] = [];
  const isCode = codeIn(text);
  let closings = 0;
  let lastClosing: Closing | undefined;
  for (const mark of text.matchAll(marks)) {
    const to = mark.index + mark[0].length;
    if (mark[0].startsWith('</')) {
      closings++;
      lastClosing = { from: mark.index, to };
    } else {
      const isWhole = mark[0].endsWith('>');
      const attributes = mark[1] ?? '';
      const opening = { from: mark.index, to, attributes, isWhole, closings, closingBefore: lastClosing };
      (isCode(mark.index) ? quoted : outside).push(opening);
    }
  }
  if (outside.length === 0) return inCodeAtEnd(text, atTop(quoted), lastClosing, warnings);

  const top = atTop(outside);
  const opening = top.pop();
  if (!opening) return undefined;
  if (top.length > 0) warnings.push('the reply holds more than one envelope; the last one counts');
  if (!opening.isWhole) warnings.push('the tag <result lacks its >');
  const closing = lastClosing && lastClosing.from >= opening.to ? lastClosing : undefined;
  if (!closing) warnings.push('<result> is not closed');
  return {
    before: text.slice(0, opening.from),
    after: closing ? text.slice(closing.to) : '',
    attributes: opening.attributes,
    inner: text.slice(opening.to, closing?.from),
    isClosed: closing !== undefined,
    others: top.map(({ to, attributes }, index) => ({
      attributes,
      inner: text.slice(to, (top[index + 1] ?? opening).closingBefore?.from),
    })),
  };
}

/** The one envelope of a text that stands in code which ends with it, and the text with it. */
function inCodeAtEnd(
  text: string,
  [opening, second]: readonly Opening[],
  closing: Closing | undefined,
  warnings: string[],
): Found | undefined {
  if (!opening?.isWhole || second || !closing || closing.from < opening.to) return undefined;
  let before = text.slice(0, opening.from).trimEnd();
  const after = text.slice(closing.to).trim();
  if (after !== '') {
    const lineBegin = before.lastIndexOf('\n') + 1;
    const fence = fenceAt(before.slice(lineBegin));
    if (!fence || after.includes('\n') || !closesFence(after, fence)) return undefined;
    before = before.slice(0, lineBegin);
  }
  warnings.push('the envelope stands in code at the end of the reply; it is read all the same');
  const { attributes, to } = opening;
  return {
    before,
    after: '',
    attributes,
    inner: text.slice(to, closing.from),
    isClosed: true,
    inCode: true,
    others: [],
  };
}

/**
 * Whether an offset stands in a line of code; offsets that are asked for never get smaller. A fence that nothing
 * closes is none here: it would hide the answer of a model that forgot to close it.
 */
function codeIn(text: string): (offset: number) => boolean {
  const { lines, open } = markdownLines(text);
  let at = -1;
  let isCode = false;
  let continues = false; // an indented line that goes on with a paragraph is no code, nor are those after it
  return offset => {
    while (at + 1 < lines.length && lines[at + 1]!.start <= offset) {
      const { kind, number, begins } = lines[++at]!;
      continues = kind === 'indented' && (continues || !begins);
      isCode = kind === 'fenced' ? !open || number < open.line : kind === 'indented' && !continues;
    }
    return isCode;
  };
}

/** The openings that no other one holds: after each, a closing comes before the next. */
function atTop(openings: readonly Opening[]): Opening[] {
  const top: Opening[] = [];
  for (const opening of openings) if (top.at(-1)?.closings !== opening.closings) top.push(opening);
  return top;
}

const beginsAsPart = /^\s*<\/?(?:content|output|notes|criteria)(?:\s[^<>]*)?>/;

/** Half an envelope: it begins with a part, and ends as an envelope or has an output that was asked for. */
function withoutResult(text: string, declared: readonly string[], warnings: string[]): Found | undefined {
  if (!beginsAsPart.test(text)) return undefined;
  const whole = text.trimEnd();
  const isClosed = whole.endsWith('</result>');
  if (!isClosed && !declared.some(name => whole.includes(`<output name="${name}"`))) return undefined;
  warnings.push('the reply has no <result> around its parts');
  const inner = isClosed ? whole.slice(0, -'</result>'.length) : whole;
  return { before: '', after: '', attributes: '', inner, isClosed, others: [] };
}
