// Resolution of a model's name: aliases, tiers, models with a price, and unknown names.
import { expect, test } from 'vitest';
import { modelNames, tiers } from '../../../src/engine/models/names.ts';
import type { ModelRow } from '../../../src/engine/models/table.ts';

const price = { input: 1, output: 1, cache_read: 1, cache_write: 1 };
const row: ModelRow = {
  ...{ provider: 'openai', tools: 'functions', temperature: true, efforts: [], schema: false, price },
};
const names = modelNames({
  models: {
    cheap: 'claude-haiku-5-5',
    mine: 'own-model',
    reviewer: 'claude-opus-5',
    default: 'claude-sonnet-5',
  },
  rows: { 'own-model': row, middle: row },
});

test.each([
  ['a model', 'claude-opus-5-5', 'x', 'claude-opus-5-5'],
  ['an alias', 'cheap', 'x', 'claude-haiku-5-5'],
  ['an alias of a model with a price of its own', 'mine', 'x', 'own-model'],
  ['that model itself', 'own-model', 'x', 'own-model'],
  ['a tier', 'small', 'x', tiers.small],
  ['a model of its own that is named as a tier', 'middle', 'x', 'middle'],
  ['none, of a task with a model', undefined, 'reviewer', 'claude-opus-5'],
  ['none', undefined, 'x', 'claude-sonnet-5'],
  ['none, of a task named as a property of objects', undefined, 'constructor', 'claude-sonnet-5'],
])('%s', (_name, named, task, model) => expect(names(named, task)).toBe(model));

test.each([
  [
    'unknown, with the nearest',
    'claude-opus-5-6',
    /^unknown model claude-opus-5-6; did you mean "claude-opus-5-5"\?/,
  ],
  ['an alias misspelt', 'chaep', /did you mean "cheap"\?/],
  ['a property of objects', 'constructor', /^unknown model constructor/],
  ['too long to be shown', 'x'.repeat(10_000), /^unknown model x{200}\.\.\./],
])('%s', (_name, named, words) => expect(() => names(named, 'x')).toThrow(words));

test('an alias of a model without a price', () =>
  expect(() => modelNames({ models: { a: 'nobody-knows' }, rows: {} })('a', 'x')).toThrow('unknown model a'));
