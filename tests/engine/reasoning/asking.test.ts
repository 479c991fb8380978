// Sessions of one evaluation that ask the person: what the journal keeps of them, and how they go on from it.
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { type Entry, live } from '../../../packages/ground/journal/journal.ts';
import { answerQuestion, SessionPaused } from '../../../src/engine/reasoning/question.ts';
import type { SessionRequest } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { over } from '../../ground/journal/in-memory.ts';
import { asked, callsTo, playing, reply } from './model.ts';

/** One process over the journal: its sessions run one after the other. */
function opened(kept: Entry[], model: ReturnType<typeof playing>) {
  const journal = over(kept);
  const request = (key: string): SessionRequest => ({
    ...asked(),
    ...{ key, prompt: key },
    tools: [],
    abilities: ['ask'],
    limits: { turns: 5, output_tokens: 100, time_ms: 60_000 },
  });
  const around = { model, clock: systemClock };
  const run = (key: string) =>
    journal.step(key, (_op, progress) => runSession(request(key), around, progress), { costly: true });
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

/** The state that another process finds, with the answer to the session of `key`. */
async function withAnswer(kept: readonly Entry[], key: string, answer: string): Promise<Entry[]> {
  const found: Entry[] = JSON.parse(JSON.stringify(kept));
  const journal = over(found);
  const before = found.filter(entry => entry.t === 'signal' && entry.name === key).length;
  answerQuestion(journal, `${key}#${before + 1}`, answer);
  await journal.save();
  return found;
}
const answersIn = (kept: readonly Entry[]) =>
  kept.flatMap(entry => (entry.t === 'signal' ? [[entry.name, entry.value]] : []));
const checkpointsIn = (kept: readonly Entry[]) => live(kept).filter(({ t }) => t === 'checkpoint');

test('of two that ask, each asks once and goes on from its own answer', async () => {
  const first: Entry[] = [];
  const one = opened(first, playing(ask('Left?'), ask('Right?')));
  await one.pause('k/left');
  await one.pause('k/right');
  expect(checkpointsIn(first)).toMatchObject([{ key: 'k/left' }, { key: 'k/right' }]);

  const second = await withAnswer(first, 'k/left', 'blue');
  const two = opened(second, playing(reply('Blue on the left.')));
  expect(await two.text('k/left')).toBe('Blue on the left.');
  // Asked without any model call: there is no reply to give.
  expect((await two.pause('k/right')).question).toBe('Right?');

  const third = await withAnswer(second, 'k/right', 'red');
  const model = playing(reply('Red on the right.'));
  expect(await opened(third, model).text('k/right')).toBe('Red on the right.');
  expect(JSON.stringify(model.requests[0]!.messages)).toContain('The answer to your question:\\nred');
});

test('one that asks again does not take the answer it had: that stands in its state', async () => {
  const first: Entry[] = [];
  await opened(first, playing(ask('Which?'))).pause('k');
  const second = await withAnswer(first, 'k', 'blue');
  const again = await opened(second, playing(ask('How wide?'))).pause('k');
  expect(again.state.answers).toEqual([{ question: 'Which?', answer: 'blue' }]);
  expect((await opened(second, playing()).pause('k')).question).toBe('How wide?');
  const third = await withAnswer(second, 'k', 'a metre');
  expect(answersIn(third)).toEqual([
    ['k', 'blue'],
    ['k', 'a metre'],
  ]);
  const model = playing(reply('Blue, a metre.'));
  expect(await opened(third, model).text('k')).toBe('Blue, a metre.');
  const told = JSON.stringify(model.requests[0]!.messages);
  for (const answer of ['blue', 'a metre'])
    expect(told.split(`The answer to your question:\\n${answer}`)).toHaveLength(2);
});

describe('a key of every name', () => {
  test.each(['constructor', 'toString', '__proto__', 'k'])('%s begins where nothing is kept', async key => {
    expect(await opened([], playing(reply('done'))).text(key)).toBe('done');
  });
});

describe('an answer', () => {
  test('of one question is said once: the first one holds', async () => {
    const kept: Entry[] = [];
    await opened(kept, playing(ask('Which?'))).pause('k');
    const once = await withAnswer(kept, 'k', 'blue');
    expect(answersIn(await withAnswer(once, 'k', 'red'))).toEqual([['k', 'blue']]);
  });

  test('to a session that asks nothing is not said', async () => {
    const kept: Entry[] = [];
    await opened(kept, playing(ask('Which?'))).pause('k');
    expect(answersIn(await withAnswer(kept, 'other', 'blue'))).toEqual([]);
    const answered = await withAnswer(kept, 'k', 'blue');
    await opened(answered, playing(reply('Blue.'))).text('k');
    expect(answersIn(await withAnswer(answered, 'k', 'red'))).toEqual([['k', 'blue']]);
  });

  test('to a session that went on after its answer is not said', async () => {
    const kept: Entry[] = [];
    await opened(kept, playing(ask('Which?'))).pause('k');
    const answered = await withAnswer(kept, 'k', 'blue');
    const model = playing(callsTo(['read_file', { path: 'a' }]), new Error('lost'));
    await expect(opened(answered, model).text('k')).rejects.toThrow('lost');
    expect(answersIn(await withAnswer(answered, 'k', 'red'))).toEqual([['k', 'blue']]);
  });

  test('that is no text leaves the question waiting', async () => {
    const kept: Entry[] = [];
    await opened(kept, playing(ask('Which?'))).pause('k');
    const journal = over(kept);
    journal.deliver({ id: 'x', name: 'k', value: { forged: true } });
    await journal.save();
    expect((await opened(kept, playing()).pause('k')).question).toBe('Which?');
  });
});
