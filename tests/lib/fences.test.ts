// One rule of what is fenced code, for every reader of what models and people write: if two of them differed, the
// same text would be quoted for one and asked for, or an answer, for the other.
import { describe, expect, test } from 'vitest';
import { jsonBlocks } from '../../src/app/cascade/reply-blocks.ts';
import { parseReply } from '../../src/engine/language/envelope/reply.ts';
import { markdownLines } from '../../src/lib/markdown.ts';
import { openingLine } from '../../src/engine/tasks/memory/opening.ts';
import type { Language } from '../../src/engine/tasks/memory/languages.ts';

/** Text with a line `@`, and whether that line is fenced code. Every fence is opened as `json`. */
const cases: [name: string, text: string, isFenced: boolean][] = [
  ['backticks', '```json\n@\n```', true],
  ['tildes', '~~~json\n@\n~~~', true],
  ['two backticks are no fence', '``json\n@\n``', false],
  ['behind three spaces', '   ```json\n@\n```', true],
  ['not behind four spaces', '    ```json\n@', false],
  ['not behind a tab', '\t```json\n@', false],
  ['not with a backtick behind backticks', '```json `x`\n@', false],
  ['with a backtick behind tildes', '~~~json `x`\n@\n~~~', true],
  ['closed', '```json\n```\n@', false],
  ['closed by more', '```json\n`````\n@', false],
  ['not closed by fewer', '````json\n```\n@\n````', true],
  ['not closed by the other character', '```json\n~~~\n@\n```', true],
  ['not closed by both characters', '```json\n```~~~\n@\n```', true],
  ['not closed with a word behind', '```json\n```json\n@\n```', true],
  ['not closed with a no-break space behind', '```json\n```\u00a0\n@\n```', true],
  ['closed with spaces and tabs behind', '```json\n``` \t \n@', false],
  ['closed behind three spaces', '```json\n   ```\n@', false],
  ['not closed behind four spaces', '```json\n    ```\n@\n```', true],
  ['not closed behind a tab', '```json\n\t```\n@\n```', true],
  ['not closed behind a quote mark', '```json\n> ```\n@\n```', true],
  ['closed and opened again', '```json\n```\n\n```json\n@\n```', true],
  ['lines that end with CR LF', '```json\r\n@\r\n```\r\n', true],
  ['closed, with CR LF', '```json\r\n```\r\n@\r\n', false],
  ['closed, with CR', '```json\r```\r@', false],
];

const markdown = { name: 'Markdown' } as Language;
const envelope = '<result status="COMPLETE"><content>x</content></result>';

/** Each says whether it takes the line `@` of the text for fenced code. */
const readers: Record<string, (text: string) => boolean> = {
  'lines of a comment': text => markdownLines(text).lines.find(line => line.text === '@')?.kind === 'fenced',
  'actions of a layer': text => jsonBlocks(text).some(({ content }) => content.split('\n').includes('@')),
  'the envelope of a reply': text =>
    // With words behind it: at its end a reply may have its envelope in code.
    parseReply(`Words.\n\n${text.replace('@', envelope)}\n\nWords.`).content.includes('<result'),
  'the heading of a file': text =>
    openingLine(markdown, text.replace('@', '# Seen').split(/\r\n|\n|\r/)) !== 'Seen',
};

describe.each(Object.entries(readers))('%s', (_name, isFenced) => {
  test.each(cases)('%s', (_case, text, expected) => expect(isFenced(text)).toBe(expected));
});

const json = '{"status": "COMPLETE", "content": "x"}';

describe('a reply is a fence with what counts in it, or JSON that stands alone between its marks', () => {
  test.each<[name: string, reply: string, read: string | false]>([
    ['as usual', `\`\`\`json\n${json}\n\`\`\``, 'x'],
    ['without a language', `\`\`\`\n${json}\n\`\`\``, 'x'],
    ['more words behind the language', `\`\`\`json title="a.json"\n${json}\n\`\`\``, 'x'],
    ['lines that end with CR LF', `\`\`\`json\r\n${json}\r\n\`\`\`\r\n`, 'x'],
    ['closed by more', `\`\`\`json\n${json}\n\`\`\`\`\``, 'x'],
    ['indented as a whole', `      ~~~json\n      ${json}\n      ~~~\n`, 'x'],
    ['closed by fewer', `\`\`\`\`json\n${json}\n\`\`\``, '````json\n\nx\n\n```'],
    ['closed by the other character', `\`\`\`json\n${json}\n~~~`, '```json\n\nx\n\n~~~'],
    ['closed on the line of the JSON', `\`\`\`json\n${json}\`\`\``, false],
    ['closed before the end', `\`\`\`json\n\`\`\`\n${json}\n\`\`\``, '```json\n```\n\nx\n\n```'],
    ['never closed', `\`\`\`json\n${json}`, '```json\n\nx'],
    ['nothing in it', '```json\n```', false],
    ['one line', '``````', false],
  ])('%s', (_name, reply, read) => {
    expect(parseReply(reply).content).toBe(read || reply);
  });
});

describe('an envelope is quoted where it is', () => {
  test.each<[name: string, reply: string, isQuoted: boolean]>([
    ['in a fence of a list item', `1. See:\n\n    \`\`\`xml\n    ${envelope}\n    \`\`\`\n`, true],
    ['in a fence that the end of a list item closes', `- \`\`\`xml\n  ${envelope}\n\nWords.`, true],
    ['in indented code', `Words.\n\n    ${envelope}\n\nWords.`, true],
    ['but not at the end of the reply', `Words.\n\n    ${envelope}\n`, false],
    ['in indented code that looks like a fence', `Words.\n\n    \`\`\`\n    ${envelope}\n    \`\`\`\n`, true],
    ['indented, as a paragraph goes on', `Words\n    ${envelope}\n`, false],
    ['indented, at the beginning', `\n\n      ${envelope}\n`, false],
    ['behind a fence that is never closed', `Words:\n\`\`\`xml\n${envelope}\n`, false],
    ['behind a fence that is closed', `\`\`\`\na\n\`\`\`\n${envelope}\n`, false],
  ])('%s: %s', (_name, reply, isQuoted) => {
    expect(parseReply(reply).content.includes('<result')).toBe(isQuoted);
  });
});
