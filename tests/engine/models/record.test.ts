// Recording: what was answered, played back by the scripted model, gives the same again.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { endRecording, recordingTo } from '../../../src/engine/runtime/record-file.ts';
import { ModelFailure, type ModelRequest } from '../../../src/engine/models/model.ts';
import { type Recorded, recording, toScript } from '../../../src/engine/models/record.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { reply, request, sequence, usage } from './request.ts';

const call = { id: 'c1', name: 'read_file', input: { path: 'a.ts' } };

function record(outcomes: Parameters<typeof sequence>[0]) {
  const written: Recorded[] = [];
  const model = recording(sequence(outcomes), each => void written.push(each));
  return { model, written, script: () => parseScript(JSON.stringify(toScript(written)), 'recorded.json') };
}

test('replies, refusals, cut replies and failures become a script', async () => {
  const limit = new ModelFailure('rate_limit', 'slow', { retry_after_ms: 1500 });
  const { model, script } = record([
    limit,
    reply({ tool_calls: [call] }),
    reply({ text: '', tool_calls: [call] }),
    reply({ text: 'No.', stop: 'refusal' }),
    reply({ text: 'ha', stop: 'max_output' }),
  ]);
  await expect(model.call(request())).rejects.toBe(limit);
  for (let n = 0; n < 4; n++) await model.call(request());
  const used = { ...usage, cost_usd: 0.01 };
  const tool_calls = [{ name: 'read_file', input: { path: 'a.ts' } }];
  expect(script().replies).toEqual([
    { for: '2ic', error: { type: 'rate_limit', retry_after: 1.5 } },
    { for: '2ic', text: 'done', tool_calls, usage: used },
    { for: '2ic', tool_calls, usage: used },
    { for: '2ic', text: 'No.', stop: 'refusal', usage: used },
    { for: '2ic', text: 'ha', stop: 'max_output', usage: used },
  ]);
});

test('attempts that ran side by side get their own replies back, and a second attempt at an issue those of the first', async () => {
  // The common text about project and run comes first.
  const told = Array.from({ length: 1000 }, (_, n) => `Convention ${n}\n`).join('');
  const attempt = (scope: string, title: string, key: string): ModelRequest =>
    request({
      scope,
      key: `${scope}/${key}`,
      task: 'engineer.director',
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: `You are an engineer.\n${told}Issue: ${title}\nBe brief.` }],
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

test('what cannot be written is told to the caller', async () => {
  const model = recording(sequence([reply()]), () => {
    throw new Error('disk full');
  });
  await expect(model.call(request())).rejects.toThrow('disk full');
});

test('a file is a whole script at any time, also where several processes write it', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'record-')), 'script.json');
  const outcomes = Array.from({ length: 20 }, (_, n) => reply({ text: `${n}` }));
  const models = outcomes.map(one => recordingTo(file, sequence([one])));
  let isOver = false;
  const calls = Promise.all(models.map(model => model.call(request()))).finally(() => (isOver = true));
  while (!isOver) {
    if (existsSync(file)) parseScript(readFileSync(file, 'utf8'), file);
    await new Promise(resolve => setImmediate(resolve));
  }
  await calls;
  const said = parseScript(readFileSync(file, 'utf8'), file).replies.map(({ text }) => Number(text));
  expect(said.sort((a, b) => a - b)).toEqual(outcomes.map((_, n) => n));
  await endRecording(file);
  expect(readdirSync(dirname(file))).toEqual(['script.json']);
});
