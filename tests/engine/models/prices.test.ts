// Prices and tiers: every default model is priced, unknown ones are refused, costs add up.
import { describe, expect, test } from 'vitest';
import { costOf, pricedAs, prices, priceOf } from '../../../src/engine/models/prices.ts';
import { defaultTier, type Tier, tiers } from '../../../src/engine/models/tiers.ts';

const million = 1_000_000;
const none = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

test.each(Object.entries(prices))(
  '%s has a date, a source, and prices in a sensible order',
  (_model, row) => {
    expect(row.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(row.source).toMatch(/^https:\/\//);
    for (const band of [row, ...(row.long === undefined ? [] : [row.long])]) {
      expect(band.cache_read).toBeGreaterThan(0);
      expect(band.cache_read).toBeLessThan(band.input);
      expect(band.cache_write).toBeCloseTo(band.input * 1.25, 10);
      expect(band.output).toBeGreaterThan(band.input);
    }
  },
);

test.each(Object.entries(tiers))('the %s tier is priced', (_tier, model) => {
  expect(() => priceOf(model)).not.toThrow();
});

test.each<[string, Tier]>([
  ['2ic', 'strongest'],
  ['eng-lead', 'middle'],
  ['engineer.director', 'middle'],
])('%s takes the %s tier', (role, tier) => {
  expect(defaultTier(role)).toBe(tier);
});

describe('the price of a model', () => {
  const own = { input: 1, output: 2, cache_read: 3, cache_write: 4 };
  test.each(['gpt-next', 'toString', '__proto__', ''])('%j is refused', model => {
    expect(() => priceOf(model)).toThrow(
      `no price for model ${model}: add prices.${model} to .github/echelon.yml`,
    );
  });
  test("is the configuration's first", () => {
    expect(priceOf('local', { local: own })).toBe(own);
    expect(priceOf(tiers.strongest, { [tiers.strongest]: own })).toBe(own);
  });
});

test.each([
  ['claude-haiku-5-5', 'claude-haiku-5-5'],
  ['claude-opus-5-5-20261001', 'claude-opus-5-5'],
  ['claude-opus-5-5-latest', 'claude-opus-5-5'],
])('what %s costs is told by the row %s', (model, row) => {
  expect(pricedAs(model)).toBe(row);
  expect(priceOf(model)).toBe(prices[row]);
});

test.each(['local', 'claude-opus-5-9', 'claude-opus-5-5-fast', 'claude-opus-5-5-2026', 'toString', ''])(
  'no row tells what %j costs',
  model => expect(pricedAs(model)).toBeUndefined(),
);

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
    expect(costOf(usage, prices['claude-haiku-5-5']!)).toBeCloseTo(usd, 9);
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('of %d tokens is refused', output_tokens => {
    expect(() => costOf({ ...none, output_tokens }, price)).toThrow(`output_tokens is ${output_tokens}`);
  });

  test('by a price that is no number is refused', () => {
    expect(() => costOf({ ...none, output_tokens: 1 }, { ...price, output: Number.NaN })).toThrow(
      'unusable: NaN',
    );
  });
});
