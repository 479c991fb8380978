// The start of a run: everything it is pinned to, and how it looks before anything was asked.
import { z } from 'zod';
import type { RunView } from '../comments/view.ts';
import { Existing } from '../cascade/issue-plan.ts';
import { layers } from '../layers.ts';
import { type Config, NO_LIMIT_USD } from '../config/config.ts';

const Guess = z.object({ command: z.string(), source: z.string() });

/** Pinned values of a run: the first entry of its journal. */
export const Start = z.object({
  program: z.int(),
  /** The person who added the label, and the id of that event: the same event never begins a second run. */
  by: z.string(),
  trigger: z.int(),
  /** Id of the newest comment before the label: commands of younger ones are this run's. Older versions do not say. */
  since: z.int().exactOptional(),
  base: z.object({ branch: z.string(), commit: z.string() }),
  /** `existing`: the issues that are its plan, which no layer is asked for. */
  directive: z.object({
    ...{ title: z.string(), body: z.string() },
    existing: z.array(Existing).exactOptional(),
  }),
  /** As it was read then, checked and with its defaults: this version's rules are not those of its file. */
  config: z.custom<Config>(
    value => z.object({ budget: z.object({ total: z.number() }) }).safeParse(value).success,
  ),
  /** Provider's model name by layer and task; of several each takes the place of the one before it. */
  models: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  scripted: z.boolean(),
  /** Minimum cost of an engineer's first call (USD): no job begins with less. */
  first_call_usd: z.number(),
  isolation: z.enum(['bubblewrap', 'none']),
  /** The command that is run as the project's tests; empty where none is known. */
  test: z.string(),
  /** The command that installs what jobs start from; empty, or absent in older versions: none. */
  setup: z.string().exactOptional(),
  /** Those of the two that no configuration names, and their sources. Older versions do not say. */
  guessed: z.object({ test: Guess.exactOptional(), setup: Guess.exactOptional() }).exactOptional(),
  /** The operator's cap on the cost of a run. */
  budgetCap: z.object({ most: z.number(), by: z.string() }).exactOptional(),
  /** The commit whose `.github/echelon/` overrides templates; absent: it overrides none. */
  templates: z.string().exactOptional(),
});
export type Start = z.infer<typeof Start>;

/** The view of a run before anything was asked. */
export function firstView(run: string, issue: number, start: Start, at: number): RunView {
  return {
    run,
    issue,
    status: 'running',
    phase: 'strategy',
    title: start.directive.title,
    layers: layers.map(({ id }) => ({ id, status: 'idle', turns: 0, cost_usd: 0 })),
    issues: [],
    paths: [],
    past: [],
    pending: [],
    questions: [],
    replies: [],
    sessions: [],
    cost_usd: 0,
    ...(start.config.billing === 'max'
      ? { budget_usd: NO_LIMIT_USD, flatPlan: true }
      : { budget_usd: start.config.budget.total }),
    ...(start.budgetCap && { budget_cap: start.budgetCap }),
    scripted: start.scripted,
    isolation: start.isolation,
    ...(start.setup && { setup: start.setup }),
    ...(start.guessed && { guessed: start.guessed }),
    ...(!start.config.create_pr && { mergesInto: start.base.branch }),
    started: at,
    updated: at,
  };
}
