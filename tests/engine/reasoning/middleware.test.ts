// Middleware that answers what its hook cannot take, or that does not answer: reported, and waited for no longer than
// the session may take.
import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import type { Middleware } from '../../../src/engine/reasoning/middleware.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { asked, playing, reply } from './model.ts';

async function run(middleware: Partial<Middleware>) {
  const events: SessionEvent[] = [];
  const clock = stillClock();
  const model = playing(reply('end'));
  const ended = runSession(
    {
      ...asked(),
      tools: [],
      abilities: ['js'],
      limits: { turns: 3, output_tokens: 10, time_ms: 200 },
    },
    { model, clock, middleware: [{ name: 'own', ...middleware }], onEvent: event => events.push(event) },
  );
  const outcome = ended.then(
    ({ text }) => text,
    (error: unknown) => error,
  );
  return { outcome, events, clock, model };
}

const text = (words: unknown) => ({
  n: 1,
  messages: [{ role: 'user', content: [{ type: 'text', text: words }] }],
});

describe('preIteration that answers', () => {
  test.each<[string, unknown, string]>([
    ['null', null, 'preIteration answers { n, messages } with at least one message, or nothing: '],
    ['a text', 'messages', 'preIteration answers'],
    ['no messages', { n: 1 }, '(messages)'],
    ['an empty conversation', { n: 1, messages: [] }, '(messages)'],
    ['a message of nobody', { n: 1, messages: [{ role: 'system', content: [] }] }, '(messages.0.role)'],
    ['a text that is none', text(5), '(messages.0.content.0.text)'],
    ['what it throws', new Error('no'), 'no'],
  ])('%s is reported and skipped', async (_, given, error) => {
    const { outcome, events, model } = await run({
      preIteration() {
        if (given instanceof Error) throw given;
        return given as never;
      },
    });
    expect(await outcome).toBe('end');
    expect(events.filter(({ type }) => type === 'middleware_error')).toMatchObject([
      { hook: 'preIteration', name: 'own', error: expect.stringContaining(error) as string },
    ]);
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'go' }] }]);
  });

  test('nothing, or other messages, is taken', async () => {
    const other = await run({ preIteration: () => text('other') as never });
    expect(await other.outcome).toBe('end');
    expect(JSON.stringify(other.model.requests[0]?.messages)).toContain('other');
    const none = await run({ preIteration: () => undefined as never });
    expect(await none.outcome).toBe('end');
    expect([...other.events, ...none.events].map(({ type }) => type)).not.toContain('middleware_error');
  });
});

describe('a hook that never answers', () => {
  test.each<[keyof Middleware & string, Partial<Middleware>, unknown]>([
    [
      'preIteration',
      { preIteration: () => new Promise(() => {}) },
      { detail: { code: 'RESOURCE_EXHAUSTION', resource: 'time', limit: 200 } },
    ],
    ['postIteration', { postIteration: () => new Promise(() => {}) }, 'end'],
  ])('%s holds the session no longer than its time', async (_, middleware, expected) => {
    const { outcome, clock } = await run(middleware);
    await new Promise(resolve => setImmediate(resolve));
    clock.advance(200);
    const ended = await outcome;
    if (typeof expected === 'string') expect(ended).toBe(expected);
    else expect(ended).toMatchObject(expected as object);
  });
});
