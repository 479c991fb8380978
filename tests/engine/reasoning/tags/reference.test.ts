// What the scanner finds is what a slow one finds, in one piece and in many.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanTags } from '../../../../src/engine/reasoning/tags/scan.ts';
import { tagStream } from '../../../../src/engine/reasoning/tags/stream.ts';
import { faulty, fenced, wellFormed } from './cases.ts';
import { reference } from './reference.ts';
import { texts } from './texts.ts';

function sameAsReference(text: string): void {
  const { blocks, problems } = scanTags(text);
  const slow = reference(text);
  expect(blocks.map(each => ({ ...each, attributes: Object.entries(each.attributes) }))).toEqual(slow.blocks);
  expect(problems).toHaveLength(slow.problems.length);
  problems.forEach(({ offset, line, column }, index) => {
    const { from, to } = slow.problems[index]!;
    expect(offset).toBeGreaterThanOrEqual(from);
    expect(offset).toBeLessThanOrEqual(to);
    const lines = text
      .slice(0, offset)
      .replace(/\r$/, text[offset] === '\n' ? '' : '\r')
      .split(/\r\n|\r|\n/);
    expect({ line, column: column - 1 }).toEqual({ line: lines.length, column: lines.at(-1)!.length });
  });
}

function inParts(text: string, sizes: readonly number[]): ReturnType<typeof scanTags> {
  const stream = tagStream();
  const blocks = [];
  for (let at = 0, part = 0; at < text.length; part++) {
    const size = sizes[part % sizes.length] ?? 1;
    blocks.push(...stream.push(text.slice(at, at + size)));
    at += size;
  }
  const last = stream.end();
  return { blocks: [...blocks, ...last.blocks], problems: last.problems };
}

const all = [...wellFormed, ...fenced, ...faulty].map(([, text]) => text);

test('every case of the table, and all of them one behind the other', () => {
  for (const text of all) sameAsReference(text);
  sameAsReference(all.join('\n'));
  sameAsReference(all.join(''));
});

test('random texts', () => {
  fc.assert(fc.property(texts, sameAsReference), { numRuns: 4000 });
});

test('every case of the table in parts of 1, 2, 3, 24 characters', () => {
  for (const text of [...all, all.join('\n'), all.join('')])
    for (const size of [1, 2, 3, 24]) expect(inParts(text, [size])).toEqual(scanTags(text));
});

test('random texts in random parts', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(texts, sizes, (text, parts) => {
      expect(inParts(text, parts)).toEqual(scanTags(text));
    }),
    { numRuns: 4000 },
  );
});

test('a block comes with the character that completes it', () => {
  const text =
    'a\n {{<goal identifier="g"/>}} ```\n{{<ask>}}\nwhy?\n{{</ask>}} {{<aks>}} {{<y/>}}{{</aks>}} {{<tool name="t"/>}}';
  const stream = tagStream();
  const seen = [...text].flatMap((each, index) =>
    stream.push(each).map(({ tag, end }) => [tag, end, index + 1]),
  );
  expect(seen).toEqual(scanTags(text).blocks.map(({ tag, end }) => [tag, end, end]));
  expect(seen).toHaveLength(3);
});

test.each([
  ['{{<ask>}}a{{</as', 'k>}}'],
  ['{{<goal identifier="g"/>}}{{<goal identifier="g"/>', '}}'],
  ['{{<aks/>}}{{<goal identifier="', 'g"/>}}'],
  ['{{<ask>}}a{{</ask>}} ', '  {{<goal identifier="g"/>}}'],
  ['a\n  ', ' {{<goal identifier="g"/>}}'],
  ['a\n  {', '{<goal identifier="g"/>}}'],
])('a part may end within anything: %j, %j', (first, second) => {
  const stream = tagStream();
  stream.push(first);
  expect(stream.push(second)).toHaveLength(1);
});

test('empty parts change nothing', () => {
  const stream = tagStream();
  const text = '{{<ask>}}a{{</ask>}}';
  expect([...text].flatMap(each => [...stream.push(''), ...stream.push(each)])).toEqual(
    scanTags(text).blocks,
  );
  expect(stream.end()).toEqual({ blocks: [], problems: [] });
});
