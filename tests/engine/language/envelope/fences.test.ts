// Code in a reply: a fence around the whole reply is its frame, an envelope in code is quoted.
import { describe, expect, test } from 'vitest';
import { parseReply } from '../../../../src/engine/language/envelope/reply.ts';

const envelope = '<result status="COMPLETE"><content>x</content></result>';
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
