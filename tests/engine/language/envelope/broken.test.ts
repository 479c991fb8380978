// Broken replies: each is read as the table says, and so are their mutations without anything getting lost.
import fc from '../../../properties.ts';
import { describe, expect, test } from 'vitest';
import type { Output } from '../../../../src/engine/language/ast.ts';
import { parseReply } from '../../../../src/engine/language/envelope/reply.ts';
import type { Reply } from '../../../../src/engine/language/envelope/parts.ts';
import { TaskError } from '../../../../src/engine/language/result.ts';
import { samples } from './broken.ts';

/** The result, or the violations and warnings of INVALID_OUTPUT; any other error is thrown on. */
function read(
  reply: string,
  declared: readonly Output[],
): { reply: Reply } | { violations: string[]; warnings: string[] } {
  try {
    return { reply: parseReply(reply, declared) };
  } catch (error) {
    if (!(error instanceof TaskError) || error.detail.code !== 'INVALID_OUTPUT') throw error;
    return { violations: error.detail.violations, warnings: error.notes.warnings };
  }
}

test('there are enough broken replies', () => {
  expect(samples.length).toBeGreaterThanOrEqual(45);
  expect(new Set(samples.map(([name]) => name)).size).toBe(samples.length);
});

test.each(samples)('%s', (_name, reply, declared, { violations, ...parts }, ...warnings) => {
  const nothing = { status: 'COMPLETE', content: '', outputs: {}, notes: {}, criteria: undefined };
  expect(read(reply, declared)).toEqual(
    violations ? { violations, warnings } : { reply: { ...nothing, ...parts, warnings } },
  );
});

/** Words of the envelope itself; a tag may break off within them. */
const markup =
  'result content outputs notes criteria status complete continuation failed name type xml json cdata amp lt gt';

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // A number such as 1e9 is written otherwise after it was read.
  return words.filter(word => !` ${markup}`.includes(` ${word}`) && !/^\d+e\d+$/.test(word));
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]);
}

function lost(reply: string, declared: readonly Output[]): string[] {
  const outcome = read(reply, declared);
  if (!('reply' in outcome)) return [];
  const { content, outputs, notes, criteria } = outcome.reply;
  const kept = new Set(wordsOf(textsIn([content, outputs, notes, criteria ?? '']).join(' ')));
  return wordsOf(reply).filter(word => !kept.has(word));
}

const snippets = [
  '<result status="COMPLETE">',
  '<result>',
  '</result>',
  '<content>',
  '</content>',
  '<output name="n">',
  '<output name="success">',
  '<output>',
  '</output>',
  '<notes>',
  '</notes>',
  '<criteria>',
  '</criteria>',
  '<output name="n"/>',
  '<![CDATA[',
  ']]>',
  '<',
  '&',
  '"',
  '{',
  '}',
  '\n',
  '```\n',
  '\n~~~\n',
  '{"status": "FAILED"}',
];

const place = fc.double({ min: 0, max: 1, noNaN: true });
const change = fc.oneof(
  fc.tuple(fc.constantFrom('truncate', 'behead', 'fence', 'crlf'), place, place),
  fc.tuple(fc.constantFrom('delete', 'double'), place, place),
  fc.tuple(fc.constantFrom(...snippets), place, place),
);

function changed(text: string, [how, one, other]: [string, number, number]): string {
  const at = Math.floor(one * text.length);
  const to = Math.min(text.length, at + Math.floor(other * 40));
  switch (how) {
    case 'truncate':
      return text.slice(0, at);
    case 'behead':
      return text.slice(at);
    case 'fence':
      return `\`\`\`${one < 0.5 ? 'xml' : 'json'}\n${text}\n\`\`\``;
    case 'crlf':
      return text.replace(/\r?\n/g, '\r\n');
    case 'delete':
      return text.slice(0, at) + text.slice(to);
    case 'double':
      return text.slice(0, to) + text.slice(at);
    default:
      return text.slice(0, at) + how + text.slice(at);
  }
}

describe('no text is lost', () => {
  test.each(samples)('of: %s', (_name, reply, declared) => {
    expect(lost(reply, declared)).toEqual([]);
    expect(lost(reply, [])).toEqual([]);
  });

  test('wherever a reply breaks off', () => {
    for (const [, reply, declared] of samples)
      for (let end = 0; end < Math.min(reply.length, 400); end++)
        expect(lost(reply.slice(0, end), declared), JSON.stringify(reply.slice(0, end))).toEqual([]);
  });

  test('whatever is changed in it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        ([, reply, declared], changes) => {
          const mutated = changes.reduce(changed, reply);
          expect(lost(mutated, declared), JSON.stringify(mutated)).toEqual([]);
          expect(lost(mutated, []), JSON.stringify(mutated)).toEqual([]);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
