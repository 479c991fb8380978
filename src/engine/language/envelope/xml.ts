// The XML form of an envelope: the parts between `<result>` and `</result>`, as what they say.
import { isObject, type Json } from '@echelon/ground';
import type { Part, Structure } from './balanced.ts';
import { faithfulJson } from './faithful-json.ts';
import type { Found } from './find.ts';
import { type Envelope, keep, type Reading, statusOf, twice } from './parts.ts';

/** Reads the envelope that was found. */
export function xmlEnvelope(found: Found, reading: Reading, warnings: string[]): Envelope {
  const { at, attributes } = found;
  const { content, outputs, notes, criteria, problems } = readParts(found, reading, warnings);
  const { value, second, others } = attributeOf(attributes, 'status');
  if (second !== undefined)
    problems.push(`<result> at ${reading.place(at)} has the attribute status twice, and differently`);
  if (others !== '') {
    warnings.push('<result> has other attributes; they are kept in the content');
    content.push(others);
  }
  if (value === undefined) warnings.push('the envelope has no status and is taken as COMPLETE');
  const status = statusOf(value, notes, warnings);
  return {
    at,
    status,
    content: content.filter(each => each !== '').join('\n\n'),
    criteria,
    outputs,
    notes: Object.fromEntries(notes),
    warnings,
    problems,
  };
}

/** The parts of an envelope; to the notes more may be added. */
interface Parts extends Pick<Envelope, 'outputs' | 'criteria' | 'problems'> {
  /** The content, then whatever stood between the parts. */
  content: string[];
  notes: Map<string, Json>;
}

/** Earlier parts of one kind, for comparison with duplicates. */
type Seen = Map<string, { at: number; words: string }>;

/** Reads the parts of `structure`: what stands in one is never read again. */
function readParts(structure: Structure, reading: Reading, warnings: string[]): Parts {
  const { text } = reading;
  const strays: string[] = [];
  const parts: Parts = {
    content: [],
    outputs: new Map(),
    notes: new Map(),
    criteria: undefined,
    problems: [],
  };
  const seen: Seen = new Map();
  const between = structure.between.values();
  for (const part of structure.parts) {
    const [from, to] = between.next().value ?? [0, 0];
    if (to > from) strays.push(text.slice(from, to));
    readPart(part, parts, { reading, seen, strays, warnings });
  }
  for (const [from, to] of between) if (to > from) strays.push(text.slice(from, to));
  const stray = strays.map(each => each.trim()).filter(each => each !== '');
  if (stray.length > 0 && seen.has('content'))
    warnings.push('the text between the parts of the envelope is kept in the content');
  for (const each of stray) parts.content.push(decode(each, 'result', warnings));
  return parts;
}

interface While {
  reading: Reading;
  seen: Seen;
  strays: string[];
  warnings: string[];
}

function readPart(part: Part, parts: Parts, { reading, seen, strays, warnings }: While): void {
  const { name, at } = part;
  const raw = reading.text.slice(part.from, part.to);
  const { value, second, others } = attributeOf(part.attributes, 'name', 'type');
  if (second !== undefined)
    parts.problems.push(`<${name}> at ${reading.place(at)} has the attribute name twice, and differently`);
  if (others !== '') {
    warnings.push(`<${name}> has other attributes; they are kept in the content`);
    strays.push(others);
  }
  if (name === 'output' && value === undefined) {
    warnings.push('an <output> has no name and is kept in the content');
    strays.push(raw);
    return;
  }
  const words = decode(raw, name, warnings);
  const what = name === 'output' ? `output "${value?.slice(0, 60)}"` : name;
  const key = name === 'output' ? `output ${value}` : name;
  const before = seen.get(key);
  if (before) {
    if (before.words !== words) parts.problems.push(twice(what, before.at, at, reading));
    return;
  }
  seen.set(key, { at, words });
  if (value !== undefined && name === 'output') parts.outputs.set(value, { text: words, at });
  else if (name === 'notes') addNotes(parts.notes, words);
  else if (name === 'criteria') parts.criteria = words;
  else if (words !== '') parts.content.push(words);
}

function addNotes(notes: Map<string, Json>, words: string): void {
  if (words === '') return;
  const value = faithfulJson(words);
  if (isObject(value)) for (const name of Object.keys(value)) keep(notes, name, value[name]!);
  else keep(notes, 'text', words);
}

/**
 * The value of one attribute of a tag, and all other attributes as they were written. `second`: the tag has another
 * one of its name, with this other value. What `ignored` names is left out.
 */
function attributeOf(
  written: string,
  wanted: string,
  ignored?: string,
): { value: string | undefined; second?: string; others: string } {
  let found: string | undefined;
  let second: string | undefined;
  const others: string[] = [];
  for (const [whole, name, double, single, bare] of written.matchAll(attribute)) {
    const value = double ?? single ?? bare;
    if (value !== undefined && name === wanted) {
      if (found === undefined) found = value;
      else if (value !== found) second ??= value;
    } else if (/[\p{L}\p{N}]/u.test(whole) && (name !== ignored || value === undefined)) others.push(whole);
  }
  return { value: found, ...(second !== undefined && { second }), others: others.join(' ') };
}

const attribute = /([^\s=/"']+|["'])(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+)))?/g;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text that was escaped is read; text with raw markup in it is taken as it stands. */
function decode(raw: string, part: string, warnings: string[]): string {
  let isRaw = false;
  const plain = (piece: string): string => {
    if (!/<|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i.test(piece)) return unescaped(piece);
    isRaw = true;
    return piece;
  };
  let text = '';
  let at = 0;
  for (;;) {
    const begin = raw.indexOf('<![CDATA[', at);
    const end = begin < 0 ? -1 : raw.indexOf(']]>', begin);
    if (end < 0) break;
    text += plain(raw.slice(at, begin)) + raw.slice(begin + 9, end);
    at = end + 3;
  }
  text += plain(raw.slice(at));
  if (isRaw) warnings.push(`the text of <${part}> holds unescaped markup and is taken as it stands`);
  return text.trim();
}

function unescaped(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
