// Cost of a model call, from its usage and the prices of its row.
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
}

/** USD for one call. Throws ModelFailure `crash` when a count or the sum is not a finite number >= 0. */
export function costOf(usage: Usage, price: PriceRow): number {
  checkUsage(usage);
  const prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
  const { long } = price;
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
export const firstCallCost = (price: PriceRow): number => costOf(FIRST_CALL, price);

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
