// What a run looks like at one moment: computed by the program from the journal alone; the board is drawn from it.
import type { LayerId } from '../lib/layers.ts';

export type RunStatus = 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled';
export type Phase = 'strategy' | 'design' | 'execution' | 'engineering' | 'done';

export interface LayerView {
  id: LayerId;
  status: 'idle' | 'thinking' | 'executing' | 'waiting' | 'error' | 'done';
  turns: number;
  cost_usd: number;
  error?: string;
}

export interface IssueView {
  number: number;
  title: string;
  domain: string;
  state: string;
  attempt: number;
  dependsOn: number[];
  branch: string | null;
  pull: number | null;
  cost_usd: number;
  /** Over all attempts. */
  model_calls: number;
  /** Director results that were judged in the last attempt. */
  rounds: number;
  /** Why it waits, or why it ended as it did. */
  reason?: string;
  tests: { command: string; exit_code: number | null } | null;
}

export interface PendingAction {
  id: string;
  layer: LayerId;
  title: string;
}

export interface RunView {
  run: string;
  issue: number;
  status: RunStatus;
  /** What a waiting run waits for, in words: `approval`, `budget`, ... */
  waitingFor?: string;
  phase: Phase;
  title: string;
  plan?: string;
  layers: LayerView[];
  issues: IssueView[];
  pending: PendingAction[];
  /** Digest of the listing that can be approved now. */
  digest?: string;
  cost_usd: number;
  budget_usd: number;
  /** A sentence about the end, or about what went wrong. */
  note?: string;
  scripted: boolean;
  isolation: string;
  /** Milliseconds since the epoch: first and newest entry of the journal. */
  started: number;
  updated: number;
}

/** `/budget`: a new limit, or more on top of the old one (USD). */
export function changeBudget(view: RunView, { change }: { change: { set: number } | { add: number } }): void {
  view.budget_usd = 'set' in change ? change.set : view.budget_usd + change.add;
}

/** The run waits for `/budget`: `used up` says which limit. */
export function waitForBudget(view: RunView, which: string): string {
  view.status = 'waiting';
  view.waitingFor = 'budget';
  view.note = `The run waits: ${which} is used up. /budget +5 raises the run's limit.`;
  return view.note;
}

/** What it waited for has come. */
export function goOn(view: RunView): void {
  view.status = 'running';
  delete view.waitingFor;
  delete view.note;
}
