// Recording: what was answered, played back by the scripted model, gives the same again.
import { expect, test } from 'vitest';
import { ModelFailure, type ModelRequest } from '../../../src/engine/models/model.ts';
import { recording } from '../../../src/engine/models/record.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { testClock } from '../../lib/clocks.ts';
import { reply, request, sequence, usage } from './request.ts';

const call = { id: 'c1', name: 'read_file', input: { path: 'a.ts' } };

function record(outcomes: Parameters<typeof sequence>[0]) {
  const written: string[] = [];
  const model = recording(sequence(outcomes), text => void written.push(text));
  return { model, written, script: () => parseScript(written.at(-1) ?? '', 'recorded.json') };
}

test('replies and failures become a script, whole after each of them', async () => {
  const limit = new ModelFailure('rate_limit', 'slow', { retry_after_ms: 1500 });
  const { model, written, script } = record([
    limit,
    reply({ tool_calls: [call] }),
    reply({ text: '', tool_calls: [call] }),
  ]);
  await expect(model.call(request())).rejects.toBe(limit);
  await model.call(request());
  await model.call(request());
  expect(written.map(text => parseScript(text, 'r.json').replies.length)).toEqual([1, 2, 3]);
  const used = { ...usage, cost_usd: 0.01 };
  const tool_calls = [{ name: 'read_file', input: { path: 'a.ts' } }];
  expect(script().replies).toEqual([
    { for: '2ic', error: { type: 'rate_limit', retry_after: 1.5 } },
    { for: '2ic', text: 'done', tool_calls, usage: used },
    { for: '2ic', tool_calls, usage: used },
  ]);
});

test('attempts that ran side by side get their own replies back, and a second attempt at an issue those of the first', async () => {
  const attempt = (scope: string, title: string, key: string): ModelRequest =>
    request({
      scope,
      key: `${scope}/${key}`,
      task: 'engineer.director',
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: `You are an engineer.\nIssue: ${title}\nBe brief.` }],
        },
      ],
    });
  const requests = [
    attempt('issue/1/1', 'Add the theme', 'a'),
    attempt('issue/2/1', 'Store the choice', 'a'),
    attempt('issue/2/1', 'Store the choice', 'b'),
    attempt('issue/1/1', 'Add the theme', 'b'),
    attempt('issue/1/2', 'Add the theme', 'a'),
  ];
  const { model, script } = record(['1a', '2a', '2b', '1b', '1a again'].map(text => reply({ text })));
  for (const one of requests) await model.call(one);
  const played = scriptedModel(script(), { clock: testClock() });
  const said: string[] = [];
  for (const one of requests) said.push((await played.call(one)).text);
  expect(said).toEqual(['1a', '2a', '2b', '1b', '1a']);
});

test('a call ended by its caller is not recorded', async () => {
  const { model, written } = record([new Error('enough')]);
  const signal = AbortSignal.abort();
  await expect(model.call(request({ signal }))).rejects.toThrow('enough');
  expect(written).toEqual([]);
});

test('writes do not overlap; one that fails is told to its caller, and later ones go on', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: number[] = [];
  const model = recording(sequence([reply(), reply(), reply()]), text => {
    begun.push(parseScript(text, 'r.json').replies.length);
    return begun.length === 1 ? gate.promise : undefined;
  });
  const calls = [model.call(request()), model.call(request()), model.call(request())];
  await new Promise(resolve => setImmediate(resolve));
  expect(begun).toEqual([1]);
  gate.reject(new Error('disk full'));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(begun).toEqual([1, 2, 3]);
});
