// What models cost: one table with the date and source of each row, and the cost of a call from its usage.
import { ModelFailure, type Usage } from './model.ts';

/** USD per million tokens. `input` is for tokens neither read from nor written to the cache; writes live 5 minutes. */
export interface Price {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
}

export interface PriceRow extends Price {
  /** The prices of a call whose prompt, cached tokens included, is longer than `over` tokens. */
  long?: Price & { over: number };
  /** The day the row was checked, ISO 8601. */
  date: string;
  source: string;
}

const overview = (model: string) => `https://platform.claude.com/docs/en/models/${model}/overview`;

export const prices: Readonly<Record<string, PriceRow>> = {
  'claude-opus-5-5': {
    input: 4,
    output: 20,
    cache_read: 0.2,
    cache_write: 5,
    date: '2026-11-20',
    source: overview('opus-5-5'),
  },
  'claude-sonnet-5-5': {
    input: 2,
    output: 10,
    cache_read: 0.1,
    cache_write: 2.5,
    date: '2026-11-20',
    source: `${overview('sonnet-5-5')}; cache_read is an assumption to be checked: 0.10 since 2026-10-07 by the release notes of three other price tables, 0.20 in an undated copy of that page`,
  },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cache_read: 0.01,
    cache_write: 0.125,
    long: { over: 100_000, input: 0.5, output: 2.5, cache_read: 0.05, cache_write: 0.625 },
    date: '2026-11-20',
    source: `${overview('haiku-5-5')}; long.cache_write is an assumption to be checked: 1.25 times long.input, as for every other row`,
  },
  'claude-opus-5': {
    input: 5,
    output: 25,
    cache_read: 0.5,
    cache_write: 6.25,
    date: '2026-11-20',
    source: overview('opus-5'),
  },
  'claude-sonnet-5': {
    input: 2,
    output: 10,
    cache_read: 0.2,
    cache_write: 2.5,
    date: '2026-11-20',
    source: overview('sonnet-5'),
  },
};

/**
 * The price of a model: the configuration's, else the table's. A dated snapshot of a known one
 * (`-20261001`, `-latest`) costs what that one does. Throws ModelFailure `crash` when there is none.
 */
export function priceOf(model: string, configured: Readonly<Record<string, Price>> = {}): Price | PriceRow {
  const price = own(configured, model) ?? own(prices, pricedAs(model) ?? model);
  if (price === undefined)
    throw new ModelFailure(
      'crash',
      `no price for model ${model}: add prices.${model} to .github/echelon.yml`,
    );
  return price;
}

/**
 * The row of the table that tells what a model costs; undefined where none does. A repository's configuration may
 * price only what has none: a price of nothing would lift every budget.
 */
export function pricedAs(model: string): string | undefined {
  const undated = model.replace(/-(?:\d{8}|latest)$/, '');
  return [model, undated].find(name => own(prices, name) !== undefined);
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** USD for one call. Throws ModelFailure `crash` when a count or the sum is not a finite number >= 0. */
export function costOf(usage: Usage, price: Price | PriceRow): number {
  checkUsage(usage);
  const prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
  const long = 'long' in price ? price.long : undefined;
  const rate = long !== undefined && prompt > long.over ? long : price;
  const cost =
    (usage.input_tokens * rate.input +
      usage.output_tokens * rate.output +
      usage.cache_read_tokens * rate.cache_read +
      usage.cache_write_tokens * rate.cache_write) /
    1_000_000;
  checkCost(cost);
  return cost;
}

/**
 * Tokens of a call below which an engineer does nothing: its instructions, its tools and a short issue, and a reply
 * that opens one file. An estimate from prompts/programs/implement-issue.xml with its tools.
 */
const FIRST_CALL: Usage = {
  input_tokens: 0,
  output_tokens: 500,
  cache_read_tokens: 0,
  cache_write_tokens: 3000,
};

/** USD that an engineer's first call costs at least. */
export const firstCallCost = (price: Price | PriceRow): number => costOf(FIRST_CALL, price);

const counts = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const;

/** Throws ModelFailure `crash` unless all four counts are there and are finite numbers >= 0. */
export function checkUsage(usage: Partial<Usage> | undefined): asserts usage is Usage {
  for (const name of counts)
    if (!isAmount(usage?.[name]))
      throw new ModelFailure('crash', `the model's usage is unusable: ${name} is ${usage?.[name]}`);
}

/** Throws ModelFailure `crash` unless `usd` is a finite number >= 0. */
export function checkCost(usd: number): void {
  if (!isAmount(usd)) throw new ModelFailure('crash', `the cost of the model's reply is unusable: ${usd}`);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
