// The parts between `<result>` and `</result>`.
import { isObject, type Json } from '../../lib/json.ts';
import { attributeOf, decode } from './decode.ts';
import { type Envelope, keep } from './parts.ts';
import { Tags } from './tags.ts';
import { faithfulJson } from './faithful-json.ts';

/** The parts of an envelope; to the notes more may be added. */
export interface Parts extends Pick<Envelope, 'outputs' | 'criteria'> {
  /** The content, then whatever stood between the parts. */
  content: string[];
  notes: Map<string, Json>;
  /** What of the content stood between the parts. */
  strays: string[];
}

/** Reads the parts in `inner`; `declared` are the names of the outputs that were asked for. */
export function readParts(inner: string, declared: readonly string[], warnings: string[]): Parts {
  const strays: string[] = [];
  const parts: Parts = { content: [], outputs: new Map(), notes: new Map(), criteria: undefined, strays };
  const seen = { content: false, criteria: false, notes: false };
  const tags = new Tags(inner, declared);
  let at = 0;
  for (const tag of tags.openings) {
    if (tag.from < at || tag.attributes === undefined) continue;
    if (tag.from > at) strays.push(inner.slice(at, tag.from));
    const { name } = tag;
    const end = tags.endOf(tag);
    if (!end.isClosed) warnings.push(`<${name}> is not closed`);
    const raw = end.isClosed ? inner.slice(tag.to, end.text) : withoutClosing(inner.slice(tag.to, end.text));
    at = end.tag;
    const { value, others } = attributeOf(tag.attributes, 'name', 'type');
    if (others !== '') {
      warnings.push(`<${name}> has other attributes; they are kept in the content`);
      strays.push(others);
    }
    const output = name === 'output' ? value : undefined;
    const problem = name === 'output' ? unusable(output, parts.outputs) : seen[name] && `a second ${name}`;
    if (problem) {
      warnings.push(`${problem} is kept in the content`);
      strays.push(raw);
      continue;
    }
    const words = decode(raw, name, warnings);
    if (name !== 'output') seen[name] = true;
    if (output !== undefined) parts.outputs.set(output, { text: words });
    else if (name === 'notes') addNotes(parts.notes, words);
    else if (name === 'criteria') parts.criteria = words;
    else if (words !== '') parts.content.push(words);
  }
  if (at < inner.length) strays.push(inner.slice(at));
  const stray = strays.map(withoutClosing).filter(each => each !== '');
  if (stray.length > 0 && seen.content)
    warnings.push('the text between the parts of the envelope is kept in the content');
  for (const each of stray) parts.content.push(decode(each, 'result', warnings));
  return parts;
}

function unusable(name: string | undefined, outputs: Parts['outputs']): string | undefined {
  if (name === undefined) return 'an <output> has no name and';
  return outputs.has(name) ? `a second output ${name.slice(0, 60)}` : undefined;
}

const closings = ['</content>', '</output>', '</notes>', '</criteria>', '</result>'];

/** The text without a closing tag at its end that belongs to nothing, or that broke off. */
function withoutClosing(text: string): string {
  const trimmed = text.trim();
  const from = trimmed.lastIndexOf('</');
  if (from < 0) return trimmed;
  const tail = trimmed.slice(from, from + 12);
  const isClosing = from + tail.length === trimmed.length && closings.some(each => each.startsWith(tail));
  return isClosing ? trimmed.slice(0, from).trimEnd() : trimmed;
}

function addNotes(notes: Map<string, Json>, words: string): void {
  if (words === '') return;
  const value = faithfulJson(words);
  if (isObject(value)) for (const name of Object.keys(value)) keep(notes, name, value[name]!);
  else keep(notes, 'text', words);
}
