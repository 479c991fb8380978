// Values that a reply gives for the declared outputs outside of its envelope. They may be quoted from another answer,
// and where they differ from the envelope nobody can tell which is the model's own.
import {
  bracketEnd,
  canonical,
  closesFence,
  fenceAt,
  type FenceLine,
  markdownLines,
  type Json,
} from '@echelon/ground';
import type { Output } from '../ast.ts';
import { readJson, faithfulJson } from './faithful-json.ts';
import { type Envelope, type Given, isStatus, type Reading, twice, unfenced } from './parts.ts';

const mayAnswer = /^\s*(?:(?:json|xml)(?:\s.*)?)?$/i;

/** True if a code fence may hold an answer: it names JSON, XML or nothing. Any other fence holds a quote. */
export const isOfAnswers = (info: string): boolean => mayAnswer.test(info);

/**
 * The text from `from` to `to`, of the same length, with spaces in place of what it quotes: block quotes, and fences of
 * another language.
 */
export function unquoted(text: string, from: number, to: number): string {
  const slice = text.slice(from, to);
  if (!/[<{]/.test(slice)) return '';
  const { lines, open } = markdownLines(slice);
  let fence: FenceLine | undefined;
  let shown = '';
  let at = 0;
  for (const { kind, text: line, number, start } of lines) {
    let hides = kind === 'quote';
    if (kind === 'fenced') {
      const opening = fence ?? fenceAt(withoutItems(line));
      hides = opening !== undefined && !isOfAnswers(opening.info) && !(open && number >= open.line);
      const closes = fence && line.includes(fence.mark) && closesFence(withoutItems(line), fence);
      fence = closes ? undefined : opening;
    } else fence = undefined;
    if (!hides) continue;
    shown += slice.slice(at, start) + ' '.repeat(line.length);
    at = start + line.length;
  }
  return shown + slice.slice(at);
}

/** A line without its indent and the marks of the list items that begin on it. */
const withoutItems = (line: string) => line.replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/, '');

/**
 * In what the text from `from` to `to`, outside of the envelope, differs from it in a declared output, as a violation:
 * an `<output>` in any writing, or a member of JSON, read by itself, for what is broken says something all the same.
 * Takes time in proportion to the text.
 */
export function differing(
  envelope: Envelope,
  [from, to]: readonly [number, number],
  reading: Reading,
): string | undefined {
  const { declared, names, shown } = reading;
  if (declared.length === 0) return undefined;
  const words = shown(from, to);
  if (words === '') return undefined;
  const { outputs } = envelope;
  const statuses: [status: string, at: number][] = [];
  let any = false;
  for (const { name, given } of mentionsIn(words, from, names)) {
    const output = declared.find(each => each.name === name);
    if (output) {
      any = true;
      const own = outputs.get(name);
      const said = answer(given, output);
      if (said !== undefined && said === answer(own, output)) continue;
      return twice(`output "${name}"`, own?.at ?? envelope.at, given.at, reading);
    }
    if ('value' in given && typeof given.value === 'string' && isStatus(given.value))
      statuses.push([given.value.trim().toUpperCase(), given.at]);
  }
  const other = any && statuses.find(([status]) => status !== envelope.status);
  return other ? twice('status', envelope.at, other[1], reading) : undefined;
}

/** The value given for the output, as text for comparison; undefined if there is none, or none that fits. */
export function answer(given: Given | undefined, output: Output): string | undefined {
  if (!given) return output.nullable ? 'null' : undefined;
  const converted = convert(given, output);
  return converted && canonical(converted.value);
}

/** The declared outputs, and the statuses of JSON, that `words` say something of; `base` is the offset of `words`. */
function* mentionsIn(words: string, base: number, names: readonly string[]) {
  const listed = names.map(asPattern).join('|');
  for (const tag of words.matchAll(outputTags(listed))) {
    const from = tag.index + tag[0].length;
    const end = tag[0].endsWith('/>') ? from : words.indexOf('<', from);
    const text = words.slice(from, end < 0 ? words.length : end);
    yield { name: named(tag[1]!, names), given: { text: text.trim(), at: base + tag.index } };
  }
  if (!words.includes('{')) return;
  const members = new RegExp(`"(${listed}|status)"\\s*:\\s*`, 'g');
  for (let match = members.exec(words); match; match = members.exec(words)) {
    if (!/[{,]/.test(words.slice(0, match.index).trimEnd().at(-1) ?? '')) continue;
    const from = members.lastIndex;
    const end = /[[{]/.test(words[from] ?? '') ? bracketEnd(words, from) : endOfScalar(words, from);
    members.lastIndex = end;
    const read = readJson(words.slice(from, end));
    const at = base + match.index;
    // An unreadable value has no type and differs from all others.
    const given: Given = read && !read.twice ? { value: read.value, at } : { value: unreadable, at };
    yield { name: match[1]!, given };
  }
}

const unreadable = { unreadable: true };

/** Opening tags of an output with one of the names, in any case and with any prefix. */
const outputTags = (listed: string): RegExp =>
  new RegExp(`<(?:[\\w.-]+:)?output\\s[^<>]*?\\bname\\s*=\\s*["']?(${listed})(?=["'\\s/>])[^<>]*>?`, 'gi');

const named = (written: string, names: readonly string[]): string =>
  names.find(each => each === written) ??
  names.find(each => each.toLowerCase() === written.toLowerCase()) ??
  written;

const scalar = /"(?:[^"\\\n]|\\.)*"|[-\w.+]+/y;

function endOfScalar(text: string, from: number): number {
  scalar.lastIndex = from;
  return scalar.test(text) ? scalar.lastIndex : from;
}

const asPattern = (name: string): string => name.replace(/[^\w-]/g, '\\$&');

/** The typed value, or nothing when it does not fit. Text comes from XML, where everything is text. */
export function convert(given: Given, { type, nullable }: Output): { value: Json } | undefined {
  if ('value' in given) {
    const fits = type === 'json' || typeof given.value === type || (nullable && given.value === null);
    return fits ? given : undefined;
  }
  if (type === 'string')
    return nullable && given.text.trim() === 'null' ? { value: null } : { value: given.text };
  const words = unfenced(given.text).trim();
  if (nullable && (words === 'null' || words === '')) return { value: null };
  if (type === 'boolean')
    return /^(?:true|false)$/i.test(words) ? { value: words.toLowerCase() === 'true' } : undefined;
  const value = faithfulJson(words);
  if (value === undefined || (type === 'number' && typeof value !== 'number')) return undefined;
  return { value };
}
