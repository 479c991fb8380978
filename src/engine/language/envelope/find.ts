// Where the `<result>` envelopes of a reply stand. Each search passes over the text once, whatever the text is.
import { closesFence, fenceAt, markdownLines } from '../../../lib/markdown.ts';
import { balanced, type Structure } from './balanced.ts';
import { commentsIn } from './comments.ts';
import { lenientParts } from './tags.ts';

/** An envelope at its place in the text. */
export interface Found extends Structure {
  at: number;
  /** Every tag is closed in its turn; otherwise the parts are guessed, and it goes as far as the text does. */
  isBalanced: boolean;
  /** Of one whose tags do not balance: where another begins behind it. */
  other?: number;
}

/** The opening of an envelope at the beginning of a line. */
const openings = /^[ \t]*<result(?:\s[^<>]*)?(?:>|(?=<))/gm;
const tag = /<result((?:\s[^<>]*)?)(?:>|(?=<))/y;
const closings = /<\/result\s*>/g;

/** The envelopes outside of code, in order: what stands in code is quoted, and what one of them holds is content. */
export function envelopesIn(text: string, names: readonly string[], warnings: string[]): Found[] {
  const found: Found[] = [];
  if (!text.includes('<result')) return found;
  if (text.startsWith('<result')) {
    const whole = envelopeAt(text, 0);
    if (whole) found.push(whole);
    if (whole?.end === text.trimEnd().length) return found;
  }
  let isCode: ((offset: number) => boolean) | undefined;
  const lenient: number[] = [];
  let past = found.at(-1)?.end ?? 0;
  const follow = () => {
    for (let next = openingAt(text, past); next !== undefined; next = openingAt(text, past)) {
      const envelope = envelopeAt(text, next);
      if (!envelope) return;
      found.push(envelope);
      past = envelope.end;
    }
  };
  if (past > 0) follow();
  for (const mark of text.matchAll(openings)) {
    const at = mark.index + mark[0].indexOf('<');
    if (at < past) continue;
    // White space at the beginning indents nothing.
    if (at > 0 && (isCode ??= codeIn(text))(mark.index)) continue;
    const envelope = lenient.length === 0 ? envelopeAt(text, at) : undefined;
    if (!envelope) lenient.push(at);
    else {
      found.push(envelope);
      past = envelope.end;
      follow();
    }
  }
  const [first, other] = lenient;
  if (first !== undefined)
    found.push({ ...guessed(text, first, names, warnings), ...(other !== undefined && { other }) });
  return found;
}

/** Where an envelope begins behind `past`, with nothing but white space between. */
function openingAt(text: string, past: number): number | undefined {
  const behind = /\s*/y;
  behind.lastIndex = past;
  behind.exec(text);
  tag.lastIndex = behind.lastIndex;
  return tag.test(text) ? behind.lastIndex : undefined;
}

/** The envelope that begins at `at`, where its tags balance. */
export function envelopeAt(text: string, at: number): Found | undefined {
  const structure = balanced(text, at);
  if (!structure) return undefined;
  // A beginning that lacks its > may be begun again: what both say counts.
  const begun = attributesAt(text, at);
  const attributes = begun === structure.attributes ? begun : `${begun} ${structure.attributes}`;
  return { ...structure, at, attributes, isBalanced: true };
}

function attributesAt(text: string, at: number): string {
  tag.lastIndex = at;
  return (tag.exec(text)?.[1] ?? '').replace(/\/$/, '');
}

/** The envelope that begins at `at` and whose tags do not balance: it ends with the last `</result>`. */
function guessed(text: string, at: number, names: readonly string[], warnings: string[]): Found {
  tag.lastIndex = at;
  const whole = tag.exec(text)?.[0] ?? '';
  if (!whole.endsWith('>')) warnings.push('the tag <result lacks its >');
  const from = at + whole.length;
  closings.lastIndex = from;
  let closing: RegExpExecArray | undefined;
  for (let each = closings.exec(text); each; each = closings.exec(text)) closing = each;
  if (!closing) warnings.push('<result> is not closed');
  const parts = lenientParts(text, from, closing?.index ?? text.length, names);
  return {
    ...parts,
    at,
    attributes: attributesAt(text, at),
    end: closing ? closing.index + closing[0].length : text.length,
    isClosed: closing !== undefined,
    isBalanced: false,
  };
}

/** The one envelope of a text without any outside of code: in code that the text ends with, and not another kind's. */
export function envelopeAtEnd(text: string, warnings: string[]): Found | undefined {
  const marks = [...text.matchAll(openings)];
  const [first] = marks;
  const found = first && envelopeAt(text, first.index + first[0].indexOf('<'));
  if (!first || !found || marks.some(each => each.index > found.end)) return undefined;
  const after = text.slice(found.end).trim();
  const fenceLine = text.slice(0, first.index).trimEnd();
  const at = fenceLine.lastIndexOf('\n') + 1;
  const fence = fenceAt(fenceLine.slice(at));
  const isWhole = after === '' || (fence && !after.includes('\n') && closesFence(after, fence));
  if (!isWhole || (fence && after !== '' && !/^\s*(?:xml)?\s*$/i.test(fence.info))) return undefined;
  warnings.push('the envelope stands in code at the end of the reply; it is read all the same');
  return { ...found, at: after === '' ? found.at : at, end: text.length };
}

/**
 * Whether an offset stands in a line of code or of a comment; offsets that are asked for never get smaller. A fence that nothing
 * closes is none here: it would hide the answer of a model that forgot to close it.
 */
function codeIn(text: string): (offset: number) => boolean {
  const { lines, open } = markdownLines(text);
  const isComment = commentsIn(text);
  let at = -1;
  let isCode = false;
  let continues = false; // an indented line that goes on with a paragraph is no code, nor are those after it
  return offset => {
    while (at + 1 < lines.length && lines[at + 1]!.start <= offset) {
      const { kind, number, begins } = lines[++at]!;
      continues = kind === 'indented' && (continues || !begins);
      const isIndented = kind === 'indented' && !continues;
      isCode = kind === 'fenced' ? !open || number < open.line : isIndented;
    }
    return isCode || isComment(offset);
  };
}

const beginsAsPart = /^<\/?(?:content|output|notes|criteria)(?:\s[^<>]*)?>/;

/** Half an envelope: it begins with a part, and ends as an envelope or has an output that was asked for. */
export function halfEnvelope(text: string, names: readonly string[], warnings: string[]): Found | undefined {
  if (!beginsAsPart.test(text)) return undefined;
  const whole = text.trimEnd();
  const isClosed = whole.endsWith('</result>');
  if (!isClosed && !names.some(name => whole.includes(`<output name="${name}"`))) return undefined;
  warnings.push('the reply has no <result> around its parts');
  const parts = lenientParts(text, 0, isClosed ? whole.length - '</result>'.length : whole.length, names);
  return { ...parts, at: 0, attributes: '', end: text.length, isClosed, isBalanced: false };
}
