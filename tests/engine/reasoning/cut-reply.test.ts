// A reply that its output limit cut off is gone on with, and a conversation that does not fit its window is shortened once.
import { describe, expect, test } from 'vitest';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { type Model, ModelFailure, type ModelReply } from '../../../src/engine/models/model.ts';
import type { SessionRequest } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { asked, callsTo, playing, reply } from './model.ts';

const readFile = bindTool('read_file', async ({ path }) => `${path}: ${'long '.repeat(2000)}`);

const run = (model: Model, more: Partial<SessionRequest> = {}) =>
  runSession(
    {
      ...{ ...asked(), tools: [readFile], abilities: [] },
      limits: { turns: 10, output_tokens: 100, time_ms: 60_000 },
      ...more,
    },
    { model, clock: systemClock },
  );
const cut = (text: string, more: Partial<ModelReply> = {}) => reply(text, { stop: 'max_output', ...more });

describe('a reply that was cut off', () => {
  test('is gone on with, and its parts are the final output together', async () => {
    const model = playing(cut('One, t'), cut('wo, thr'), reply('ee.'));
    expect(await run(model)).toMatchObject({ text: 'One, two, three.', stop: 'end', turns: 3 });
    const { messages } = model.requests[1]!;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(messages.at(-1))).toContain('cut off at the limit of 100 tokens');
  });

  test('with calls is told that none was carried out, and its words are no part of what follows them', async () => {
    const model = playing(
      cut('I write a', { tool_calls: [{ id: 'c', name: 'read_file', input: { path: 'a' } }] }),
      callsTo(['read_file', { path: 'b' }]),
      reply('Done.'),
    );
    expect(await run(model)).toMatchObject({ text: 'Done.', tools: [{ name: 'read_file', ok: true }] });
    // A call without an answer would end the conversation for good.
    expect(JSON.stringify(model.requests[1]!.messages)).not.toContain('tool_call');
  });

  test('of thinking alone is asked again beside the prompt', async () => {
    const model = playing(cut(''), reply('Short.'));
    expect(await run(model)).toMatchObject({ text: 'Short.' });
    expect(model.requests[1]!.messages.map(({ role }) => role)).toEqual(['user']);
  });

  test('that is begun anew counts alone, where only that can be taken', async () => {
    const misfit = (text: string) => (text === '[1, 2]' ? undefined : 'no list');
    const model = playing(cut('[1,'), reply('[1, 2]'));
    expect(await run(model, { misfit })).toMatchObject({ text: '[1, 2]' });
  });

  test.for([
    ['the fourth time', 10, 4],
    ['where no turn is left', 2, 2],
  ] as const)('%s ends the session with what there is', async ([, turns, replies]) => {
    const model = playing(...Array.from({ length: replies }, () => cut('x')));
    const limits = { turns, output_tokens: 100, time_ms: 60_000 };
    expect(await run(model, { limits })).toMatchObject({ stop: 'max_output', text: 'x'.repeat(replies) });
  });
});

describe('a conversation that does not fit the window', () => {
  const tooLong = new ModelFailure('context', 'prompt is too long');
  const reading = ['a', 'b', 'c'].map(path => callsTo(['read_file', { path }]));

  test('is made shorter once, and the call is made again', async () => {
    const model = playing(...reading, tooLong, reply('Done.'));
    expect(await run(model)).toMatchObject({ text: 'Done.', turns: 4 });
    const [whole, shorter] = model.requests.slice(-2).map(({ messages }) => JSON.stringify(messages).length);
    expect(shorter).toBeLessThan(whole! * 0.6);
  });

  test.for([
    ['a second time fails', [...reading, tooLong, tooLong]],
    ['and cannot be made shorter fails', [tooLong]],
  ] as const)('%s', async ([, answers]) => {
    const model = playing(...answers);
    await expect(run(model)).rejects.toMatchObject({
      detail: { code: 'TASK_FAILURE', reason: 'model_failure' },
      message: 'prompt is too long',
    });
    expect(model.requests).toHaveLength(answers.length);
  });
});
