// Costs of calls: by usage and prices, with surcharges for long prompts.
import { describe, expect, test } from 'vitest';
import { costOf } from '../../../src/engine/models/prices.ts';
import { rowOf } from '../../../src/engine/models/table.ts';

const million = 1_000_000;
const none = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

describe('the cost', () => {
  const price = { input: 1, output: 10, cache_read: 100, cache_write: 1000 };
  test.each([
    ['input_tokens', 1],
    ['output_tokens', 10],
    ['cache_read_tokens', 100],
    ['cache_write_tokens', 1000],
  ])('of a million %s is its price', (kind, usd) => {
    expect(costOf({ ...none, [kind]: million }, price)).toBe(usd);
  });

  test.each([
    ['up to 100,000 tokens, cached ones included', 30_000, 0.003 + 0.0003 + 0.005],
    ['over 100,000 tokens, cached ones included', 30_001, 0.0150005 + 0.0015 + 0.025],
  ])('of a prompt of %s', (_name, input_tokens, usd) => {
    const usage = { input_tokens, output_tokens: 0, cache_read_tokens: 30_000, cache_write_tokens: 40_000 };
    expect(costOf(usage, rowOf('claude-haiku-5-5').price)).toBeCloseTo(usd, 9);
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('of %d tokens is refused', output_tokens => {
    expect(() => costOf({ ...none, output_tokens }, price)).toThrow(`output_tokens is ${output_tokens}`);
  });
});
