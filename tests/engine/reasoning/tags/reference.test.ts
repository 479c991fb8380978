// The scanner finds the same as a slow reference.
import fc from '../../../properties.ts';
import { expect, test } from 'vitest';
import { scanTags } from '../../../../src/engine/reasoning/tags/scan.ts';
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

const all = [...wellFormed, ...fenced, ...faulty].map(([, text]) => text);

test('every case of the table, and all of them one behind the other', () => {
  for (const text of all) sameAsReference(text);
  sameAsReference(all.join('\n'));
  sameAsReference(all.join(''));
});

test('random texts', () => {
  fc.assert(fc.property(texts, sameAsReference), { numRuns: 4000 });
});
