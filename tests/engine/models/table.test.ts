// The table of models: every tier has a row, rows have their source, unknown names are refused.
import { describe, expect, test } from 'vitest';
import { knownAs, knownModels, rowOf } from '../../../src/engine/models/table.ts';
import { defaultTier, type Tier, tiers } from '../../../src/engine/models/names.ts';

test.each(Object.entries(knownModels))(
  '%s has a date, a source, and prices in a sensible order',
  (_model, row) => {
    expect(row.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(row.source).toMatch(/^https:\/\//);
    const days = (Date.now() - Date.parse(row.date)) / 86_400_000;
    // A reminder: prices of others change without asking.
    if (days > 90) console.warn(`${_model} was checked ${Math.round(days)} days ago: look at ${row.source}`);
    const { long } = row.price;
    for (const band of [row.price, ...(long === undefined ? [] : [long])]) {
      expect(band.cache_read).toBeGreaterThan(0);
      expect(band.cache_read).toBeLessThan(band.input);
      expect([1, 1.25]).toContain(band.cache_write / band.input);
      expect(band.output).toBeGreaterThan(band.input);
    }
  },
);

test.each(Object.entries(tiers))('the %s tier has a row', (_tier, model) => {
  expect(() => rowOf(model)).not.toThrow();
});

test.each<[string, Tier]>([
  ['2ic', 'strongest'],
  ['eng-lead', 'middle'],
  ['engineer.director', 'middle'],
])('%s takes the %s tier', (role, tier) => {
  expect(defaultTier(role)).toBe(tier);
});

describe('what is known of a model', () => {
  const own = {
    provider: 'openai',
    tools: 'functions',
    temperature: true,
    efforts: [],
    schema: false,
    price: { input: 1, output: 2, cache_read: 3, cache_write: 4 },
  } as const;
  test.each(['gpt-next', 'toString', '__proto__', ''])('%j is refused', model => {
    expect(() => rowOf(model)).toThrow(
      `no price for model ${model}: add prices.${model} to .github/echelon.yml`,
    );
  });
  test("is the configuration's first", () => {
    expect(rowOf('local', { local: own })).toBe(own);
    expect(rowOf(tiers.strongest, { [tiers.strongest]: own })).toBe(own);
  });
});

test.each([
  ['claude-haiku-5-5', 'claude-haiku-5-5'],
  ['claude-opus-5-5-20261001', 'claude-opus-5-5'],
  ['claude-opus-5-5-latest', 'claude-opus-5-5'],
  ['claude-opus-5-5@20261001', 'claude-opus-5-5'],
  ['Claude-Opus-5-5', 'claude-opus-5-5'],
  ['openai/GPT-6.2-sol', 'gpt-6.2-sol'],
  ['openai/gpt-6.2-astra-20261117', 'gpt-6.2-astra'],
  ['gpt-6.2-sol-2026-11-17', 'gpt-6.2-sol'],
  ['models/gemini-4-neon', 'gemini-4-neon'],
  ['google/gemini-4-neon', 'gemini-4-neon'],
])('%s is known as %s', (model, row) => {
  expect(knownAs(model)).toBe(row);
  expect(rowOf(model)).toBe(knownModels[row]);
});

test.each([
  'openai/claude-opus-5-5',
  'local',
  'claude-opus-5-9',
  'claude-opus-5-5-fast',
  'claude-opus-5-5-2026',
  'toString',
  '',
])('nothing is known of %j', model => expect(knownAs(model)).toBeUndefined());
