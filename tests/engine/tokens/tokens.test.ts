// Input tokens of a loop and a long session, priced like a provider's prompt cache: upper bounds.
import { describe, expect, test } from 'vitest';
import { pricedFullHistory, tokensOfLoop } from './loop.ts';
import { type Block, type Cached, promptCache } from './prompt-cache.ts';
import { LIMIT, tokensOfSession } from './session.ts';

test('five rounds of a director-evaluator: at most 36,000, a third of what all of their history would', async () => {
  const { calls, priced } = await tokensOfLoop();
  expect(calls).toBe(10);
  expect(priced).toBeLessThanOrEqual(36_000);
  expect(priced).toBeLessThan(pricedFullHistory() / 3);
});

test('twenty rounds with vault and compaction: at most 60,000, less than without', async () => {
  const shortened = await tokensOfSession(LIMIT);
  const whole = await tokensOfSession();
  expect([shortened.calls, whole.calls]).toEqual([20, 20]);
  expect(shortened.priced).toBeLessThanOrEqual(60_000);
  expect(shortened.priced).toBeLessThan(0.92 * whole.priced);
});

describe('the cache that prices them', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  /** A block of so many tokens. */
  const block = (name: string, tokens: number): Block => ({ type: 'text', text: name.repeat(4 * tokens) });
  const body = (...content: Block[]): Cached => ({
    model: 'claude-sonnet-5-5',
    messages: [{ role: 'user', content }],
  });
  const long = block('a', 2000);

  test.each<[string, Block[][], number[]]>([
    ['without a mark nothing is kept', [[long], [long]], [2000, 2000]],
    ['what is marked is written, then read', [[{ ...long, ...mark }], [{ ...long, ...mark }]], [2500, 200]],
    ['below 1,024 tokens nothing is kept', Array(2).fill([{ ...block('a', 1000), ...mark }]), [1000, 1000]],
    [
      'what changes before a mark costs all of it',
      [
        [block('b', 10), { ...long, ...mark }],
        [block('c', 10), { ...long, ...mark }],
      ],
      [2512.5, 2512.5],
    ],
    [
      'a mark that has moved on finds what was kept within twenty blocks before it',
      [[{ ...long, ...mark }], [long, ...Array(19).fill(block('b', 10)), { ...block('c', 10), ...mark }]],
      [2500, 450],
    ],
    [
      'but not before them',
      [[{ ...long, ...mark }], [long, ...Array(20).fill(block('b', 10)), { ...block('c', 10), ...mark }]],
      [2500, 2762.5],
    ],
  ])('%s', (_name, requests, priced) => {
    const cache = promptCache();
    expect(requests.map(content => cache.price(body(...content)).priced)).toEqual(priced);
  });

  test('another model has a cache of its own', () => {
    const cache = promptCache();
    const sent = body({ ...long, ...mark });
    expect(cache.price(sent).read).toBe(0);
    expect(cache.price({ ...sent, model: 'claude-haiku-5-5' }).read).toBe(0);
  });
});
