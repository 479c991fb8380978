// One rule of what is fenced code, for every reader of what models and people write: if two of them differed, the
// same text would be quoted for one and asked for, or an answer, for the other.
import { describe, expect, test } from 'vitest';
import { jsonBlocks } from '../../../src/app/cascade/reply-blocks.ts';
import { parseReply } from '../../../src/engine/language/envelope/reply.ts';
import { markdownLines } from '../../../packages/ground/lib/markdown.ts';
import { openingLine } from '../../../src/engine/tasks/memory/opening.ts';
import type { Language } from '../../../src/engine/tasks/memory/languages.ts';

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
