// Time grows with the text and no faster, whatever the text is.
import { describe, expect, test } from 'vitest';
import { scanTags } from '../../../../src/engine/reasoning/tags/scan.ts';
import { substituteVaultRefs } from '../../../../src/engine/reasoning/tags/vaultref.ts';
import { expectLinear } from '../../../cpu-time.ts';

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

const textOf =
  ([, unit, end = '']: (typeof shapes)[number]) =>
  (length: number): string => {
    const parts: string[] = [];
    for (let index = 0, sum = 0; sum < length; index++) {
      parts.push(unit(index));
      sum += parts.at(-1)!.length;
    }
    return parts.join('') + end;
  };

describe('the time grows with the text and not with its square', () => {
  const length = 400_000;
  test.each(shapes)('%s', (...shape) => expectLinear(scanTags, textOf(shape), length));
  test('vault references', () => {
    const read = (text: string) => substituteVaultRefs(text, () => 'x');
    for (const unit of ['{{<vaultref id="', `{{<vaultref id='" `, '{{<vaultref id="a"/>}}', '{{<vaultref '])
      expectLinear(read, textOf(['', () => unit]), length);
  });
  test('which a reader that looks ahead from each tag does not keep', () => {
    let open = 0;
    const lookAhead = (text: string) => {
      for (let at = text.indexOf('{{<'); at >= 0; at = text.indexOf('{{<', at + 1))
        if (text.indexOf('{{</ask>}}', at) < 0) open++;
    };
    expect(() => expectLinear(lookAhead, textOf(['', () => '{{<ask>}} abc']), 80_000)).toThrow(
      'to be less than',
    );
    expect(open).toBeGreaterThan(0);
  });
});

test('each of 5,000 unclosed tags is named', () => {
  expect(scanTags('{{<js_execute>}} ab\n'.repeat(5_000)).problems).toHaveLength(5_000);
});

test('5 MB of {{< are text', () => {
  expect(scanTags('{{<'.repeat(1_700_000))).toEqual({ blocks: [], problems: [] });
});
