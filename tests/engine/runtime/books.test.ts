// The books of a program that asks its model at our door.
import { expect, test } from 'vitest';
import type { Model, ModelRequest } from '../../../src/engine/models/model.ts';
import { openBooks } from '../../../src/engine/runtime/engines/program-engine.ts';

test('a call has the model, the effort and the output limit of its session, and a key of its own', async () => {
  const called: ModelRequest[] = [];
  const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 };
  const model: Model = {
    provider: 'test',
    async call(request) {
      called.push(request);
      return { text: 'Yes.', tool_calls: [], usage, cost_usd: 0.5, stop: 'end' };
    },
  };
  const { signal } = new AbortController();
  const session = {
    ...{ key: 'k', scope: 's', task: 'engineer.director', model: 'm', effort: 'high' as const, signal },
    ...{ system: { stable: '', changing: '' }, prompt: '', tools: [], abilities: [] },
    limits: { turns: 2, output_tokens: 77, time_ms: 1000 },
  };
  const books = openBooks(session, { model, onEvent() {} });
  const asked = { system: { stable: 'x', changing: '' }, messages: [], tools: [] };
  await Promise.all([books.ask(asked), books.ask(asked)]);
  const own = {
    model: 'm',
    effort: 'high',
    max_output_tokens: 77,
    scope: 's',
    task: 'engineer.director',
    ...asked,
  };
  expect(called).toEqual([
    { ...own, key: 'k/1', signal },
    { ...own, key: 'k/2', signal },
  ]);
  expect(books.spent).toMatchObject({ turns: 2, cost_usd: 1 });
});
