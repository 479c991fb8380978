// The operator's caps: variables and file, read strictly, the variable before the file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCaps } from '../../../src/doors/app/server-settings.ts';

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-caps-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'operator.yml');
  writeFileSync(path, text);
  return path;
}

test('nothing set: nothing is capped', () => {
  expect(readCaps({ ECHELON_MAX_BUDGET: ' ' })).toEqual({});
});

test('every variable', () => {
  expect(
    readCaps({
      ECHELON_MAX_BUDGET: '12.5',
      ECHELON_MAX_PARALLEL: '2',
      ECHELON_MAX_ROUNDS: ' 3 ',
      ECHELON_MAX_RUNS_PER_HOUR: '100',
    }),
  ).toEqual({
    budget: { most: 12.5, by: 'ECHELON_MAX_BUDGET' },
    max_parallel: { most: 2, by: 'ECHELON_MAX_PARALLEL' },
    rounds: { most: 3, by: 'ECHELON_MAX_ROUNDS' },
    runs_per_hour: { most: 100, by: 'ECHELON_MAX_RUNS_PER_HOUR' },
  });
});

test('the file, and a variable before it', () => {
  const path = file('caps:\n  budget: 7\n  rounds: 2\n');
  expect(readCaps({ ECHELON_CONFIG: path, ECHELON_MAX_ROUNDS: '4' })).toEqual({
    budget: { most: 7, by: 'caps.budget of its configuration' },
    rounds: { most: 4, by: 'ECHELON_MAX_ROUNDS' },
  });
});

test('prices of the file', () => {
  const path = file('prices:\n  own: { input: 1, output: 2, cache_read: 0.1, cache_write: 1 }\n');
  const prices = { own: { input: 1, output: 2, cache_read: 0.1, cache_write: 1 } };
  expect(readCaps({ ECHELON_CONFIG: path })).toEqual({ prices });
  const known = file('prices:\n  Claude-Opus-5-5: { input: 0, output: 0, cache_read: 0, cache_write: 0 }\n');
  expect(() => readCaps({ ECHELON_CONFIG: known })).toThrow(
    `${known}:2:3 prices.Claude-Opus-5-5: the price of claude-opus-5-5 is known`,
  );
});

test.for([
  ['ECHELON_MAX_BUDGET', '1e308', 'an amount of USD from 0.01 to 100000'],
  ['ECHELON_MAX_BUDGET', '0', 'an amount of USD from 0.01 to 100000'],
  ['ECHELON_MAX_BUDGET', 'ten', 'an amount of USD from 0.01 to 100000'],
  ['ECHELON_MAX_PARALLEL', '21', 'a whole number from 1 to 20'],
  ['ECHELON_MAX_ROUNDS', '1.5', 'a whole number from 1 to 20'],
  ['ECHELON_MAX_RUNS_PER_HOUR', '-1', 'a whole number from 1 to 1000'],
] as const)('%s=%s is refused by name', ([name, value, what]) => {
  expect(() => readCaps({ [name]: value })).toThrow(`${name}: ${value} is not possible; it is ${what}`);
});

test.for([
  ['cap:\n  budget: 7\n', ':1:1 unknown key cap; did you mean "caps"?'],
  ['caps:\n  budgt: 7\n', ':2:3 unknown key caps.budgt; did you mean "budget"?'],
  ['caps:\n  rounds: 21\n', ':2:3 caps.rounds: '],
  ['# note\n'.repeat(6000), 'the file has 42000 bytes; at most 32768 are read'],
] as const)('a file with %j is refused with its place', ([text, message]) => {
  const path = file(text);
  expect(() => readCaps({ ECHELON_CONFIG: path })).toThrow(message);
});

test('a file that is not there is refused by the name of the variable', () => {
  expect(() => readCaps({ ECHELON_CONFIG: '/nowhere/operator.yml' })).toThrow(/^ECHELON_CONFIG: .*ENOENT/);
});
