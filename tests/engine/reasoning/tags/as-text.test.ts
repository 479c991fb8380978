// Tags that stand as text: which of them look like a slip, and which are quoted as the model is told to.
import { expect, test } from 'vitest';
import { tagsStandAsText } from '../../../../src/engine/reasoning/tags/as-text.ts';
import { expectLinear } from '../../../cpu-time.ts';

const JS = '{{<js_execute>}}\nreturn 6 * 7;\n{{</js_execute>}}';
const FINAL = '{{<final_output>}}done{{</final_output>}}';

test.each([
  ['a fence that is the whole reply', `\`\`\`\n${JS}\n\`\`\``],
  ['a fence with a language', `\`\`\`xml\n${FINAL}\n\`\`\`\n`],
  ['tildes', `~~~\n${FINAL}\n~~~`],
  ['words within the fence', `\`\`\`\nI count.\n${JS}\n\`\`\``],
  ['two fences', `\`\`\`\n${JS}\n\`\`\`\n\n\`\`\`\n${FINAL}\n\`\`\``],
  ['a quote that is the whole reply', `> ${FINAL}`],
  ['a span of code that is the whole reply', `\`${FINAL}\``],
  ['a span of several lines', `\`${JS}\``],
  ['a stray backtick', `It\`s time: ${JS}`],
  ['a stray backtick, and a template within the code', 'So` {{<js_execute>}}return `a`{{</js_execute>}}'],
  ['a stray backtick before a tag without a body', '` {{<datavault action="request_read" id="a" />}}'],
  ['a fence that is never closed', `Now:\n\`\`\`\n${JS}`],
  ['an unclosed fence after one that is closed', `\`\`\`\nx\n\`\`\`\nNow:\n~~~\n${FINAL}`],
  ['single braces', '{<js_execute>}return 1{</js_execute>}'],
  ['a single brace, and two at its end', 'So: {<tool name="shell">}}{}{</tool>}}'],
  ['a final output without braces', '<final_output>done</final_output>'],
  ['indented code', `So:\n\n    ${FINAL}`],
  ['single braces in a fence', '```\n{<goal identifier="g" />}\n```'],
])('%s is a slip', (_, text) => expect(tagsStandAsText(text)).toBe(true));

test.each([
  ['nothing', ''],
  ['words', 'There are 42.'],
  ['a fence among words', `It says:\n\`\`\`\n${JS}\n\`\`\``],
  ['a fence before words', `\`\`\`\n${JS}\n\`\`\`\nThis is how it is written.`],
  ['straight quotes among words', `Write "${FINAL}" at the end.`],
  ['a quote among words', `It says:\n> ${FINAL}`],
  ['a span among words', `The diff adds \`${FINAL}\`, a trick.`],
  ['a span of several lines among words', `The diff adds \`${JS}\`, a trick.`],
  ['JSON in a fence that quotes one', `\`\`\`json\n{"content": "it writes ${FINAL}"}\n\`\`\``],
  ['a tag of another language', '```\n{{<figure src="x.png">}}\n```'],
  ['a reference', '```\n{{<vaultref id="a" />}}\n```'],
  ['code of a page', '```\n<task>{x}</task>\n```'],
  ['an unclosed fence without tags', `It says \`${FINAL}\`:\n\`\`\`\nx`],
])('%s is none', (_, text) => expect(tagsStandAsText(text)).toBe(false));

test.each([
  ['spans', '`{{<tool>}} '],
  ['tags on one line', 'a {{<tool>}} '],
  ['fences', '```\n{{<tool>}}\n'],
  ['names of no tag', '{<'],
  ['blanks', ' '],
])('many %s take a time that grows with the text', (_, part) =>
  expectLinear(
    tagsStandAsText,
    length => `\`\`\`\n${part.repeat(length / part.length)}\n\`\`\`\n\`{{<tool>}}\``,
    400_000,
  ),
);
