// What is known of each model, as data: who serves it, what it holds, what it takes, what it costs. No code asks what a
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

/** What holds for every Claude model of the fifth generation, by their overview and migration pages. */
const claude5 = {
  provider: 'anthropic',
  window: 1_000_000,
  output: 128_000,
  tools: 'native',
  temperature: false,
  efforts,
  schema: true,
  date: '2026-11-23',
} as const;

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
};

/**
 * What is known of a model: by `own` rows, else by the table. A dated snapshot of a known one (`-20261001`, `@20261001`,
 * `-latest`), in any case of letters, is what that one is. Throws ModelFailure `crash` when there is none.
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
  const name = model.toLowerCase();
  return [name, name.replace(/[-@](?:\d{8}|latest)$/, '')].find(
    each => ofTable(knownModels, each) !== undefined,
  );
}

function ofTable<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
