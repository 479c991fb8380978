// The operator's caps: what no repository of an installation may go beyond, whatever its own configuration says.
import { z } from 'zod';
import type { Config } from './config.ts';
import { isRow } from './model-tables.ts';
import type { ConfigProblem, StrictYaml } from './strict-yaml.ts';
import type { Prices } from './values.ts';

export interface Cap {
  most: number;
  /** The setting's name for people: the variable of the environment, or the key of the operator's file. */
  by: string;
}

/** Settings that can be capped, and valid caps. */
export const CapValues = z.strictObject({
  /** USD for a run. */
  budget: z.number().min(0.01).max(100_000).optional(),
  max_parallel: z.int().min(1).max(20).optional(),
  rounds: z.int().min(1).max(20).optional(),
  /** Runs begun in one repository. */
  runs_per_hour: z.int().min(1).max(1000).optional(),
});
export type CapName = keyof z.infer<typeof CapValues>;
export type Caps = { readonly [name in CapName]?: Cap } & {
  /** USD a million tokens, by the names of models that the product's own table lacks. */
  readonly prices?: Prices;
};

/** Part of a sentence about a value that is too large. */
const capWords = ({ most, by }: Cap): string =>
  `at most ${most} is allowed; the operator of this installation has set that (${by})`;

/** The configuration within the caps: what the file says beyond one is a problem, a default beyond it is lowered. */
export function withinCaps(
  read: StrictYaml<Config>,
  caps: Caps,
): { config: Config; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const hold = (value: number, cap: Cap | undefined, ...path: string[]): number => {
    if (cap === undefined || value <= cap.most) return value;
    if (read.says(path)) problems.push(read.problem(path, capWords(cap)));
    return cap.most;
  };
  const { billing, budget, max_parallel, rounds, limits } = read.value;
  const { models, prices, faults } = pricedBy(caps, read);
  problems.push(...faults);
  // Nobody has to set a limit aside who can have it ignored.
  if (billing === 'max' && caps.budget)
    problems.push(read.problem(['billing'], `max has no limit, and ${capWords(caps.budget)}`));
  const ofLayers = Object.entries(budget.layers).flatMap(([id, usd]) =>
    usd === undefined ? [] : [[id, hold(usd, caps.budget, 'budget', 'layers', id)]],
  );
  const config = {
    ...read.value,
    ...{ models, prices },
    budget: {
      total: hold(budget.total, caps.budget, 'budget', 'total'),
      layers: Object.fromEntries(ofLayers),
    },
    max_parallel: hold(max_parallel, caps.max_parallel, 'max_parallel'),
    rounds: hold(rounds, caps.rounds, 'rounds'),
    limits: {
      ...limits,
      runs_per_hour: hold(limits.runs_per_hour, caps.runs_per_hour, 'limits', 'runs_per_hour'),
    },
  };
  return { config, problems };
}

/** A capped budget counts in the operator's prices: one that a repository names, of nothing say, would lift it. */
function pricedBy({ budget, prices: own = {} }: Caps, read: StrictYaml<Config>) {
  const { models, prices } = read.value;
  const priceOf = (name: string) => (Object.hasOwn(own, name) ? own[name] : undefined);
  const rows = Object.entries(models).map(([name, given]) => {
    const price = priceOf(name);
    return [name, isRow(given) && price ? { ...given, price } : given] as const;
  });
  const faults: ConfigProblem[] = [];
  const refuse = (place: 'prices' | 'models', name: string) => {
    if (!budget || priceOf(name)) return;
    const words = `the operator of this installation caps the budget (${budget.by}), and has given no price for ${name}: ask for prices.${name} in the file of ECHELON_CONFIG`;
    faults.push(read.problem([place, name], words));
  };
  for (const name of Object.keys(prices)) refuse('prices', name);
  for (const [name, given] of Object.entries(models)) if (isRow(given)) refuse('models', name);
  return { models: Object.fromEntries(rows), prices: { ...prices, ...own }, faults };
}
