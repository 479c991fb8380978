// The operator's caps: what no repository of an installation may go beyond, whatever its own configuration says.
import { z } from 'zod';
import type { Config } from './config.ts';
import type { ConfigProblem, StrictYaml } from './strict-yaml.ts';

export interface Cap {
  most: number;
  /** Who set it, as people read it: the variable of the environment, or the key of the operator's file. */
  by: string;
}

/** What can be capped, and what a cap may be. */
export const CapValues = z.strictObject({
  /** USD for a run. */
  budget: z.number().min(0.01).max(100_000).optional(),
  max_parallel: z.int().min(1).max(20).optional(),
  rounds: z.int().min(1).max(20).optional(),
  /** Runs begun in one repository. */
  runs_per_hour: z.int().min(1).max(1000).optional(),
});
export type CapName = keyof z.infer<typeof CapValues>;
export type Caps = { readonly [name in CapName]?: Cap };

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
  // Nobody has to set a limit aside who can have it ignored.
  if (billing === 'max' && caps.budget)
    problems.push(read.problem(['billing'], `max has no limit, and ${capWords(caps.budget)}`));
  const ofLayers = Object.entries(budget.layers).flatMap(([id, usd]) =>
    usd === undefined ? [] : [[id, hold(usd, caps.budget, 'budget', 'layers', id)]],
  );
  const config = {
    ...read.value,
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
