// Text of models and people, made safe to post (`neutral`, `fenced`, `clip`) and safe to read to a model.
import { inlineCode, markdownLines, seen, shortened, withoutColours } from '@echelon/ground';

/** Zero-width space: breaks what a program would read, and people do not see it. */
const gap = '\u200b';

const lineEnds = /\r\n|[\r\x0b\x0c\x85\u2028\u2029]/g;

/** Hosts whose links stay links. Every other address is text: a link may lie, and tells its host who followed it. */
const ownHost = /^https:\/\/(?:docs\.)?github\.com(?=[/?#\s)\]>"']|\.?(?:\s|$))/i;
const ownTarget = /^(?:https:\/\/(?:docs\.)?github\.com(?=[/?#]|$)|(?!\/\/))[\w./#?=%-]*$/i;

/** Words by which a commit message skips checks, as the services that read it name them. */
const skipped =
  '(?:ci|cd|actions?|checks?|builds?|tests?|deploy(?:s|ment)?|pipelines?|workflows?|travis(?:[ -]?ci)?|circle(?:[ -]?ci)?|appveyor|az(?:ure)?[ -]?p(?:ipelines)?|jenkins|buildkite|drone|semaphore|bitrise|netlify|vercel|amplify|render|(?:cf[ -])?pages|preview)';
const skipping = new RegExp(
  `\\[(?=\\s{0,3}(?:(?:skip|no)[\\s_-]{1,3}${skipped}\\b[^\\]\\n]{0,30}|${skipped}[\\s_-]{1,3}skip)\\s{0,3}\\])`,
  'gi',
);

const closing =
  /(?<![\p{L}\p{N}])(clos(?:e[sd]?)|fix(?:e[sd])?|resolve[sd]?)(?=[^\p{L}\p{N}#]{0,20}(?:#\d|gh-\d|[\w.-]{1,100}(?:\/[\w.-]{1,100})?#\d|https?:))/giu;

/**
 * The same text to a reader, and nothing to a program: no line that is a command (ours or another bot's) or a
 * workflow command, no HTML, no marker of a record, no mention, no closing word before the reference of an issue,
 * no trailer of a commit and no word that skips its checks, no image, no link to other hosts. A fence that is left
 * open is closed. Idempotent, and linear in the text.
 */
export function neutral(text: string): string {
  const plain = seen(withoutColours(text.replace(lineEnds, '\n'))).text;
  const { lines, open } = markdownLines(plain);
  const out = lines.map(({ kind, outermost, text: line }) => {
    if (line === '') return line;
    if (kind === 'fenced' && outermost) return inAnyLine(line);
    // Fences within lists, and indented code, may be prose to another reader: only what is unseen is put in.
    if (kind === 'fenced' || kind === 'indented') return inAnyLine(inProse(line));
    return inAnyLine(aroundCode(line));
  });
  if (open) out.push(' '.repeat(open.indent) + open.mark);
  return withoutClosing(out.join('\n'));
}

const withoutClosing = (text: string) => text.replace(closing, word => word[0] + gap + word.slice(1));

/** Removes text that no line may hold, code or not: a commit message uses it verbatim. */
function inAnyLine(line: string): string {
  return line
    .replaceAll('<!--', `<${gap}!--`)
    .replaceAll('##[', `##${gap}[`)
    .replace(skipping, `[${gap}`)
    .replace(/\*\*\*(?=no_ci\*\*\*)/gi, `***${gap}`)
    .replace(/skip-(?=checks\s{0,9}:)/gi, word => word + gap)
    .replace(/^(\s*[a-z])(?=[a-z-]{1,30}-by\s{0,9}:)/i, `$1${gap}`)
    .replace(/^(\s*):(?=:)/, `$1:${gap}`)
    .replace(/^(\s*)(?=\/[\p{L}\p{N}][^\s/]*\/?(?:\s|$))/u, `$1${gap}`);
}

/** Inline code that lies in one line stays as it is; a backtick that pairs with none in its line is escaped. */
function aroundCode(line: string): string {
  if (!line.includes('`')) return inProse(line);
  const { spans, unmatched } = inlineCode(line);
  const parts: string[] = [];
  let tick = 0;
  let at = 0;
  const prose = (to: number) => {
    let part = '';
    let from = at;
    for (; tick < unmatched.length && unmatched[tick]! < to; tick += 1) {
      part += `${line.slice(from, unmatched[tick]!)}\\\``;
      from = unmatched[tick]! + 1;
    }
    parts.push(inProse(part + line.slice(from, to)));
  };
  for (const [start, end] of spans) {
    prose(start);
    const code = line.slice(start, end);
    // In a table a `|` parts cells before code is looked for.
    parts.push(code.includes('|') ? inProse(code) : code);
    at = end;
  }
  prose(line.length);
  return parts.join('');
}

function inProse(text: string): string {
  return (
    text
      // A link's target may be written with entities and escapes: only plain ones stay.
      .replace(/\](?=\(\s*<?([^\s)>]{0,300})(\)?))/g, (bracket, target: string, end = '') =>
        target.length < 300 && ownTarget.test(target) && (target !== '' || end !== '')
          ? bracket
          : bracket + gap,
      )
      .replace(/\](?=:)/g, `]${gap}`)
      .replace(/!(?=\[)/g, `!${gap}`)
      .replace(/<(?=[\p{L}/!?])/gu, `<${gap}`)
      .replace(/&(?=#|[a-z]\w{0,40};)(?!(?:lt|gt|amp|quot|nbsp);)/gi, `&${gap}`)
      .replace(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9_])/g, `@${gap}`)
      .replace(/:(?=\/\/)/g, (colon, at: number, whole: string) => {
        const scheme = /[a-z][a-z0-9+.-]{0,20}$/i.exec(whole.slice(Math.max(0, at - 21), at));
        const url = whole.slice(at - (scheme?.[0].length ?? 0), at + 100);
        return ownHost.test(url) ? colon : colon + gap;
      })
      .replace(/www(?=\.)/gi, word => word + gap)
  );
}

/**
 * A neutral text in one line, for behind other words in theirs: what would be a block at a line's beginning is none
 * there. White space is collapsed and the text cut to `max` UTF-16 units before it is made neutral.
 */
export function neutralLine(text: string, max = 500): string {
  // Read behind a word, as it will stand.
  return neutral(`x ${shortened(oneLine(text), max)}`).slice(2);
}

/**
 * A neutral title of an issue, a pull request or a commit. Where it is read as plain text nothing of it is code, so
 * that backticks hold nothing back.
 */
export function titleLine(text: string, max = 200): string {
  return withoutClosing(inAnyLine(inProse(`x ${shortened(oneLine(text), max)}`))).slice(2);
}

/** The visible part of a text, in one line. */
export const oneLine = (text: string): string =>
  seen(withoutColours(text).replace(lineEnds, ' ')).text.replace(/\s+/g, ' ').trim();

/**
 * A line as inline code, which a page breaks where it must; nothing of it is changed but what no line may hold. The
 * marks are the shortest run of backticks that the line does not have.
 */
export function codeSpan(line: string): string {
  const runs = new Set((line.match(/`+/g) ?? []).map(({ length }) => length));
  let marks = 1;
  while (runs.has(marks)) marks += 1;
  const mark = '`'.repeat(marks);
  // One space at both ends is taken away by who reads it.
  const pad = /^`|`$|^ .* $/.test(line) || line === '' ? ' ' : '';
  return withoutClosing(inAnyLine(`${mark}${pad}${line}${pad}${mark}`));
}

/** A name in a sentence. */
export const code = (text: string) => codeSpan(oneLine(text));

/**
 * A code block, neutral, with a fence longer than any run of backticks in it. The caller puts it at the beginning
 * of a line.
 */
export const fenced = (text: string): string => neutral(inFence(text.trimEnd()));

/** A text as it is in a code block. */
export function inFence(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** A neutral text as a quote. */
export const quote = (text: string) => text.replaceAll('\t', '    ').replace(/^/gm, '> ');

/** Those that are there. */
export const paragraphs = (all: readonly (string | false | undefined)[]): string =>
  all.filter(Boolean).join('\n\n');

/** GitHub refuses a longer body of an issue, comment or pull request with 422. */
export const MAX_BODY = 65_536;

/**
 * At most `max` UTF-16 units of a neutral text, cut at the end of a line where that costs little, with a note of
 * how many were left out. What is cut stays neutral: no code is left open. `max` below 200 is an error.
 */
export function clip(text: string, max: number): string {
  if (max < 200) throw new Error(`clip: ${max} leaves no room for the note`);
  if (text.length <= max) return text;
  const note = (left: number) => `\n\n(${left} characters left out)`;
  // Room for the note and for a closing fence as long as any that opens before the cut.
  let end = max - note(text.length).length;
  for (let tries = 0; ; tries += 1) {
    let cut = text.slice(0, end);
    const newLine = cut.lastIndexOf('\n');
    if (newLine >= end * 0.9) cut = cut.slice(0, newLine);
    else {
      const lineEnd = text.indexOf('\n', end);
      const line = text.slice(newLine + 1, lineEnd < 0 ? text.length : lineEnd);
      const column = cut.length - newLine - 1;
      const code = inlineCode(line).spans.find(([from, to]) => from < column && column < to);
      if (code) cut = cut.slice(0, newLine + 1 + code[0]);
      // Neither half a character, nor an escape without what it escapes, nor an address without its whole host.
      const host = cut.lastIndexOf('://') + 3;
      if (host > 2 && /^[\w.-]*$/.test(cut.slice(host))) cut = cut.slice(0, host);
      cut = cut
        .replace(/[\ud800-\udbff]$/, '')
        .replace(/\\+$/, '')
        .replace(/(?:https?|ftp):\/{0,2}$/i, '');
    }
    cut = cut.trimEnd();
    const { open } = markdownLines(cut);
    const close = open ? `\n${' '.repeat(open.indent)}${open.mark}` : '';
    const whole = cut + close + note(text.length - cut.length);
    if (whole.length <= max) return whole;
    if (tries > 0) return note(text.length).trim();
    end -= whole.length - max;
  }
}
