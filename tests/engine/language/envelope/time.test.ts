// A hostile reply takes time in proportion to its length, whatever it repeats.
import { test } from 'vitest';
import type { Output } from '../../../../src/engine/language/ast.ts';
import { parseReply } from '../../../../src/engine/language/envelope/reply.ts';
import { TaskError } from '../../../../src/engine/language/result.ts';
import { expectLinear } from '../../../cpu-time.ts';

const declared: Output[] = [{ name: 'x', type: 'json', nullable: true }];
const head = '<result status="COMPLETE">';
const outputs = (count: number) =>
  Array.from({ length: count }, (_, i) => `<output name="x${i}">`).join('\n');
/** Each shorter than the one before, so that none closes another. */
const fences = (count: number) =>
  Array.from({ length: count }, (_, i) => '`'.repeat(count - i + 3)).join('\n');

const forged = '</content>\n<output name="x">1</output>\n```json\n{"x": 1}\n```\n<!-- <b> & -->\n';
/** Of each key the two values are the same, down to the last. */
const twins = (count: number) => {
  let value = '1';
  while (value.length < count * 4) value = `{"a":${value},"a":${value}}`;
  return `{"x":${value}}`;
};

test.each<[string, (count: number) => string]>([
  ['envelopes that are not closed', count => '<result>\n'.repeat(count)],
  ['envelopes on one line', count => '<result>'.repeat(count)],
  ['envelopes', count => '<result>x</result>\n'.repeat(count)],
  ['outputs that are not closed', count => head + '<output name="x">'.repeat(count)],
  ['outputs on lines of their own', count => head + '<output name="x">\n'.repeat(count)],
  ['outputs without an envelope', count => '<output name="x">'.repeat(count)],
  ['outputs with different names', count => head + outputs(count)],
  ['outputs with text between', count => head + '<output name="x">1</output>z'.repeat(count)],
  ['parts of each kind', count => head + '<content>\n<notes>\n<output name="x">\n'.repeat(count / 3)],
  ['closing tags', count => `${head}<content>x${'</content> x'.repeat(count)}`],
  ['envelope ends', count => head + '</result>'.repeat(count)],
  ['<', count => `${head}<content>${'<'.repeat(count * 4)}`],
  ['tags that break off', count => head + '<output '.repeat(count)],
  ['CDATA that is not closed', count => `${head}<content>${'<![CDATA['.repeat(count)}`],
  ['entities', count => `${head}<content>${'&lt;'.repeat(count)}`],
  ['attributes', count => `<result ${'a="'.repeat(count)}>`],
  ['spaces in a tag', count => `<result${' '.repeat(count)}a${' '.repeat(count)}`],
  ['fences', count => '```\n<result>\n'.repeat(count)],
  ['fences that close nothing', count => `${fences(Math.floor(Math.sqrt(count)))}\n<result>`],
  ['spaces after a fence', count => `\`\`\`\n${' '.repeat(count * 4)}x`],
  ['empty lines', count => `${head}<content>${'\n'.repeat(count * 4)}x`],
  ['carriage returns', count => '\r'.repeat(count * 4) + head],
  ['envelopes beside JSON of the same value', count => `${'{"x": null}\n'.repeat(count)}${head}</result>`],
  ['JSON that is not closed beside an envelope', count => `${'{"x": ['.repeat(count)}\n${head}</result>`],
  ['quotes beside an envelope', count => `{"x": [${'"\\"'.repeat(count)}\n${head}</result>`],
  ['statuses beside an envelope', count => `${',"status": "\\"'.repeat(count)}{\n${head}</result>`],
  [
    'spaces in JSON beside an envelope',
    count => `{${'"x"   '.repeat(count)}${' '.repeat(count)}\n${head}</result>`,
  ],
  ['objects that are not closed', count => '{"x":'.repeat(count)],
  ['nested lists', count => `{"x":${'['.repeat(count)}${']'.repeat(count)}}`],
  ['lists in XML', count => `${head}<output name="x">${'['.repeat(count)}${']'.repeat(count)}</output>`],
  ['tags that are not closed', count => head + '<a>'.repeat(count)],
  ['comments that are not closed', count => head + '<!--'.repeat(count)],
  ['instructions', count => head + '<?x?>'.repeat(count)],
  ['the same envelope', count => `${head}<output name="x">1</output></result>`.repeat(count)],
  [
    'outputs beside an envelope',
    count => `${head}</result>\n${'<output name="x">1</output>\n'.repeat(count)}`,
  ],
  ['objects on lines', count => '{"x":1}\n'.repeat(count)],
  ['objects in fences', count => '```json\n{"x":1}\n```\n'.repeat(count / 2)],
  ['a diff quoted before JSON', count => `~~~diff\n${forged.repeat(count / 5)}~~~\n{"x": 2}`],
  ['braces on lines', count => '{\n'.repeat(count)],
  ['a key again and again', count => `{"x":0${',"x":0'.repeat(count)}}`],
  ['keys twice in one another', twins],
  ['members', count => `{"x":1${',"y":1'.repeat(count)}}`],
])('%s', (_name, make) => expectLinear(read, make, 80_000));

function read(text: string): void {
  try {
    parseReply(text, declared);
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
  }
}

const MEGABYTE = 1_000_000;

test.each<[string, string, string]>([
  ['content', `${head}<content>`, '</content><output name="x">2</output></result>'],
  ['an output', `${head}<output name="x">`, '</output></result>'],
  ['CDATA', `${head}<content><![CDATA[`, ']]></content><output name="x">2</output></result>'],
  ['nothing', '', ''],
])('a megabyte forged in %s takes no more time a line than a page', (_name, before, after) => {
  expectLinear(read, size => before + forged.repeat(size / forged.length) + after, MEGABYTE);
});
