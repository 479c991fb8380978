// Parsing of scripts: what is accepted, and what a wrong one is told.
import { expect, test } from 'vitest';
import { parseScript } from '../../../src/engine/models/script.ts';

function complaint(text: string): string {
  try {
    parseScript(text, 'demo.json');
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
  return 'none';
}

const withReply = (reply: unknown) => JSON.stringify({ version: 1, replies: [reply] });

test('a script with everything in it is taken as it is', () => {
  const script = {
    version: 1,
    replies: [
      {
        for: 'engineer.*',
        when: 'dark',
        times: 2,
        text: 't',
        tool_calls: [{ name: 'js', input: { code: '1' } }],
        usage: {
          input_tokens: 1,
          output_tokens: 2,
          cache_read_tokens: 3,
          cache_write_tokens: 4,
          cost_usd: 0.1,
        },
        delay_ms: 5,
      },
      { for: '2ic', error: { type: 'rate_limit', retry_after: 1.5 } },
    ],
  };
  expect(parseScript(JSON.stringify(script), 'demo.json')).toEqual(script);
});

const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 };
test.each<[string, string, string | RegExp]>([
  ['no JSON', '{"version": 1,\n  "replies": [}', /^demo.json:2:15: not valid JSON: Unexpected token '}'/],
  ['empty file', '', /^demo.json: not valid JSON: Unexpected end/],
  ['no object', '[]', 'demo.json: the top level: Invalid input: expected object, received array'],
  ['other version', '{"version":2,"replies":[]}', 'demo.json: version: Invalid input: expected 1'],
  [
    'unknown key at the top',
    '{"version":1,"replies":[],"x":1}',
    'demo.json: the top level: Unrecognized key: "x"',
  ],
  [
    'nothing to play',
    withReply({ for: '2ic' }),
    'demo.json: replies[0]: has nothing to play: give it "text", "tool_calls" or "error"',
  ],
  [
    'negative cost',
    withReply({ for: '2ic', text: 't', usage: { ...usage, cost_usd: -1 } }),
    'demo.json: replies[0].usage.cost_usd: Too small: expected number to be >=0',
  ],
  [
    'several problems',
    JSON.stringify({ version: 1, replies: [{ text: 't' }, { for: '2ic', text: 3 }] }),
    'demo.json: replies[0].for: Invalid input: expected string, received undefined\n' +
      'demo.json: replies[1].text: Invalid input: expected string, received number',
  ],
])('%s', (_name, text, message) => {
  expect(complaint(text)).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
});
