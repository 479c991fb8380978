// Sessions of one evaluation that ask the person: what is handed on as JSON, and how they go on from it.
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import {
  type Asking,
  askingOf,
  onlyAnswered,
  type PausedSessions,
  sessionsFrom,
  withAnswer,
} from '../../../src/engine/reasoning/asking.ts';
import { begin } from '../../../src/engine/reasoning/session-lifecycle.ts';
import { SessionPaused } from '../../../src/engine/reasoning/question.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';
import { callsTo, playing, reply } from './model.ts';

/** One process: its sessions run one after the other, and it ends with the first question. */
function opened(sessions: PausedSessions, model: ReturnType<typeof playing>) {
  const session = sessionsFrom(sessions, { model, clock: systemClock });
  const run = (key: string) =>
    session({
      key,
      scope: 's',
      task: 't',
      model: 'm',
      system: { stable: '', changing: '' },
      prompt: key,
      tools: [],
      abilities: ['ask'],
      limits: { turns: 5, output_tokens: 100, time_ms: 60_000 },
      signal: new AbortController().signal,
    });
  return {
    text: async (key: string) => (await run(key)).text,
    pause: async (key: string) =>
      await run(key).then(
        () => expect.fail('it did not pause'),
        (error: SessionPaused) => {
          expect(error).toBeInstanceOf(SessionPaused);
          return error;
        },
      ),
  };
}
const ask = (question: string) => callsTo(['ask', { question }]);
const throughJson = (asking: Asking) => JSON.parse(JSON.stringify(asking)) as Asking;

test('of two that ask, each asks once and goes on from its own answer', async () => {
  const first: PausedSessions = {};
  const one = opened(first, playing(ask('Left?'), ask('Right?')));
  const left = await one.pause('k/left');
  await one.pause('k/right');
  const waiting = throughJson(askingOf(left, first));
  expect([waiting.session, Object.keys(waiting.answered)]).toEqual(['k/left', ['k/right']]);

  const second = withAnswer(waiting, 'blue');
  const two = opened(second, playing(reply('Blue on the left.')));
  expect(await two.text('k/left')).toBe('Blue on the left.');
  // Asked without any model call: there is no reply to give.
  const right = await two.pause('k/right');
  expect(right.question).toBe('Right?');
  const still = throughJson(askingOf(right, second));
  expect([still.session, Object.keys(still.answered)]).toEqual(['k/right', []]);

  const third = withAnswer(still, 'red');
  const model = playing(reply('Red on the right.'));
  expect(await opened(third, model).text('k/right')).toBe('Red on the right.');
  expect(JSON.stringify(model.requests[0]!.messages)).toContain('The answer to your question:\\nred');
  expect(third).toEqual({});
});

test('one that asks again loses the answer it had: that stands in its state', async () => {
  const first: PausedSessions = {};
  const asking = askingOf(await opened(first, playing(ask('Which?'))).pause('k'), first);
  const second = withAnswer(asking, 'blue');
  const again = await opened(second, playing(ask('How wide?'))).pause('k');
  expect(second['k']).toEqual({ state: again.state });
  expect(again.state.answers).toEqual([{ question: 'Which?', answer: 'blue' }]);
  expect(askingOf(again, second).answered).toEqual({});
});

test('one that fails after its answer keeps both', async () => {
  const first: PausedSessions = {};
  const asking = askingOf(await opened(first, playing(ask('Which?'))).pause('k'), first);
  const second = withAnswer(asking, 'blue');
  await expect(opened(second, playing(new Error('lost'))).text('k')).rejects.toThrow();
  expect(await opened(second, playing(reply('Blue.'))).text('k')).toBe('Blue.');
});

describe('a key of every name', () => {
  test.each(['constructor', 'toString', 'k'])('%s begins where nothing is kept', async key => {
    expect(await opened({}, playing(reply('done'))).text(key)).toBe('done');
  });
});

test('what has no answer can be left out', () => {
  const state: SessionState = begin('x');
  const answered = { a: { state, answer: '' }, b: { state } };
  expect(onlyAnswered({ session: 'c', state, answered })).toEqual({
    session: 'c',
    state,
    answered: { a: { state, answer: '' } },
  });
});
