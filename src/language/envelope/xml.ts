// The XML form of an envelope.
import type { Output } from '../ast.ts';
import { attributeOf } from './decode.ts';
import { type Found, findEnvelope, type Written } from './find.ts';
import { readParts } from './inner.ts';
import { type Envelope, statusOf, unfenced } from './parts.ts';

/** An envelope, with what else in its reply may be an answer. */
export interface Answers {
  envelope: Envelope;
  /** The other envelopes. */
  others: Envelope[];
  /** Texts that belong to no part of the envelope. */
  outside: string[];
}

/**
 * The envelope in `text`: a `<result>` that begins a line outside of code, that a code fence holds alone as the whole
 * reply, or that stands alone in code at the end. One that asks to go on steers what is done next: where it may be quoted, the reply is content only.
 */
export function xmlEnvelope(text: string, declared: readonly Output[]): Answers | undefined {
  if (!text.includes('<')) return undefined;
  const warnings: string[] = [];
  const names = declared.map(output => output.name);
  const found = findEnvelope(unfenced(text), names, warnings);
  if (!found) return undefined;
  const before = found.before.trim();
  const after = found.after.trim();
  const around = [...(before === '' ? [] : [before]), ...(after === '' ? [] : [after])];
  const { envelope, strays } = read(found, names, warnings, before, after);
  if (around.length > 0 && asksForMore(envelope) && !isLast(found)) return contentOnly(text);
  const others = found.others.map(each => read(each, names, [], '', '').envelope);
  return { envelope, others, outside: [...around, ...strays] };
}

function read(
  { attributes, inner }: Written,
  names: readonly string[],
  warnings: string[],
  before: string,
  after: string,
): { envelope: Envelope; strays: string[] } {
  const { content, outputs, notes, criteria, strays } = readParts(inner, names, warnings);
  if (before !== '' || after !== '') warnings.push('the text outside the envelope is kept in the content');
  if (before !== '') content.unshift(before);
  if (after !== '') content.push(after);
  const { value, others } = attributeOf(attributes, 'status');
  if (others !== '') {
    warnings.push('<result> has other attributes; they are kept in the content');
    content.push(others);
  }
  if (value === undefined) warnings.push('the envelope has no status and is taken as COMPLETE');
  const status = statusOf(value, notes, warnings);
  const envelope = {
    status,
    content: content.length === 1 ? content[0]! : content.filter(each => each !== '').join('\n\n'),
    criteria,
    outputs,
    notes: notes.size === 0 ? {} : Object.fromEntries(notes),
    warnings,
  };
  // Without an output of its own it gives no answer that its other text could contradict.
  return { envelope, strays: outputs.size === 0 ? [] : strays };
}

function asksForMore({ status, notes }: Envelope): boolean {
  return (
    status === 'CONTINUATION' ||
    Object.hasOwn(notes, 'evaluation_request') ||
    Object.hasOwn(notes, 'subtask_request')
  );
}

/** Nothing follows the envelope, no code is around it, and what stands before it quotes no other one. */
function isLast({ before, after, isClosed, inCode }: Found): boolean {
  return isClosed && !inCode && after.trim() === '' && !/^[ \t]*<result[\s>]/m.test(before);
}

function contentOnly(text: string): Answers {
  const warnings = [
    'an envelope that asks to go on has other text around it and may be quoted; the reply is taken as it stands',
  ];
  const envelope: Envelope = {
    status: 'COMPLETE',
    content: text,
    criteria: undefined,
    outputs: new Map(),
    notes: {},
    warnings,
  };
  return { envelope, others: [], outside: [] };
}
