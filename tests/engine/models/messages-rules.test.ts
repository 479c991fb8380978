// The stand-in for the Messages API refuses what the API refuses: one row a rule, each a good request with one thing wrong.
import { expect, test } from 'vitest';
import { messagesFault } from './messages-rules.ts';
import { type Spoken, thinkingFault } from './thinking-rules.ts';

const mark = { cache_control: { type: 'ephemeral' } };
const said = (text: string, more = {}) => ({ type: 'text', text, ...more });
const call = { type: 'tool_use', id: 'a', name: 'read_file', input: {} };
const answer = { type: 'tool_result', tool_use_id: 'a', content: 'A' };
const tool = { name: 'read_file', input_schema: { type: 'object' } };
const good = {
  model: 'claude-opus-5-5',
  max_tokens: 1000,
  stream: true,
  messages: [
    { role: 'user', content: [said('Read.')] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 's' }, call] },
    { role: 'user', content: [answer, said('Go on.')] },
  ],
  tools: [tool],
};
const [first, second, third] = good.messages;

test('a good request is none', () => expect(messagesFault(good)).toBeUndefined());

test.for<[name: string, change: object, words: RegExp]>([
  ['a temperature', { temperature: 0 }, /temperature/],
  ['a forced tool', { tool_choice: { type: 'any' } }, /tool_choice/],
  ['thinking turned off', { thinking: { type: 'disabled' } }, /thinking/],
  ['an effort that there is not', { output_config: { effort: 'most' } }, /effort/],
  [
    'a schema whose objects are open',
    { output_config: { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } } },
    /output_config/,
  ],
  ['more output than the model gives', { max_tokens: 128_001 }, /max_tokens: 128001 > 128000/],
  ['an empty text', { messages: [{ role: 'user', content: [said(' ')] }] }, /content/],
  ['an empty message', { messages: [{ role: 'user', content: [] }] }, /content/],
  ['no message', { messages: [] }, /messages/],
  ['a beginning by the model', { messages: [second, third] }, /first message/],
  ['an end by the model', { messages: [first, second] }, /prefill/],
  ['a call without its result', { messages: [first, second, first] }, /without tool_result/],
  ['a result without its call', { messages: [third] }, /unexpected tool_use_id/],
  [
    'a result behind words',
    { messages: [first, second, { role: 'user', content: [said('x'), answer] }] },
    /come first/,
  ],
  ['a call given twice', { messages: [...good.messages, second, third] }, /unique/],
  ['calls without tools', { tools: undefined }, /must define tools/],
  ['a tool given twice', { tools: [tool, tool] }, /unique/],
  [
    'thinking without its signature',
    { messages: [first, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] }, first] },
    /messages/,
  ],
  ['five marks of the cache', { system: [1, 2, 3, 4, 5].map(n => said(`${n}`, mark)) }, /maximum of 4/],
  ['a field that there is not', { temprature: 1 }, /temprature/],
])('%s is', ([, change, words]) => expect(messagesFault({ ...good, ...change })).toMatch(words));

const thought = (n: number) => ({ type: 'thinking', thinking: `thought ${n}`, signature: `sig-${n}` });
const hidden = { type: 'redacted_thinking', data: 'hidden' };
const other = { ...call, id: 'b' };
const turn = [thought(1), call, hidden, other];
const begun = [{ role: 'user', content: [said('Read.')] }];
const given = [{ model: 'claude-opus-5-5', messages: begun, content: turn }];
const back = (content: object[], model = 'claude-opus-5-5', before: object[] = begun) =>
  thinkingFault({ model, messages: [...before, { role: 'assistant', content }] } as Spoken, given);

test('thinking that comes back as it was given is none, whatever the order of its members', () => {
  expect(back([{ signature: 'sig-1', thinking: 'thought 1', type: 'thinking' }, ...turn.slice(1)])).toBe(
    undefined,
  );
});

test.for<[name: string, content: object[], model?: string | undefined, before?: object[]]>([
  ['missing', [call, hidden, other]],
  ['missing where it is redacted', [thought(1), call, other]],
  ['changed', [{ ...thought(1), thinking: 'thought 2' }, call, hidden, other]],
  ['signed otherwise', [{ ...thought(1), signature: 'sig-2' }, call, hidden, other]],
  ['moved', [thought(1), hidden, call, other]],
  ['kept for another model', turn, 'claude-sonnet-5-5'],
  ['kept where what was before it changed', turn, undefined, [{ role: 'user', content: [said('Write.')] }]],
])('thinking that is %s is', ([, content, model, before]) =>
  expect(back(content, model, before)).toMatch(/thinking blocks/),
);
