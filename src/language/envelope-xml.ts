// The XML form of an envelope, found by its own tags only: a model seldom escapes the code it quotes, so what is
// between the tags is never parsed.
import type { Json } from '../lib/json.ts';
import { type Envelope, isObject, parseJson, statusOf, unfenced } from './envelope-parts.ts';

/** The envelope in `text`: a `<result>` that begins a line outside of code, or that a code fence holds alone. */
export function xmlEnvelope(text: string): Envelope | undefined {
  const whole = unfenced(text);
  const found = find(whole, true) ?? find(whole, false);
  if (!found) return undefined;
  const { before, attributes, inner, after, warnings } = found;
  const parts = readParts(inner, warnings);
  const outside = [before, after].map(each => each.trim());
  if (outside.some(each => each !== ''))
    warnings.push('the text outside the envelope is kept in the content');
  const content = [outside[0]!, ...parts.content, outside[1]!].filter(each => each !== '').join('\n\n');
  const status = attribute(attributes, 'status');
  if (status === undefined) warnings.push('the envelope has no status and is taken as COMPLETE');
  return {
    status: statusOf(status, warnings),
    content,
    criteria: parts.criteria,
    outputs: parts.outputs,
    notes: parts.notes,
    warnings,
  };
}

interface Found {
  before: string;
  attributes: string;
  inner: string;
  after: string;
  warnings: string[];
}

const opening = /^[^\S\n]*<result(\s[^<>]*)?>/gm;

/** The last envelope at the top of the text; one inside another's content is content. */
function find(text: string, outsideCode: boolean): Found | undefined {
  const fences = [...text.matchAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm)];
  const isCode = (at: number) => fences.some(each => each.index < at && at < each.index + each[0].length);
  let start: RegExpMatchArray | undefined;
  let count = 0;
  for (const match of text.matchAll(opening)) {
    const nested =
      start && text.slice(start.index! + start[0].length, match.index).search(/<\/result\s*>/) < 0;
    if (nested || isCode(match.index) === outsideCode) continue;
    start = match;
    count++;
  }
  if (!start) return undefined;
  const warnings = count > 1 ? ['the reply holds more than one envelope; the last one counts'] : [];
  const from = start.index! + start[0].length;
  const close = [...text.slice(from).matchAll(/<\/result\s*>/g)].at(-1);
  if (!close) warnings.push('<result> is not closed');
  let before = text.slice(0, start.index);
  let after = close ? text.slice(from + close.index + close[0].length) : '';
  if (!outsideCode) {
    before = before.replace(/^(?:`{3,}|~{3,})[\w-]*[^\S\n]*\n\s*$/m, '');
    after = after.replace(/^\s*(?:`{3,}|~{3,})/, '');
  }
  return {
    before,
    attributes: start[1] ?? '',
    inner: close ? text.slice(from, from + close.index) : text.slice(from),
    after,
    warnings,
  };
}

interface Parts extends Pick<Envelope, 'outputs' | 'notes' | 'criteria'> {
  /** The content, then whatever stood between the parts. */
  content: string[];
}

const partNames = 'content|output|notes|criteria';

function readParts(inner: string, warnings: string[]): Parts {
  const parts: Parts = { content: [], outputs: new Map(), notes: {}, criteria: undefined };
  const strays: string[] = [];
  const seen = new Set<string>();
  const tag = new RegExp(`<(${partNames})((?:\\s[^<>]*?)?)(/?)>`, 'g');
  let at = 0;
  for (let match = tag.exec(inner); match; match = tag.exec(inner)) {
    strays.push(inner.slice(at, match.index));
    const [, name = '', attributes = '', selfClosing] = match;
    const from = tag.lastIndex;
    const end = selfClosing ? { text: from, tag: from } : endOf(name, inner, from, warnings);
    const raw = inner.slice(from, end.text);
    at = tag.lastIndex = end.tag;
    const outputName = name === 'output' ? attribute(attributes, 'name') : name;
    if (outputName === undefined || seen.has(`${name} ${outputName}`)) {
      warnings.push(
        outputName === undefined
          ? 'an <output> has no name'
          : `a second ${name} ${outputName} is kept in the content`,
      );
      strays.push(raw);
      continue;
    }
    seen.add(`${name} ${outputName}`);
    const words = decode(raw, name, warnings);
    if (name === 'content') parts.content.push(words);
    else if (name === 'criteria') parts.criteria = words;
    else if (name === 'notes') parts.notes = notes(words);
    else parts.outputs.set(outputName, { text: words });
  }
  strays.push(inner.slice(at));
  const stray = strays.map(each => each.trim()).filter(each => each !== '');
  if (stray.length > 0 && seen.has('content content'))
    warnings.push('the text between the parts of the envelope is kept in the content');
  parts.content.push(...stray.map(each => decode(each, 'result', warnings)));
  return parts;
}

/** Where the part's text ends, and where its closing tag does: the first one that another part or the end follows. */
function endOf(name: string, inner: string, from: number, warnings: string[]): { text: number; tag: number } {
  const closes = inner.slice(from).matchAll(new RegExp(`</${name}\\s*>`, 'g'));
  const follows = new RegExp(`\\s*(?:<(?:${partNames})[\\s/>]|$)`, 'y');
  let first: { text: number; tag: number } | undefined;
  for (const close of closes) {
    const end = { text: from + close.index, tag: from + close.index + close[0].length };
    first ??= end;
    follows.lastIndex = end.tag;
    if (follows.test(inner)) return end;
  }
  if (first) return first;
  warnings.push(`<${name}> is not closed`);
  const next = inner.slice(from).search(new RegExp(`\\n\\s*<(?:${partNames})[\\s/>]`));
  const end = next < 0 ? inner.length : from + next;
  return { text: end, tag: end };
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`).exec(attributes);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text that was escaped is read; text with raw markup in it is taken as it stands. */
function decode(raw: string, part: string, warnings: string[]): string {
  let isRaw = false;
  const pieces = raw.split(/(<!\[CDATA\[[\s\S]*?\]\]>)/).map(piece => {
    if (piece.startsWith('<![CDATA[') && piece.endsWith(']]>')) return piece.slice(9, -3);
    if (/<|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i.test(piece)) {
      isRaw = true;
      return piece;
    }
    return piece.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
      if (name !== undefined) return entities[name] ?? whole;
      const point = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    });
  });
  if (isRaw) warnings.push(`the text of <${part}> holds unescaped markup and is taken as it stands`);
  return pieces.join('').trim();
}

function notes(words: string): Record<string, Json> {
  const value = parseJson(words);
  if (isObject(value)) return value;
  return words === '' ? {} : { text: words };
}
