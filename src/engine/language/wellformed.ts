// Finds what keeps a source from being well-formed XML and mends it, so that one pass can report everything.
// The mended text is for the parser only: a source with a problem never becomes a program.
import { nearest } from '../../lib/nearest.ts';
import type { ProblemKind } from './problem.ts';

/** Elements nested deeper than this are refused: no program needs it, and it bounds every recursion. */
const DEPTH_LIMIT = 50;

interface Edit {
  at: number;
  remove: number;
  insert: string;
}

export interface Mended {
  text: string;
  /** Offset in `text` -> offset in the source. */
  original: (offset: number) => number;
  /**
   * Where `text` breaks off, since nothing after that place could be made sense of, which has been reported; only the
   * closing tags of what is open there follow. Undefined: it is whole.
   */
  cut: number | undefined;
}

/** What XML allows a name to begin with, and to have besides. */
const nameStart =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const nameRest = '\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040';

const closing = /<\/([^\s<>/]*)\s*>/y;
const opening = new RegExp(`<([${nameStart}][${nameStart}${nameRest}]*)`, 'uy');
const ampersand = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)(\w{1,40};)?/g;

/** The declaration at the begin of a source, with the encoding that it names. */
const declaredEncoding = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'?>]*)["']/d;

/** `report` takes an offset in the source. `place` words an offset as line:column for use inside a message. */
export function mend(
  source: string,
  report: (offset: number, message: string, kind?: ProblemKind) => void,
  place: (offset: number) => string,
): Mended {
  const edits: Edit[] = [];
  const open: { name: string; at: number }[] = [];
  let at = 0;

  const declared = declaredEncoding.exec(source);
  if (declared && declared[1]!.toLowerCase() !== 'utf-8')
    report(
      declared.indices![1]![0],
      `a program is read as UTF-8, not as "${declared[1]!.slice(0, 60)}": save it as UTF-8, and leave the encoding out`,
    );

  let nextAmpersand = source.indexOf('&');
  const ampersands = (from: number, to: number) => {
    if (nextAmpersand >= 0 && nextAmpersand < from) nextAmpersand = source.indexOf('&', from);
    if (nextAmpersand < 0 || nextAmpersand >= to) return;
    for (const match of source.slice(from, to).matchAll(ampersand)) {
      report(
        from + match.index,
        match[1] === undefined ? 'a bare &: write &amp;' : `unknown entity &${match[1]} write &amp;`,
      );
      edits.push({ at: from + match.index + 1, remove: 0, insert: 'amp;' });
    }
  };
  const done = (whole: boolean): Mended => {
    let added = 0;
    for (const { name, at: opened } of open.reverse()) {
      if (whole) report(opened, `<${name}> is not closed`);
      const insert = `</${name}>`;
      edits.push({ at: source.length, remove: 0, insert });
      added += insert.length;
    }
    const mended = apply(source, edits);
    return { ...mended, cut: whole ? undefined : mended.text.length - added };
  };

  for (;;) {
    const next = source.indexOf('<', at);
    ampersands(at, next < 0 ? source.length : next);
    if (next < 0) return done(true);
    at = next;
    const section = sections.find(({ start }) => source.startsWith(start, next));
    if (section) {
      const end = source.indexOf(section.end, next + section.start.length);
      if (end < 0) {
        report(next, `${section.what} is not closed with ${section.end}`);
        edits.push({ at: next, remove: source.length - next, insert: '' });
        return done(false);
      }
      at = end + section.end.length;
      if (section.start === '<?' && !(next === 0 && source.startsWith('<?xml ')))
        report(next, 'processing instructions are not allowed', 'error');
      if (section.start === '<?' && next > 0) edits.push({ at: next, remove: at - next, insert: '' });
      continue;
    }
    if (source.startsWith('<!', next)) {
      report(next, 'declarations such as DOCTYPE are not allowed', 'error');
      at = declarationEnd(source, next);
      edits.push({ at: next, remove: at - next, insert: '' });
      continue;
    }
    closing.lastIndex = next;
    const close = closing.exec(source);
    if (close) {
      at = closing.lastIndex;
      closeTag(close[1]!, next, at - next);
      continue;
    }
    opening.lastIndex = next;
    const name = opening.exec(source)?.[1];
    if (name === undefined) {
      report(next, 'a bare <: write &lt;, or wrap the text in <![CDATA[ ]]>');
      edits.push({ at: next, remove: 1, insert: '&lt;' });
      at = next + 1;
      continue;
    }
    const end = tagEnd(name, next);
    if (end === undefined) return done(false);
    ampersands(next, end.at);
    at = end.at;
    if (end.selfClosing) continue;
    open.push({ name, at: next });
    if (open.length > DEPTH_LIMIT) {
      report(next, `elements are nested deeper than ${DEPTH_LIMIT}`, 'error');
      edits.push({ at, remove: source.length - at, insert: '' });
      return done(false);
    }
  }

  function closeTag(name: string, from: number, length: number) {
    const top = open.at(-1);
    const index = open.findLastIndex(each => each.name === name);
    if (index >= 0) {
      for (const left of open.splice(index + 1).reverse()) {
        report(
          left.at,
          `<${left.name}> is not closed (</${name}> at ${place(from)} closes the <${name}> around it)`,
        );
        edits.push({ at: from, remove: 0, insert: `</${left.name}>` });
      }
      open.pop();
    } else if (top && nearest(name, [top.name]).length > 0) {
      report(top.at, `<${top.name}> is not closed: </${name}> at ${place(from)} does not match it`);
      edits.push({ at: from, remove: length, insert: `</${top.name}>` });
      open.pop();
    } else {
      report(from, `</${name}> closes nothing that is open`);
      edits.push({ at: from, remove: length, insert: '' });
    }
  }

  /** The end of the tag that begins at `from`; quotes are followed so that a > in a value does not end it. */
  function tagEnd(name: string, from: number): { at: number; selfClosing: boolean } | undefined {
    let i = from + 1 + name.length;
    for (; i < source.length; i++) {
      const char = source[i]!;
      if (char === '>') return { at: i + 1, selfClosing: source[i - 1] === '/' };
      if (char === '<') break;
      if (char !== '"' && char !== "'") continue;
      const quote = i;
      let early = -1; // the first > inside the quotes: most likely the end of the tag when a quote is missing
      for (i++; i < source.length && source[i] !== char; i++) {
        if (source[i] === '>' && early < 0) early = i;
        if (source[i] !== '<') continue;
        if (early >= 0) {
          report(quote, `the attribute value that begins here is not closed with ${char}`);
          edits.push({ at: early, remove: 0, insert: char });
          return { at: early + 1, selfClosing: source[early - 1] === '/' };
        }
        report(i, 'a bare < in an attribute value: write &lt;');
        edits.push({ at: i, remove: 1, insert: '&lt;' });
      }
      if (i < source.length) continue;
      report(quote, `the attribute value that begins here is not closed with ${char}`);
      edits.push({ at: from, remove: source.length - from, insert: '' });
      return undefined;
    }
    report(from, `the tag <${name} is not closed with >`);
    edits.push({ at: i, remove: 0, insert: '>' });
    return { at: i, selfClosing: false };
  }
}

const sections = [
  { start: '<!--', end: '-->', what: 'the comment' },
  { start: '<![CDATA[', end: ']]>', what: 'the CDATA section' },
  { start: '<?', end: '?>', what: 'the processing instruction' },
];

/** Past the > that ends a declaration; one inside [ ] (an internal subset) does not. */
function declarationEnd(source: string, from: number): number {
  let depth = 0;
  for (let i = from; i < source.length; i++) {
    if (source[i] === '[') depth++;
    else if (source[i] === ']') depth--;
    else if (source[i] === '>' && depth <= 0) return i + 1;
  }
  return source.length;
}

function apply(source: string, edits: Edit[]): { text: string; original: (offset: number) => number } {
  if (edits.length === 0) return { text: source, original: offset => offset };
  edits.sort((a, b) => a.at - b.at); // stable: edits at one place stay in the order they were made
  const pieces: string[] = [];
  // From `text` on, an offset stands for `source` (inside an insertion) or runs along with it.
  const marks: { text: number; source: number; inserted: boolean }[] = [];
  let from = 0;
  let length = 0;
  for (const edit of edits) {
    if (edit.at < from) continue;
    pieces.push(source.slice(from, edit.at), edit.insert);
    length += edit.at - from;
    marks.push({ text: length, source: edit.at, inserted: true });
    length += edit.insert.length;
    from = edit.at + edit.remove;
    marks.push({ text: length, source: from, inserted: false });
  }
  pieces.push(source.slice(from));
  return {
    text: pieces.join(''),
    original: offset => {
      const mark = marks.findLast(each => each.text <= offset);
      if (!mark) return offset;
      return mark.inserted ? mark.source : mark.source + offset - mark.text;
    },
  };
}
