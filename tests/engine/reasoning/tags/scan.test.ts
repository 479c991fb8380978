// Blocks and problems of a text.
import { describe, expect, test } from 'vitest';
import { scanTags, type TagBlock } from '../../../../src/engine/reasoning/tags/scan.ts';
import { type Case, faulty, fenced, wellFormed } from './cases.ts';

function short({ tag, attributes, body }: TagBlock): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}=${value}`);
  return `${tag}${written.join('')}${body === undefined ? '' : ` | ${body}`}`;
}

function check([, text, blocks, problems = []]: Case): void {
  const found = scanTags(text);
  expect(found.blocks.map(short)).toEqual(blocks);
  const told = found.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  expect(told).toHaveLength(problems.length);
  problems.forEach((problem, index) => {
    const [place = '', ...part] = problem.split(' ');
    expect(told[index]).toMatch(new RegExp(`^${place} `));
    expect(told[index]).toContain(part.join(' '));
  });
  for (const { start, end, tag } of found.blocks) {
    expect(text.startsWith(`{{<${tag}`, start)).toBe(true);
    expect(text.slice(start, end).endsWith('>}}')).toBe(true);
  }
}

describe('tags', () => {
  test.each(wellFormed)('%s', (...row) => check(row));
});
describe('fenced code', () => {
  test.each(fenced)('%s', (...row) => check(row));
});
describe('faulty tags', () => {
  test.each(faulty)('%s', (...row) => check(row));
});

test('attributes inherit nothing', () => {
  const [block] = scanTags('{{<goal identifier="g"/>}}').blocks;
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(block?.attributes[name]).toBeUndefined();
});
test('nearest names are looked for a limited number of times', () => {
  const { problems } = scanTags('{{<aks/>}}'.repeat(150));
  expect(problems.filter(each => each.message.includes('did you mean'))).toHaveLength(100);
});
