// The start of a run out of its record: what every step after it is pinned to, read with its place where it does not fit.
import { expect, test } from 'vitest';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { startOf } from '../../../src/app/run/inspect-run.ts';

const start = {
  program: 5,
  by: 'wanda',
  trigger: 11,
  since: 7,
  base: { branch: 'main', commit: 'c'.repeat(40) },
  directive: { title: 'Add a mark', body: '' },
  config: { budget: { total: 5 } },
  models: { '2ic': 'm' },
  scripted: true,
  first_call_usd: 0.1,
  isolation: 'none',
  test: '',
};
const read = (result: Json) => startOf({ entries: [{ t: 'step', key: 'start', result, at: 1 }] });

test('it comes back as it was written', () => {
  expect(read(start)).toEqual(start);
});

test('a run of an older version does not say since when', () => {
  const { since: _, ...older } = start;
  expect(read(older)).toEqual(older);
});

test.each<[what: string, change: Record<string, Json>, place: string]>([
  ['no base', { base: null }, ' at base'],
  ['a base without its commit', { base: { branch: 'main' } }, ' at base.commit'],
  ['a trigger of words', { trigger: 'eleven' }, ' at trigger'],
  ['a configuration without a budget', { config: {} }, ' at config'],
  ['an isolation that there is not', { isolation: 'half' }, ' at isolation'],
])('%s is told with its place', (_what, change, place) => {
  expect(() => read({ ...start, ...change })).toThrow(
    `the record holds a start that cannot be read${place}: `,
  );
});

test('a record that begins otherwise', () => {
  expect(() => startOf({ entries: [] })).toThrow('the record does not begin with the start of the run');
});
