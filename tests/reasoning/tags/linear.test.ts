// Time grows with the text and no faster, whatever the text is.
import { describe, expect, test } from 'vitest';
import { scanTags } from '../../../src/reasoning/tags/scan.ts';
import { tagStream } from '../../../src/reasoning/tags/stream.ts';
import { substituteVaultRefs } from '../../../src/reasoning/tags/vaultref.ts';

/** A unit that is repeated, then what stands behind all of them. */
const shapes: [name: string, unit: (index: number) => string, end?: string][] = [
  ['{{<', () => '{{<'],
  ['{{</', () => '{{</'],
  ['names without an end', () => '{{<memory '],
  ['unclosed', () => '{{<js_execute>}} abc'],
  ['unclosed, all tags', index => `{{<${['ask', 'js_execute', 'final_output', 'goal'][index % 4]}>}} `],
  ['unclosed, unknown', index => `{{<a${index}>}} `],
  ['closing', () => '{{</ask>}}'],
  ['closing, each another', index => `{{</a${index}>}}`],
  ['unclosed, closing of others', index => `{{<a${index}>}}{{</b${index}>}}`],
  ['closed by the last', index => `{{<a${index}>}}`, '{{</a0>}}'],
  ['quotes of one kind', () => `{{<memory heading='>}}`],
  ['quotes one in the other', index => `{{<memory heading=${index % 2 ? "'" : '"'}>}} `],
  ['quotes that reach to the end', () => `{{<memory heading='' content='`, '"'],
  ['values full of ends', () => '>}} ', `{{<memory heading="`],
  ['ends in a value', index => (index === 0 ? '{{<memory heading="' : '>}} {{x'), ''],
  ['quotes in an open body', index => (index === 0 ? '{{<ask>}}' : '"\'>}} {{</goal>}}')],
  ['attributes', index => (index === 0 ? '{{<memory' : ` a${index}="b"`)],
  ['attributes of an unknown tag', index => (index === 0 ? '{{<x' : ' a="b"')],
  ['blanks in a tag', index => (index === 0 ? '{{<memory' : ' \n')],
  ['a broken tag and angles', index => (index === 0 ? '{{<memory !' : '< > ')],
  ['a long name', index => (index === 0 ? '{{<' : 'abc')],
  ['blanks before a name', index => (index === 0 ? '{{<' : '  ')],
  ['fences', () => '```\n{{<x/>}}\n'],
  ['a fence with many lines', () => '~~~\n```\n{{<\n'],
  ['backticks', () => '`{{<'],
  ['a line of backticks', () => '```` '],
  ['a fence line without an end', index => (index === 0 ? '```' : '{{<goal/>}}')],
  ['one line of ends', () => '>}} a '],
  ['vaultrefs', () => `{{<vaultref id="`],
  ['blocks', () => '{{<ask>}}\na\n{{</ask>}}\n'],
  ['blanks behind a tag', index => (index === 0 ? '{{<goal/>}}' : '    ')],
  ['ends on a fence line', index => (index === 0 ? '```' : '>}} ')],
  ['unknown, each on its line', index => `\n{{<fina_outpt${index % 7}>}}`],
  ['unclosed, each on its line', index => `\n{{<${['ask', 'js_execute', 'goal'][index % 3]}>}} `],
  ['names without an end, each on its line', () => '\n{{<memory '],
  ['closing, each on its line', () => '\n{{</ask>}}'],
  ['quotes of one kind, each on its line', () => `\n{{<memory heading='>}}`],
  ['quotes that reach to the end, from lines', () => `\n{{<memory heading='' content='`, '"'],
];

function textOf([, unit, end = '']: (typeof shapes)[number], length: number): string {
  const parts: string[] = [];
  for (let index = 0, sum = 0; sum < length; index++) {
    parts.push(unit(index));
    sum += parts.at(-1)!.length;
  }
  return parts.join('') + end;
}

/** The shortest of some rounds, in ms: what the machine does besides only makes a round longer. */
function time(work: () => void, rounds = 5): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** For eight times the text a linear reader takes about eight times as long, a quadratic one 64 times. */
function expectLinear(work: (text: string) => void, shape: (typeof shapes)[number], length: number): void {
  const small = textOf(shape, Math.floor(length / 4));
  const large = textOf(shape, 2 * length);
  const ratios: number[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const short = time(() => work(small));
    const long = time(() => work(large));
    // Under half a millisecond it is the clock that is measured.
    ratios.push(long < 0.5 ? 1 : long / short);
    if (ratios.at(-1)! <= 20) return;
  }
  expect.fail(`eight times the text takes ${ratios.map(each => each.toFixed(1)).join(', ')} times as long`);
}

function stream(text: string): void {
  const tags = tagStream();
  for (let at = 0; at < text.length; at += 24) tags.push(text.slice(at, at + 24));
  tags.end();
}

describe('eight times the text takes about eight times as long', () => {
  test.each(shapes)('in one piece: %s', (...shape) => expectLinear(scanTags, shape, 100_000));
  test.each(shapes)('in parts: %s', (...shape) => expectLinear(stream, shape, 100_000));
  test('vault references', () => {
    const work = (text: string) => substituteVaultRefs(text, () => 'x');
    for (const unit of ['{{<vaultref id="', `{{<vaultref id='" `, '{{<vaultref id="a"/>}}', '{{<vaultref '])
      expectLinear(work, ['', () => unit], 100_000);
  });
});

test('5,000 unclosed tags in 100,000 characters take less than 10 ms', () => {
  const text = textOf(['', () => '{{<js_execute>}} ab\n'], 100_000);
  expect(scanTags(text).problems).toHaveLength(5_000);
  expect(time(() => scanTags(text), 30)).toBeLessThan(10);
});

test('5 MB of {{< are text', () => {
  expect(scanTags('{{<'.repeat(1_700_000))).toEqual({ blocks: [], problems: [] });
});
