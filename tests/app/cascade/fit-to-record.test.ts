// What the record keeps of a conversation and of sessions that wait: what goes first, and when nothing fits.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fits, keptAsking, keptConversation } from '../../../src/app/cascade/fit-to-record.ts';
import type { ModelMessage } from '../../../src/engine/models/model.ts';
import type { PausedSessions } from '../../../src/engine/reasoning/asking.ts';
import { begin } from '../../../src/engine/reasoning/session-lifecycle.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';

const called = (answer: number, n = 0): ModelMessage[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool_call', id: `c${n}`, name: 'read_file', input: { path: 'a' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', id: `c${n}`, content: 'r'.repeat(answer) }] },
];
const said = (text: string): ModelMessage[] => [{ role: 'user', content: [{ type: 'text', text }] }];
const many = (count: number, answer: number) =>
  Array.from({ length: count }, (_, n) => called(answer, n)).flat();

describe('a conversation', () => {
  test.each<[name: string, messages: ModelMessage[], whole: boolean]>([
    ['a short one', [...said('Do it.'), ...called(5000)], true],
    ['one long answer of a tool', [...said('Do it.'), ...called(100_000)], false],
    ['many long answers', [...said('Do it.'), ...many(100, 6000)], false],
    ['long words of the person', [...said('x'.repeat(100_000)), ...many(10, 6000)], false],
  ])('%s is within 30,000 characters', (_name, messages, whole) => {
    const kept = keptConversation(messages);
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(30_000);
    expect(kept.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual(
      messages.map(({ role, content }) => [role, content.map(({ type }) => type)]),
    );
    if (whole) expect(kept).toEqual(messages);
  });

  test('words stay whole while answers of tools can go', () => {
    const words = 'w'.repeat(20_000);
    expect(keptConversation([...said(words), ...many(20, 20_000)])[0]).toEqual(said(words)[0]);
  });
});

describe('sessions that wait', () => {
  // Nothing that packs.
  const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length);
  const waiting = (answers: string[], prompt = 'Do it.'): SessionState => ({
    ...begin(prompt),
    status: 'paused',
    pending: {
      question: 'How?',
      parts: answers.map((content, n) => ({ type: 'tool_result', id: `c${n}`, content })),
    },
  });
  const asking = (state: SessionState, answered: PausedSessions = {}) => ({
    session: 'k',
    state,
    answered,
    question: 'How?',
  });

  test('stay whole where the record can take them', () => {
    const small = asking(waiting(['r'.repeat(50_000)]), { b: { state: waiting([]), answer: 'Yes.' } });
    expect(keptAsking(small)).toBe(small);
  });

  test('lose long answers of tools first', () => {
    const kept = keptAsking(
      asking(waiting([noise(60_000)]), { b: { state: waiting([noise(60_000)]), answer: 'Yes.' } }),
    );
    expect(kept?.question).toBe('How?');
    expect(Object.keys(kept!.answered)).toEqual(['b']);
    for (const state of [kept!.state, kept!.answered['b']!.state])
      expect(state.pending!.parts[0]).toMatchObject({
        id: 'c0',
        content: expect.stringContaining('characters were left out'),
      });
  });

  test('then those that asked beside it and have no answer', () => {
    const large = () => waiting([], noise(25_000));
    const kept = keptAsking(
      asking(large(), {
        a: { state: waiting([]), answer: 'Yes.' },
        b: { state: large() },
        c: { state: large() },
      }),
    );
    expect(Object.keys(kept!.answered)).toEqual(['a']);
    expect(fits(kept)).toBe(true);
  });

  test('or nothing is kept', () => {
    const state = waiting([]);
    state.lastResult = noise(100_000);
    expect(keptAsking(asking(state))).toBeUndefined();
  });
});
