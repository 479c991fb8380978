// Models of a run by configuration and keys, and reasons not to begin.
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/app/config/config-file.ts';
import { engineersPrice, modelsFor } from '../../../src/app/handlers/models-for.ts';

const config = (text: string) => {
  const read = parseConfig(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.config;
};
const own =
  'openai/own: { provider: openai, efforts: [low], price: { input: 1, output: 2, cache_read: 0, cache_write: 0 } }';
const anthropic = { scripted: false, providers: ['anthropic'] as const };
const openai = { scripted: false, providers: ['openai'] as const };

test('without a configuration they are those of the tiers', () => {
  expect(modelsFor(anthropic, config(''))).toEqual({
    default: 'claude-sonnet-5-5',
    '2ic': 'claude-opus-5-5',
    'eng-lead': 'claude-sonnet-5-5',
    'team-lead': 'claude-sonnet-5-5',
  });
});

test('a list is kept as one, for a layer and for all; a model of its own has its price', () => {
  const given = config(`models: { default: [openai/own, claude-haiku-5-5], 2ic: claude-opus-5, ${own} }`);
  const models = modelsFor({ scripted: false, providers: ['anthropic', 'openai'] }, given);
  expect(models).toMatchObject({ '2ic': 'claude-opus-5', 'team-lead': ['openai/own', 'claude-haiku-5-5'] });
  expect(engineersPrice(openai, models, given)).toMatchObject({ input: 1, output: 2 });
});

test('of a script all names are the one that plays it', () => {
  const given = config(`models: { default: [openai/own, claude-haiku-5-5], ${own} }`);
  expect(new Set(Object.values(modelsFor({ scripted: true }, given)))).toEqual(new Set(['scripted']));
});

test.for([
  [
    'no key of its provider',
    anthropic,
    `models: { default: openai/own, ${own} }`,
    /^the model openai\/own needs OPENAI_API_KEY/,
  ],
  ['no key, by tier', openai, '', /^the model claude-sonnet-5-5 needs ANTHROPIC_API_KEY/],
  [
    'no key of the second of a list',
    anthropic,
    `models: { 2ic: [claude-opus-5, openai/own], ${own} }`,
    /OPENAI_API_KEY/,
  ],
  ['no price', anthropic, 'models: { default: mine }', /^no price for model mine/],
  [
    'an effort that it does not take',
    openai,
    `effort: { default: high }\nmodels: { default: openai/own, ${own} }`,
    /^effort.default is high, which openai\/own does not take: it takes low$/,
  ],
] as const)('%s: the run does not begin', ([, model, text, words]) => {
  expect(() => modelsFor(model, config(text))).toThrow(words);
});

test('where another job asks the models their keys are not asked for', () => {
  expect(() =>
    modelsFor({ scripted: false }, config(`models: { default: openai/own, ${own} }`)),
  ).not.toThrow();
});
