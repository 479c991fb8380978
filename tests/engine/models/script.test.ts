// Parsing of scripts: what is accepted, and what a wrong one is told.
import { describe, expect, test } from 'vitest';
import { jsonErrorPlace } from '../../../src/engine/models/json-place.ts';
import { parseScript } from '../../../src/engine/models/script.ts';

function complaint(text: string): string {
  try {
    parseScript(text, 'demo.json');
  } catch (error) {
    if (error instanceof Error && error.name === 'ScriptError') return error.message;
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
test.each([
  [
    'no JSON',
    '{"version": 1,\n  "replies": [}',
    'demo.json:2:15: not valid JSON here; correct it and try again',
  ],
  ['empty file', '', 'demo.json:1:1: not valid JSON here; correct it and try again'],
  ['no object', '[]', 'demo.json: the top level: Invalid input: expected object, received array'],
  ['other version', '{"version":2,"replies":[]}', 'demo.json: version: Invalid input: expected 1'],
  [
    'unknown key at the top',
    '{"version":1,"replies":[],"x":1}',
    'demo.json: the top level: unknown key "x"; known here: version, replies',
  ],
  [
    'unknown key in a reply',
    withReply({ for: '2ic', text: 't', wen: 'x' }),
    'demo.json: replies[0]: unknown key "wen"; known here: for, when, times, text, tool_calls, stop, usage, error, delay_ms',
  ],
  [
    'unknown key in a tool call',
    withReply({ for: '2ic', tool_calls: [{ name: 'js', input: {}, id: '1' }] }),
    'demo.json: replies[0].tool_calls[0]: unknown key "id"; known here: name, input',
  ],
  [
    'unknown key in usage',
    withReply({ for: '2ic', text: 't', usage: { ...usage, tokens: 1 } }),
    'demo.json: replies[0].usage: unknown key "tokens"; known here: input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_usd',
  ],
  [
    'unknown class of error',
    withReply({ for: '2ic', error: { type: 'flood' } }),
    'demo.json: replies[0].error.type: Invalid option: expected one of "rate_limit"|"timeout"|"quota"|"crash"|"context"',
  ],
  [
    'nothing to play',
    withReply({ for: '2ic' }),
    'demo.json: replies[0]: has nothing to play: give it "text", "tool_calls" or "error"',
  ],
  [
    'times 0',
    withReply({ for: '2ic', text: 't', times: 0 }),
    'demo.json: replies[0].times: Too small: expected number to be >=1',
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
  expect(complaint(text)).toBe(message);
});

describe('the place of an error in JSON', () => {
  test.each([
    ['{"a": x}', 1, 7],
    ['{"a": 1,}', 1, 9],
    ['[1, 2', 1, 6],
    ['[1 2]', 1, 4],
    ['[1,]', 1, 4],
    ['{"a" 1}', 1, 6],
    ['{a: 1}', 1, 2],
    ['{"a": "b\nc"}', 1, 7],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{"a": 01}', 1, 8],
    ['{"a": 1}}', 1, 9],
    ['{"a": [}', 1, 8],
    ['[}', 1, 2],
    ["['a']", 1, 2],
    ['nul', 1, 1],
    ['', 1, 1],
    ['"\\x"', 1, 1],
    ['{"a": -}', 1, 7],
    ['{} // done', 1, 4],
  ])('%j is at %i:%i', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonErrorPlace(text)).toEqual({ line, column });
  });

  test('every prefix of a valid text is wrong at its end or at its last token', () => {
    const text = '{"a": [1, -2.5e3, true, null, "\\u00e9\\n"], "b": {}, "c": {"d": []}}';
    for (let end = 0; end < text.length; end++) {
      const { line, column } = jsonErrorPlace(text.slice(0, end));
      const token = /["\w.+\\-]*$/.exec(text.slice(0, end))?.index ?? end;
      expect({ line, fits: column - 1 >= token - 7 && column - 1 <= end }, text.slice(0, end)).toEqual({
        line: 1,
        fits: true,
      });
    }
  });
});
