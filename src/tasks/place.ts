// What the parts of the evaluator hand each other: the evaluation as a whole, and the place a task is evaluated at.
import type { Inherit, Task } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import type { Library } from '../language/library.ts';
import { type Attempt, nothingSpent, type TaskResult } from '../language/result.ts';
import type { ModelMessage } from '../models/model.ts';
import type { TaskContext } from './task-context.ts';
import type { Ledger } from './ledger.ts';
import type { EvaluateOptions } from './options.ts';

/** One evaluation of one program. */
export interface Evaluator {
  readonly options: EvaluateOptions;
  readonly library: Library;
  /** The frame around everything: the settings of the run. */
  readonly settings: Environment;
  readonly program: Task;
  /** Evaluates a task at a place, inputs first. */
  readonly run: (task: Task, place: Place) => Promise<TaskResult>;
  /** The conversation of the root, where the program is a single atomic task. */
  messages: readonly ModelMessage[];
}

/** Where a task stands while it is evaluated. Values: a task hands altered copies to those in it. */
export interface Place {
  readonly environment: Environment;
  /** Names the place in the program; stable over restarts. */
  readonly key: string;
  /** Aborts with the evaluation, or, with Cancelled, when a task beside this one failed. */
  readonly signal: AbortSignal;
  /** Books what the sessions here spend; undefined: there is nothing beside this place that could cut it off. */
  readonly ledger: Ledger | undefined;
  /** What the task may inherit. */
  readonly context: TaskContext;
  /** How much of it, where the task does not say. */
  readonly inherit: Inherit;
  /** The outputs of the steps before, of a sequence that accumulates them. */
  readonly earlier: string | undefined;
  /** What the step before ended with: `output` in tests. */
  readonly previous: TaskResult | undefined;
  /** Something that follows looks at a script's exit code. */
  readonly judged: boolean;
  /** Calls of functions around this place. */
  readonly calls: number;
  /** Failures around this place whose recovery it is part of, the outermost first; undefined: none is recovered. */
  readonly recoveries: readonly Attempt[] | undefined;
  /** Sessions begun in the recovery that this place is part of, counted where they begin; undefined: it is part of none. */
  readonly sessions: { begun: number } | undefined;
}

/** The name by which events, settings and scripts of replies know a task. */
export function nameOf(task: Task): string {
  return task.name ?? (task.type === 'atomic' ? task.subtype : task.type);
}

/** COMPLETE, and nothing in it. */
export const emptyResult: TaskResult = {
  status: 'COMPLETE',
  content: '',
  outputs: {},
  notes: { warnings: [], ...nothingSpent },
};
