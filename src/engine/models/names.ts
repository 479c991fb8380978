// Which model a name means: in programs, on the command line and in a configuration alike.
import { didYouMean } from '../../lib/nearest.ts';
import { type Price, prices as listed } from './prices.ts';
import { defaultTier, tiers } from './tiers.ts';

/** What a configuration says of models. */
export interface ModelTables {
  /** The provider's name by alias, by task, and as `default`. */
  models: Readonly<Record<string, string>>;
  /** Of models that the product's own table lacks. */
  prices: Readonly<Record<string, Price>>;
}

/** The one model of a script of replies, which says itself what each of them costs. */
export const scriptedPrices: ModelTables['prices'] = {
  scripted: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
};

/**
 * A task's model by the provider's name. What the program names is a model with a price or one of `served`, a tier, or a
 * name of the configuration's `models`. For a task that names none: `chosen`, else what the configuration gives the task or all
 * tasks, else the task's tier. Throws for a name that is none of these.
 */
export function modelNames(
  { models, prices }: ModelTables,
  chosen?: string,
  served: readonly string[] = [],
): (name: string | undefined, task: string) => string {
  const resolve = (name: string): string => {
    const model = own(models, name) ?? own(tiers, name) ?? name;
    if (Object.hasOwn(listed, model) || Object.hasOwn(prices, model) || served.includes(model)) return model;
    const known = [...Object.keys(listed), ...Object.keys(prices), ...served, ...Object.keys(tiers)];
    const shown = name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}...` : name;
    const near = didYouMean(shown, [...known, ...Object.keys(models)]);
    throw new Error(
      `unknown model ${shown}${near}; known: ${known.join(', ')}. A model of your own needs prices.<model> in .github/echelon.yml`,
    );
  };
  return (name, task) =>
    resolve(name ?? chosen ?? own(models, task) ?? own(models, 'default') ?? tiers[defaultTier(task)]);
}

/** Characters of an unknown name that are shown. */
const MOST_SHOWN = 200;

const own = (table: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;
