// Models that take each other's place: which failures hand a call on, what is told, what it costs. No test waits.
import { expect, test } from 'vitest';
import { guarded } from '../../../src/engine/models/guarded-model.ts';
import { type Model, ModelFailure, type ModelReply, ProviderWait } from '../../../src/engine/models/model.ts';
import { modelsBehind } from '../../../src/engine/models/names.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { SessionSummary } from '../../../src/engine/reasoning/state.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { type SharedWait, sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { reply, request } from './request.ts';

type Outcome = ModelReply | Error;
const failure = (kind: ModelFailure['class'], retry_after_ms?: number) =>
  new ModelFailure(kind, `a ${kind}`, retry_after_ms === undefined ? {} : { retry_after_ms });
const refusal = reply({ stop: 'refusal', text: 'No.', cost_usd: 0.5 });

/** Models by their names, each with what it answers in turn; the last answer stays. */
function table(outcomes: Record<string, Outcome[]>) {
  const clock = testClock();
  const asked: string[] = [];
  const model: Model = {
    provider: 'table',
    async call({ model: name }) {
      asked.push(name);
      const left = outcomes[name]!;
      const outcome = left.length > 1 ? left.shift()! : left[0]!;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
  const [first = '', ...others] = Object.keys(outcomes);
  const behind = (name: string) => (name === first ? others : []);
  const guardOf = (wait?: SharedWait) =>
    guarded(model, { clock, behind, wait, random: () => 0.5 }).within({ most: 100 });
  const guard = guardOf();
  return { clock, asked, guard, guardOf, call: () => guard.call(request({ model: first })) };
}

test.for<[name: string, first: Outcome, tries: number, why: RegExp]>([
  [
    'a limit that lasts',
    failure('rate_limit', 60_000),
    1,
    /^a: the model is not to be called before .*a rate_limit$/,
  ],
  ['limits again and again', failure('rate_limit'), 5, /^a: gave up after 5 tries: a rate_limit$/],
  ['an outage', failure('timeout'), 5, /^a: a timeout$/],
  ['no credit', failure('quota'), 1, /^a: a quota$/],
  ['a call that is denied', failure('denied'), 1, /^a: a denied$/],
  ['a refusal', refusal, 1, /^a refuses$/],
])('%s hands the call on', async ([, first, tries, why]) => {
  const { asked, call } = table({ a: [first], b: [reply({ text: 'b says' })] });
  const cost_usd = first === refusal ? 0.51 : 0.01;
  const answer = await call();
  expect(answer).toMatchObject({ text: 'b says', instead: { model: 'b', why: expect.stringMatching(why) } });
  expect(answer.cost_usd).toBeCloseTo(cost_usd, 9);
  expect(asked).toEqual([...Array.from({ length: tries }, () => 'a'), 'b']);
});

test('a model that takes a place is asked while its provider has the first one wait', async () => {
  const { clock, asked, guardOf } = table({
    a: [failure('rate_limit', 300_000)],
    b: [reply({ text: 'b says' })],
  });
  // As in an App: one key for all models, and waits of all runs.
  const guard = guardOf(sharedWait(clock));
  const begun = clock.now();
  for (const _ of [1, 2])
    expect(await guard.call(request({ model: 'a' }))).toMatchObject({
      text: 'b says',
      instead: { model: 'b' },
    });
  expect(await guard.call(request({ model: 'b' }))).toEqual(reply({ text: 'b says' }));
  expect([asked, clock.now() - begun]).toEqual([['a', 'b', 'b', 'b'], 0]);
});

test.for<[name: string, first: Error]>([
  ['a crash', failure('crash')],
  ['a prompt that does not fit', failure('context')],
])('%s would be one with the other model too', async ([, first]) => {
  const { asked, call } = table({ a: [first], b: [reply()] });
  await expect(call()).rejects.toThrow(first.message);
  expect(asked).toEqual(['a']);
});

test('the last of a list fails as it would alone', async () => {
  const refused = table({ a: [refusal], b: [refusal] });
  expect(await refused.call()).toMatchObject({ stop: 'refusal', cost_usd: 1, instead: { model: 'b' } });
  const limited = table({ a: [failure('quota')], b: [failure('rate_limit', 600_000)] });
  await expect(limited.call()).rejects.toThrow(ProviderWait);
});

test('who refused a task is not asked for it again; who was away is', async () => {
  const { asked, call, guard } = table({ a: [refusal], b: [reply()] });
  await call();
  await call();
  await guard.call(request({ model: 'a', task: 'another' }));
  expect(asked).toEqual(['a', 'b', 'b', 'a', 'b']);
  const away = table({ a: [failure('rate_limit', 60_000), reply({ text: 'back' })], b: [reply()] });
  await away.call();
  expect(await away.call()).toEqual(reply({ text: 'back' }));
});

test('a budget that is spent hands nothing on for nothing', async () => {
  const { asked, guard } = table({ a: [reply({ cost_usd: 200 })], b: [reply()] });
  await guard.call(request({ model: 'a' }));
  await expect(guard.call(request({ model: 'a' }))).rejects.toThrow('the budget of $100 is used up');
  expect(asked).toEqual(['a']);
});

test.for([
  ['of the task', 'claude-opus-5-5', '2ic', ['claude-sonnet-5', 'claude-haiku-5-5']],
  ['of all tasks', 'claude-opus-5-5', 'x', ['claude-opus-5']],
  ['of an alias', 'claude-sonnet-5-5', 'x', ['claude-haiku-5-5']],
  ['none', 'claude-haiku-5-5', 'x', []],
] as const)('the list %s says who is behind', ([, model, task, behind]) => {
  const models = {
    '2ic': ['claude-opus-5-5', 'claude-sonnet-5', 'small'],
    default: ['claude-opus-5-5', 'claude-opus-5'],
    strong: ['claude-sonnet-5-5', 'claude-haiku-5-5'],
    'eng-lead': 'claude-sonnet-5-5',
  };
  expect(modelsBehind({ models, rows: {} })(model, task)).toEqual(behind);
});

test('the session tells once who answered instead', async () => {
  const { guard } = table({
    a: [refusal],
    b: [reply({ text: '', stop: 'tool_calls', tool_calls: [] }), reply({ text: 'Done.' })],
  });
  let summary: SessionSummary | undefined;
  await runSession(
    {
      ...{ key: 'k', scope: 's', task: 't', model: 'a', prompt: 'Go.', tools: [], abilities: [] },
      ...{ system: { stable: '', changing: '' }, signal: new AbortController().signal },
      limits: { turns: 5, output_tokens: 100, time_ms: 60_000 },
    },
    { model: guard, clock: systemClock, onSummary: each => (summary = each) },
  );
  expect(summary?.instead).toEqual(['b answered: a refuses']);
});
