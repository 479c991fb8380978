// Decides what of a reply is its envelope. Everything that says something twice and differently ends here.
import { canonical } from '@echelon/ground';
import type { Output } from '../ast.ts';
import { envelopeAt, envelopeAtEnd, envelopesIn, type Found } from './find.ts';
import { jsonEnvelope, looksLikeJsonEnvelope } from './json.ts';
import { jsonBlocks } from './json-blocks.ts';
import { answer, differing, unquoted } from './mentions.ts';
import { type Envelope, fenceAround, placeAt, type Reading, twice } from './parts.ts';
import type { Unbalanced } from './balanced.ts';
import { xmlEnvelope } from './xml.ts';

/**
 * The envelope of `reply`, strict forms before lenient ones: the reply as a whole, as JSON or as XML; `<result>` where
 * it begins a line outside of code; the only JSON that stands alone; `<result>` in code at the end. Without any the
 * reply itself is the content.
 */
export function envelopeOf(reply: string, declared: readonly Output[]): Envelope {
  const reading = readingOf(reply, declared);
  const { text } = reading;
  if (text.startsWith('{')) {
    const whole = jsonEnvelope(reading, 0, text.length);
    if (whole) return whole;
  }
  return (
    xmlIn(reply, reading) ?? jsonIn(reply, reading) ?? xmlInCode(reply, reading) ?? plain(reply, reading)
  );
}

/** The reply without white space at its beginning, and without a fence that holds the whole of it. */
function readingOf(reply: string, declared: readonly Output[]): Reading {
  const names = declared.map(({ name }) => name);
  const reading = (text: string, base: number): Reading => {
    const known = new Map<string, string>();
    const shown = (from: number, to: number) => {
      const words = known.get(`${from} ${to}`) ?? unquoted(text, from, to);
      known.set(`${from} ${to}`, words);
      return words;
    };
    return { text, declared, names, shown, place: offset => placeAt(reply, base + offset) };
  };
  const fence = fenceAround(reply);
  if (fence) {
    const inside = fence.inside.trimStart();
    const isWhole = fence.isOne || envelopeAt(inside, 0)?.end === inside.length;
    if (isWhole) return reading(inside, fence.at + fence.inside.length - inside.length);
  }
  const text = reply.trimStart();
  return reading(text, reply.length - text.length);
}

function xmlIn(reply: string, reading: Reading): Envelope | undefined {
  const { text } = reading;
  const { found, broken } = envelopesIn(text);
  const last = found.at(-1);
  if (broken && (reading.names.length > 0 || !last)) return unreadable(reply, broken, reading);
  if (!last) return undefined;
  const warnings: string[] = [];
  const envelope = xmlEnvelope(last, reading, warnings);
  const words = ({ at, end }: Found) => text.slice(at, end);
  const others = new Map(found.filter(each => words(each) !== words(last)).map(each => [words(each), each]));
  for (const each of others.values())
    if (envelope.problems.length === 0)
      envelope.problems.push(...between(xmlEnvelope(each, reading, []), envelope, reading));
  const strays: [number, number][] = last.parts.some(({ name }) => name === 'output') ? last.between : [];
  return surrounded(reply, envelope, reading, {
    outside: outsideOf(found, text),
    strays,
    isLast: found.length === 1 && text.slice(last.end).trim() === '',
  });
}

/** A reply with an envelope whose tags do not balance. Where outputs are declared, the model is told the place. */
function unreadable(reply: string, { tag, wrong }: Unbalanced, { names, place }: Reading): Envelope {
  const problem = `<result> cannot be read: ${tag} at ${place(wrong)} has no ${tag.startsWith('</') ? 'beginning' : 'end'}`;
  const envelope = contentOnly(reply, [`${problem}; the reply is taken as it stands`]);
  return { ...envelope, problems: names.length > 0 ? [problem] : [] };
}

/** In what two envelopes differ, as violations. */
function between(one: Envelope, other: Envelope, reading: Reading): string[] {
  if (saidBy(one) === saidBy(other)) return [];
  for (const output of reading.declared) {
    const [mine, theirs] = [one.outputs.get(output.name), other.outputs.get(output.name)];
    if (answer(mine, output) !== answer(theirs, output))
      return [twice(`output "${output.name}"`, mine?.at ?? one.at, theirs?.at ?? other.at, reading)];
  }
  return [twice('envelope', one.at, other.at, reading)];
}

/** The envelope's content, for comparison. */
function saidBy({ status, content, criteria, outputs, notes }: Envelope): string {
  const given = [...outputs].map(([name, each]) => [name, 'value' in each ? each.value : each.text]);
  return canonical([status, content, criteria, given, notes]);
}

/** The only JSON that stands alone, or the same twice; of any other beside it nobody can tell which is quoted. */
function jsonIn(reply: string, reading: Reading): Envelope | undefined {
  const { text, place, names } = reading;
  const blocks = jsonBlocks(text, MOST_BLOCKS);
  const [only] = blocks;
  // As a whole it was already tried.
  if (only?.from === 0 && only.to === text.trimEnd().length) return undefined;
  const envelopes = blocks.map(({ from, to }) => jsonEnvelope(reading, from, to));
  const index = envelopes.findIndex(each => each !== undefined);
  const [block, envelope] = [blocks[index], envelopes[index]];
  if (!block || !envelope) return undefined;
  const second = envelopes.slice(index + 1).find(each => each !== undefined);
  if (second) envelope.problems.push(...between(envelope, second, reading));
  const other = blocks.find(each => each !== block)?.from;
  const isAlone = other === undefined || (second !== undefined && blocks.length === 2);
  const outside = outsideOf([{ at: block.begin, end: block.end }], text);
  const beside = isAlone ? tagIn(reading, outside) : other;
  // Without a declared output nothing is lost where it is content.
  if (names.length === 0 && envelope.problems.length === 0 && beside !== undefined) return undefined;
  const isLast = !block.inCode && text.slice(block.end).trim() === '';
  const whole = isAlone ? surrounded(reply, envelope, reading, { outside, strays: [], isLast }) : envelope;
  if (whole.problems.length === 0 && beside !== undefined)
    whole.problems.push(
      `JSON at ${place(block.from)} does not stand alone: what stands at ${place(beside)} may quote it, or be the answer`,
    );
  return whole;
}

/** JSON that stands in three places is no answer, whatever it says. */
const MOST_BLOCKS = 3;

/** A tag of an envelope, in any writing. */
const envelopeTag = /<\/?(?:[\w.-]+:)?(?:result|content|output)(?=[\s/>])/i;

function tagIn({ shown }: Reading, ranges: readonly (readonly [number, number])[]): number | undefined {
  for (const [from, to] of ranges) {
    const at = shown(from, to).search(envelopeTag);
    if (at >= 0) return from + at;
  }
  return undefined;
}

function xmlInCode(reply: string, reading: Reading): Envelope | undefined {
  const { text } = reading;
  if (!text.includes('<result')) return undefined;
  const warnings: string[] = [];
  const found = envelopeAtEnd(text, warnings);
  if (!found) return undefined;
  const envelope = xmlEnvelope(found, reading, warnings);
  return surrounded(reply, envelope, reading, {
    outside: outsideOf([found], text),
    strays: found.between,
    isLast: false,
  });
}

interface Around {
  outside: readonly [number, number][];
  /** Text between the envelope's parts. */
  strays: readonly [number, number][];
  isLast: boolean;
}

/** The envelope with the text around it: that is content, and must not say something else. */
function surrounded(reply: string, envelope: Envelope, reading: Reading, around: Around): Envelope {
  const texts = around.outside.map(([from, to]) => reading.text.slice(from, to).trim());
  const [before = '', ...after] = texts;
  const behind = after.filter(each => each !== '');
  if (before === '' && behind.length === 0 && around.strays.length === 0) return envelope;
  for (const range of [...around.outside, ...around.strays]) {
    const problem = envelope.problems.length === 0 ? differing(envelope, range, reading) : undefined;
    if (problem !== undefined) envelope.problems.push(problem);
  }
  if (before === '' && behind.length === 0) return envelope;
  if (envelope.problems.length === 0 && asksForMore(envelope) && !around.isLast)
    return contentOnly(reply, [
      'an envelope that asks to go on has other text around it and may be quoted; the reply is taken as it stands',
    ]);
  envelope.warnings.push('the text outside the envelope is kept in the content');
  envelope.content = [before, envelope.content, ...behind].filter(each => each !== '').join('\n\n');
  delete envelope.value;
  return envelope;
}

/** The ranges that none of the envelopes holds: before the first, and after each. */
function outsideOf(found: readonly Pick<Found, 'at' | 'end'>[], text: string): [number, number][] {
  const begins = [0, ...found.map(({ end }) => end)];
  return begins.map((from, index) => [from, found[index]?.at ?? text.length]);
}

/** One that asks to go on steers what is done next: it has to be the only one, and the end of the reply. */
function asksForMore({ status, notes }: Envelope): boolean {
  return (
    status === 'CONTINUATION' ||
    Object.hasOwn(notes, 'evaluation_request') ||
    Object.hasOwn(notes, 'subtask_request')
  );
}

function plain(reply: string, { names }: Reading): Envelope {
  const warnings: string[] = [];
  if (looksLikeJsonEnvelope(reply, names))
    warnings.push('the reply looks like a JSON envelope that cannot be read; it is taken as it stands');
  else if (reply.includes('</result') && /^[ \t]*<result[\s>]/m.test(reply))
    warnings.push('the reply quotes an envelope in code; it is taken as it stands');
  else if (/^\s*<(?:result|content|output)\s/.test(reply) || reply.trimEnd().endsWith('</result>'))
    warnings.push('the reply looks like a part of an envelope; it is taken as it stands');
  return contentOnly(reply, warnings);
}

const contentOnly = (content: string, warnings: string[]): Envelope => ({
  at: 0,
  status: 'COMPLETE',
  content,
  criteria: undefined,
  outputs: new Map(),
  notes: {},
  warnings,
  problems: [],
});
