// The XML form of an envelope.
import { attributeOf } from './decode.ts';
import type { Found } from './find.ts';
import { readParts } from './inner.ts';
import { asPattern, outputTags } from './mentions.ts';
import { type Envelope, type Reading, statusOf, twice } from './parts.ts';

/**
 * What the envelope that was found says. Where its tags balance, it is what stands in its parts; where they do not,
 * each declared output has to be there once, and nothing may leave open to which part it belongs.
 */
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
  if (!found.isBalanced && problems.length === 0) problems.push(...doubts(found, reading));
  return {
    at,
    status,
    content: content.length === 1 ? content[0]! : content.filter(each => each !== '').join('\n\n'),
    criteria,
    outputs,
    notes: notes.size === 0 ? {} : Object.fromEntries(notes),
    warnings,
    problems,
  };
}

/** What cannot be told of an envelope whose tags do not balance. */
function doubts({ at, parts, between, others, isClosed }: Found, reading: Reading): string[] {
  const { text, names, place } = reading;
  const [other] = others;
  if (other !== undefined) return [twice('envelope', at, other, reading)];
  if (names.length === 0) return [];
  const seen = new Map<string, number>();
  const tags = outputTags(names.map(asPattern).join('|'));
  tags.lastIndex = at;
  for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
    const name = tag[1]!.toLowerCase();
    const before = seen.get(name);
    if (before !== undefined)
      return [
        `output "${tag[1]}" is given twice, at ${place(before)} and at ${place(tag.index)}, in an envelope whose tags do not match`,
      ];
    seen.set(name, tag.index);
  }
  const open = parts.findIndex(part => !part.isClosed);
  const isBehind = parts.slice(open + 1).some(({ name }) => name === 'output');
  const hasStray = between
    .slice(open + 1)
    .some(([from, to]) => !/^\s*(?:<\/\w*\s*>?\s*)*$/.test(text.slice(from, to)));
  return open >= 0 && isBehind && (hasStray || !isClosed)
    ? [
        `<${parts[open]!.name}> at ${place(parts[open]!.at)} is not closed, so that what follows may belong to it`,
      ]
    : [];
}
