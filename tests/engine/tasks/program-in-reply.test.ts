// The program in a model's reply: found whatever stands around it.
import { expect, test } from 'vitest';
import { programIn } from '../../../src/engine/tasks/written-program.ts';
import { expectLinear } from '../../cpu-time.ts';

const one = '<task name="a"><description>x</description></task>';
const nested =
  '<task type="sequential">\n<steps>\n<task/>\n<task><description>y</description></task>\n</steps>\n</task>';
const tricky = `<task><!-- </task> --><instructions><![CDATA[</task> <task> \`\`\`]]></instructions></task>`;

test.each<[string, string, string | undefined]>([
  ['alone', one, one],
  ['fenced', `\`\`\`xml\n${one}\n\`\`\``, one],
  ['between sentences', `Here it is: ${one} I hope it helps.`, one],
  ['nested', `x\n${nested}\ny`, nested],
  ['behind a declaration', `<?xml version="1.0"?>\n${one}`, one],
  ['the first of two', `${one}\n${nested}`, one],
  ['a mention before it', `The root is \`<task type="map">\`:\n  ${one}`, one],
  ['tags in comments and sections', tricky, tricky],
  ['an empty element', 'a <task/> b', '<task/>'],
  ['never closed', '```xml\n<task><steps>\n```\n', '<task><steps>'],
  ['never closed, the fence behind blank lines', '```xml\n<task>\n\n  \n   ```  \n', '<task>'],
  ['never closed, backticks that are no fence', '<task>\n``` x\n', '<task>\n``` x\n'],
  ['a comment that never ends', '<task><!-- x </task>', '<task><!-- x </task>'],
  ['another element', '<tasks><taskx/></tasks>', undefined],
  ['none', 'I cannot do that.', undefined],
  ['nothing', '', undefined],
])('%s', (_name, reply, expected) => {
  expect(programIn(reply)).toBe(expected);
});

test.each(['<task ', '<task>', '<task>\n\n', '<task><!--', '<task><![CDATA[', '<task a="', '<'])(
  'a long reply of %s takes a time that grows with it',
  piece => expectLinear(programIn, count => piece.repeat(count), 30_000),
);
