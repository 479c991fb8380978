// The ordered parts of a reply: taken where they say what the reply says, else made of its text and calls.
import { expect, test } from 'vitest';
import type { ReplyPart } from '../../../src/engine/models/model.ts';
import { sound } from '../../../src/engine/reasoning/sound-reply.ts';
import { reply } from './model.ts';

const opaque: ReplyPart = { type: 'opaque', model: 'm', after: 'a', data: {} };
const text: ReplyPart = { type: 'text', text: 'Look.' };
const call = (id: string): ReplyPart => ({ type: 'tool_call', id, name: 'read_file', input: {} });

test.for<[name: string, parts: ReplyPart[] | undefined, calls: string[], kept: ReplyPart[]]>([
  ['none', undefined, ['a'], [text, call('a')]],
  ['in another order', [call('a'), opaque, text], ['a'], [call('a'), opaque, text]],
  ['without a call', [opaque, text], ['a'], [text, call('a')]],
  ['with other words', [opaque, { type: 'text', text: 'No.' }, call('a')], ['a'], [text, call('a')]],
  ['ids given twice', [text, opaque, call('a'), call('a')], ['a', 'a'], [text, call('a'), call('a-2')]],
])('parts: %s', ([, parts, ids, kept]) => {
  const tool_calls = ids.map(id => ({ id, name: 'read_file', input: {} }));
  expect(sound(reply('Look.', { tool_calls, ...(parts && { parts }) })).parts).toEqual(kept);
});
