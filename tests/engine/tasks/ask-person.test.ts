// A question to the person that is cancelled, fails or is never answered: a failure that keeps what was done.
import { describe, expect, test } from 'vitest';
import { TaskError } from '../../../src/engine/language/result.ts';
import { NoAnswerYet, SessionPaused } from '../../../src/engine/reasoning/question.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { type AskPerson, askWithin } from '../../../src/engine/tasks/ask-person.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { evaluating, failed } from './surroundings.ts';

const program = `<task type="sequential"><steps>
  <task name="first"><description>x</description></task>
  <task name="asks"><description>y</description><tools>ask</tools><limits><time_s>1</time_s></limits></task></steps></task>`;

const replies = parseScript(
  JSON.stringify({
    version: 1,
    replies: [
      { for: 'first', text: 'FIRST' },
      { for: 'asks', tool_calls: [{ name: 'ask', input: { question: 'Which one?' } }] },
      { for: 'asks', when: 'the left one', text: 'LEFT' },
    ],
  }),
  'replies.json',
);

function asking(ask: AskPerson, waitMs?: number) {
  const clock = stillClock();
  const controller = new AbortController();
  const around = { model: scriptedModel(replies, { clock }), clock, ask: askWithin(ask, clock, waitMs) };
  const { result } = evaluating(program, {}, () => '', {
    session: request => runSession(request, around),
    abilities: ['ask'],
    clock,
    signal: controller.signal,
  });
  return { result, clock, controller };
}

/** One that is never answered: once it is asked the time can pass. */
function silent() {
  const asked = Promise.withResolvers<AbortSignal>();
  const ask: AskPerson = (_question, signal) => {
    asked.resolve(signal);
    return new Promise(() => {});
  };
  return { ask, asked: asked.promise };
}

describe('ends the task, with what was spent and finished', () => {
  const expected = {
    detail: { code: 'TASK_FAILURE', reason: 'tool_failed', step: 'asks' },
    notes: {
      dataUsage: { turns: 2 },
      failed: 'asks',
      steps: [{ step: 'first', result: { content: 'FIRST' } }],
    },
  };

  test.each<[string, unknown, string]>([
    ['cancelled', new Error('cancelled'), 'it was not answered: cancelled'],
    ['what is no error', 'no terminal', 'it was not answered: no terminal'],
    ['an abort of its own', new DOMException('closed', 'AbortError'), 'it was not answered: closed'],
  ])('%s', async (_name, thrown, words) => {
    const error = await failed(asking(() => Promise.reject(thrown)).result);
    expect(error).toMatchObject(expected);
    expect(error.message).toBe(`the question "Which one?" was asked, but ${words}`);
    expect(error.cause).toBe(thrown);
  });

  test.each([
    ['a day where nobody says otherwise', undefined, 24 * 60 * 60_000],
    ['as long as it was told to wait', 5_000, 5_000],
  ])('no answer: %s', async (_name, waitMs, wait) => {
    const { ask, asked } = silent();
    const { result, clock } = asking(ask, waitMs);
    let ended = false;
    const end = failed(result).finally(() => (ended = true));
    const signal = await asked;
    clock.advance(wait - 1);
    await new Promise(setImmediate);
    expect([ended, signal.aborted]).toEqual([false, false]);
    clock.advance(1);
    const error = await end;
    expect(error).toMatchObject(expected);
    expect(error.message).toContain(`no answer came within ${wait / 1000} s`);
    expect(signal.aborted).toBe(true);
  });
});

describe('goes through as it is', () => {
  test('an answer that comes later', async () => {
    const { result } = asking(() => Promise.reject(new NoAnswerYet('tomorrow')));
    await expect(result).rejects.toBeInstanceOf(SessionPaused);
  });

  test('an error that is data already', async () => {
    const own = new TaskError({ code: 'INVALID_INPUT' }, 'no such person');
    const error = await failed(asking(() => Promise.reject(own)).result);
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'no such person',
      notes: { dataUsage: { turns: 2 } },
    });
  });

  test('the abort of the whole', async () => {
    const { ask, asked } = silent();
    const { result, controller } = asking(ask);
    const signal = await asked;
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
    expect(signal.aborted).toBe(true);
  });
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('a wait of %s ms is refused', waitMs => {
  expect(() => askWithin(async () => '', stillClock(), waitMs)).toThrow(RangeError);
});
