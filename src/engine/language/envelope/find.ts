// Finds the `<result>` envelopes of a reply. Each search passes over the text once, whatever the text is.
import { closesFence, fenceAt, markdownLines } from '@echelon/ground';
import { balanced, type Structure, type Unbalanced } from './balanced.ts';
import { commentsIn } from './json-blocks.ts';

/** An envelope at its place in the text. */
export interface Found extends Structure {
  at: number;
}

/** The opening of an envelope at the beginning of a line. */
const openings = /^[ \t]*<result(?:\s[^<>]*)?(?:>|(?=<))/gm;
const opening = /\s*(?=<result[\s>])/y;

/**
 * The envelopes outside of code, in order: what stands in code is quoted, and what one of them holds is content.
 * `broken`: the first whose tags do not balance.
 */
export function envelopesIn(text: string): { found: Found[]; broken?: Unbalanced } {
  const found: Found[] = [];
  if (!text.includes('<result')) return { found };
  let broken: Unbalanced | undefined;
  let past = 0;
  /** Takes the envelope at `at`, and those behind it with nothing but white space between. */
  const take = (at: number) => {
    for (let next: number | undefined = at; next !== undefined; next = openingAt(text, past)) {
      const structure = balanced(text, next);
      if ('wrong' in structure) {
        broken ??= structure;
        return;
      }
      found.push({ ...structure, at: next });
      past = structure.end;
    }
  };
  if (text.startsWith('<result')) take(0);
  if (past === text.trimEnd().length) return { found };
  let isCode: ((offset: number) => boolean) | undefined;
  for (const mark of text.matchAll(openings)) {
    const at = mark.index + mark[0].indexOf('<');
    if (at < past || (at === 0 && broken)) continue;
    // Nothing behind a broken one is told apart from its parts.
    if (broken) break;
    // White space at the beginning indents nothing.
    if (at > 0 && (isCode ??= codeIn(text))(mark.index)) continue;
    take(at);
  }
  return { found, ...(broken && { broken }) };
}

/** Offset of an envelope that begins at or after `past`, with only white space before it. */
function openingAt(text: string, past: number): number | undefined {
  opening.lastIndex = past;
  return opening.test(text) ? opening.lastIndex : undefined;
}

/** The envelope that begins at `at`, where its tags balance. */
export function envelopeAt(text: string, at: number): Found | undefined {
  const structure = balanced(text, at);
  return 'wrong' in structure ? undefined : { ...structure, at };
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
 * Returns a test for offsets in a line of code or of a comment. Offsets must be passed in ascending order. An unclosed
 * fence does not count: it would hide the answer of a model that forgot to close it.
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
