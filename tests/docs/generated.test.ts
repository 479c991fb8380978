// The pages and the schema are as made of the code, and the schema says of a file what the product says of it.
import { globSync, readFileSync, statSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Config } from '../../src/app/config/config.ts';
import { configSchema, generated, partOf } from './generate.ts';

const made = await generated();

test.each([...made.keys()])('%s is as made: npm run docs', path => {
  expect(readFileSync(path, 'utf8')).toBe(made.get(path));
});

test.each(['helpless', 'help nosuch', 'help task nosuch', 'Cells'])('nothing is made as "%s"', async name => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  await expect(partOf(name, configSchema())).rejects.toThrow(`nothing is made as "${name}"`);
  said.mockRestore();
});

test('the page of the configuration has every key with what it means', () => {
  const page = made.get('docs/configuration.md') ?? '';
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (.+) \|.*\| (.+) \|$/gm)];
  const named = rows.map(([, key = '']) => key.split('.')[0]);
  expect(new Set(named)).toEqual(new Set(Object.keys(Config.shape)));
});

const validate = new Ajv.default({ strict: false }).compile(configSchema());

test.each([
  ['nothing', '{}'],
  ['a budget', '{ budget: { total: 5, layers: { 2ic: 1 } } }'],
  ['times', '{ timeouts: { attempt: 20m, cascade: 1h } }'],
  ['a price', '{ prices: { m: { input: 1, output: 2, cache_read: 0, cache_write: 0 } } }'],
  ['a flat plan', '{ billing: max }'],
  ['engines in an order', '{ engines: [claude-code, native] }'],
  ['an engine twice', '{ engines: [native, native] }'],
  ['no engine', '{ engines: [] }'],
  ['an unknown key', '{ labels: echelon }'],
  ['an unknown key below another', '{ budget: { totals: 5 } }'],
  ['a time in words', '{ timeouts: { attempt: soon } }'],
  ['a time as a number', '{ timeouts: { attempt: 600 } }'],
  ['too many jobs', '{ max_parallel: 21 }'],
  ['half a job', '{ max_parallel: 1.5 }'],
  ['a choice that is none', '{ approval: sometimes }'],
  ['half a price', '{ prices: { m: { input: 1 } } }'],
  ['a setup command', '{ setup: make }'],
  ['a label of two lines', '{ label: "a\\nb" }'],
])('the schema and the product are of one mind about %s', (_, text) => {
  const value: unknown = parse(text);
  expect(validate(value)).toBe(Config.safeParse(value).success);
});

test('the README can be read in one sitting', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(150);
});

test.each(globSync('docs/images/*'))('%s is small', path => {
  expect(statSync(path).size).toBeLessThan(200_000);
});
