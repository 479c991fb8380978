// Data of each model: provider, window, abilities, price. No code asks what a
// model is called.
import { z } from 'zod';
import { providers } from './provider-keys.ts';
import { efforts } from '../language/ast.ts';
import { ModelFailure } from './model.ts';

const perMillion = z.number().min(0).max(10_000);
/** USD a million tokens. */
export const PriceSchema = z.strictObject({
  input: perMillion,
  output: perMillion,
  cache_read: perMillion,
  cache_write: perMillion,
});

const tokens = z.int().min(1).max(100_000_000);
/** Of a call whose prompt, cached tokens included, is longer than `over` tokens. */
const longPrice = PriceSchema.extend({ over: tokens });
/** A row that a configuration gives, for a model that the table lacks. */
export const ModelRow = z.strictObject({
  provider: z.enum(providers).describe('whose API it is asked by'),
  window: tokens.exactOptional().describe('tokens of its window; not set: no share of it is held'),
  output: tokens.exactOptional().describe('tokens of its largest reply, thinking included'),
  tools: z
    .enum(['native', 'functions', 'tags'])
    .default('functions')
    .describe("how it calls tools: its provider's own where there are such, functions, or tags in its text"),
  temperature: z.boolean().default(true).describe('whether it takes one; else none is sent'),
  efforts: z
    .array(z.enum(efforts))
    .readonly()
    .default([])
    .describe('the efforts it takes; none: no such word is sent'),
  schema: z.boolean().default(false).describe('whether it holds a reply to a JSON Schema'),
  image: tokens.exactOptional().describe('tokens of a large image; not set: it is shown none'),
  price: PriceSchema.extend({ long: longPrice.exactOptional() }),
});
export type ModelRow = z.output<typeof ModelRow>;

export type ModelRows = Readonly<Record<string, ModelRow>>;

interface KnownModel extends ModelRow {
  /** The day the row was checked, ISO 8601. */
  date: string;
  source: string;
}

const overview = (model: string) => `https://platform.claude.com/docs/en/models/${model}/overview`;

/** Data of every Claude model of the fifth generation, from their overview and migration pages. */
const claude5 = {
  provider: 'anthropic',
  window: 1_000_000,
  output: 128_000,
  tools: 'native',
  temperature: false,
  efforts,
  schema: true,
  // Of 28 x 28 pixels each, of at most 2,576 x 2,576: https://platform.claude.com/docs/en/build-with-claude/vision
  image: 4_784,
  date: '2026-11-23',
} as const;

/** Data of OpenAI's present models. By their pages, long prompts cost twice as much, and their output half more. */
const openAi = (model: string, input: number, output: number, cache_read: number): KnownModel => {
  const short = { input, output, cache_read, cache_write: input * 1.25 };
  const long = {
    input: input * 2,
    output: output * 1.5,
    cache_read: cache_read * 2,
    cache_write: input * 2.5,
  };
  return {
    ...{ provider: 'openai', window: 1_050_000, output: 128_000, tools: 'functions', temperature: false },
    // 2,500 patches, each 1.2 tokens: https://developers.openai.com/api/docs/guides/images-vision
    ...{ efforts, schema: true, image: 3_000, date: '2026-11-27' },
    price: { ...short, long: { over: 272_000, ...long } },
    source: `https://developers.openai.com/api/docs/models/${model}`,
  };
};

/** Google's, by the chat completions at https://generativelanguage.googleapis.com/v1beta/openai/; it caches unasked. */
const google = (input: number, output: number, cache_read: number): KnownModel => ({
  ...{ provider: 'openai', window: 1_048_576, output: 65_536, tools: 'functions', temperature: true },
  ...{ efforts: ['low', 'medium', 'high'], schema: true, image: 1_120, date: '2026-11-27' },
  price: { input, output, cache_read, cache_write: input },
  source:
    'https://ai.google.dev/gemini-api/docs/pricing, as read on 2026-11-19 (https://github.com/iyulab/TokenMeter/releases/tag/v0.17.0)',
});

export const knownModels: Readonly<Record<string, KnownModel>> = {
  'claude-opus-5-5': {
    ...claude5,
    price: { input: 4, output: 20, cache_read: 0.2, cache_write: 5 },
    source: overview('opus-5-5'),
  },
  'claude-sonnet-5-5': {
    ...claude5,
    price: { input: 2, output: 10, cache_read: 0.1, cache_write: 2.5 },
    source: `${overview('sonnet-5-5')}; cache_read 0.10 since 2026-10-07, as read off the live price page on 2026-10-24 (https://github.com/kurofune/claudit/releases/tag/v1.9.2); copies of the overview from before have 0.20`,
  },
  'claude-haiku-5-5': {
    ...claude5,
    price: {
      ...{ input: 0.1, output: 0.5, cache_read: 0.01, cache_write: 0.125 },
      long: { over: 100_000, input: 0.5, output: 2.5, cache_read: 0.05, cache_write: 0.625 },
    },
    source: overview('haiku-5-5'),
  },
  'claude-fable-5-2': {
    ...claude5,
    price: { input: 8, output: 40, cache_read: 0.2, cache_write: 10 },
    date: '2026-11-27',
    source:
      'https://platform.claude.com/docs/en/models/overview; cache prices by https://github.com/archid21/rightsize/releases/tag/v0.10.2',
  },
  'claude-opus-5': {
    ...claude5,
    price: { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 },
    source: overview('opus-5'),
  },
  'claude-sonnet-5': {
    ...claude5,
    price: { input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 },
    source: overview('sonnet-5'),
  },
  'gpt-6.2-astra': openAi('gpt-6.2-astra', 8, 40, 0.4),
  'gpt-6.2-sol': openAi('gpt-6.2-sol', 2, 10, 0.1),
  'gpt-5.6-luna': openAi('gpt-5.6-luna', 0.2, 1.2, 0.02),
  'gemini-4-neon': google(3, 15, 0.15),
  'gemini-4-hydrogen': google(1.5, 7.5, 0.075),
};

/**
 * Data of a model: from `own` rows, otherwise from the table. A dated snapshot of a known one (`-20261001`, `@20261001`,
 * `-2026-10-01`, `-latest`), in any case of letters and with `openai/`, `google/` or `models/` before it, is what that
 * one is. Throws ModelFailure `crash` when there is none.
 */
export function rowOf(model: string, own?: ModelRows): ModelRow {
  const row = findRow(model, own);
  if (row === undefined)
    throw new ModelFailure(
      'crash',
      `no price for model ${model}: add prices.${model} to .github/echelon.yml`,
    );
  return row;
}

/** The same, or undefined. */
export const findRow = (model: string, own: ModelRows = {}): ModelRow | undefined =>
  ofTable(own, model) ?? ofTable(knownModels, knownAs(model) ?? model);

/**
 * The name in the table of a model that it knows; undefined for another one. A repository's configuration may tell only
 * of those that it does not know: a price of nothing would lift every budget.
 */
export function knownAs(model: string): string | undefined {
  const name = model.toLowerCase().replace(/^(?:(?:openai|google|models)\/)+/, '');
  const found = [name, name.replace(/[-@](?:\d{4}(-?)\d\d\1\d\d|latest)$/, '')].find(each =>
    ofTable(knownModels, each),
  );
  const isOthers = model.includes('/') && found && knownModels[found]?.provider !== 'openai';
  return isOthers ? undefined : found;
}

export function ofTable<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
