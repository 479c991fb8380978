// The start of a run: everything it is pinned to, and how it looks before anything was asked.
import type { RunView } from '../comments/view.ts';
import { layers } from '../layers.ts';
import type { Cap } from '../config/caps.ts';
import type { Config } from '../config/config.ts';

/** What a run is pinned to: the first entry of its journal. */
export interface Start {
  program: number;
  /** Who put the label on, and the id of that event: the same event never begins a second run. */
  by: string;
  trigger: number;
  /** Id of the newest comment before the label: commands of younger ones are this run's. */
  since: number;
  base: { branch: string; commit: string };
  directive: { title: string; body: string };
  config: Config;
  /** Provider's model name by layer and task. */
  models: Record<string, string>;
  scripted: boolean;
  /** What an engineer's first call costs at least (USD): no job begins with less. */
  first_call_usd: number;
  isolation: 'bubblewrap' | 'none';
  /** The command that is run as the project's tests; empty where none is known. */
  test: string;
  /** What the operator allows a run to cost. */
  budgetCap?: Cap;
  /** The commit whose `.github/echelon/` overrides templates; absent: it overrides none. */
  templates?: string;
}

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
    pending: [],
    questions: [],
    sessions: [],
    cost_usd: 0,
    budget_usd: start.config.budget.total,
    ...(start.budgetCap && { budget_cap: start.budgetCap }),
    scripted: start.scripted,
    isolation: start.isolation,
    started: at,
    updated: at,
  };
}
