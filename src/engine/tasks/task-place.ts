// The context of the evaluator's parts: the place a task is evaluated at, and the evaluation as a whole.
import type { Candidates, Inherit, Task } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import type { Library } from '../language/library.ts';
import { type FailedTry, nothingSpent, type TaskResult } from '../language/result.ts';
import type { ModelMessage } from '../models/model.ts';
import type { Ledger } from './ledger.ts';
import type { EvaluateOptions } from './options.ts';
import type { Shown } from './shown.ts';
import { noContext, type TaskContext } from './memory/memory.ts';

/** One evaluation of one program. */
export interface Evaluator {
  readonly options: EvaluateOptions;
  readonly library: Library;
  /** The frame around everything: the settings of the run. */
  readonly settings: Environment;
  readonly program: Task;
  /** Evaluates a task at a place, inputs first. */
  readonly run: (task: Task, place: TaskPlace) => Promise<TaskResult>;
  /** Gets the conversation of the program's own session, where it is one atomic task; none that the journal knows. */
  readonly said: (messages: readonly ModelMessage[]) => void;
}

/** Evaluates a task at a place. */
export type Act<T extends Task = Task> = (task: T, place: TaskPlace) => Promise<TaskResult>;

/** The place of a task while it is evaluated. Values: a task hands altered copies to those in it. */
export interface TaskPlace {
  readonly evaluator: Evaluator;
  readonly environment: Environment;
  /** Names the place in the program; stable over restarts. */
  readonly key: string;
  /** Aborts with the evaluation, or, with Cancelled, when a task beside this one failed. */
  readonly signal: AbortSignal;
  /** Model and temperature for a candidate's sessions that name none themselves. */
  readonly given: Given;
  /** Books what the sessions here spend; undefined: there is nothing beside this place that could cut it off. */
  readonly ledger: Ledger | undefined;
  /** The context that the task may inherit. */
  readonly context: TaskContext;
  /** The share of it that the task inherits by default. */
  readonly inherit: Inherit;
  /** The same for a director: nothing, unless an operator around it says how much. */
  readonly directorInherit: Inherit;
  /** The outputs of the steps before, of a sequence that accumulates them. */
  readonly earlier: string | undefined;
  /** They are none of the nearest sequence, which accumulates nothing: what inherits nothing does not see them. */
  readonly earlierIsOutside: boolean;
  /** The result of the step before: `output` in tests. */
  readonly previous: TaskResult | undefined;
  /** The tasks after this place: an evaluator among them judges the exit of a script here. */
  readonly followers: Followers | undefined;
  /** Somebody reads what the result asks for in its notes: another evaluation, a subtask. */
  readonly heard: boolean;
  /** Of what the result is, later steps see the notes only. */
  readonly notesOnly: boolean;
  /** Texts that sessions here are shown where their own do not place them. */
  readonly shown: readonly Shown[];
  /** Calls of functions around this place. */
  readonly calls: number;
  /** Subtasks around this place. */
  readonly subtasks: number;
  /** It is in the memory task itself, which would ask itself for ever if it were given a context. */
  readonly choosing: boolean;
  /** Failures around this place whose recovery it is part of, the outermost first; undefined: none is recovered. */
  readonly recoveries: readonly FailedTry[] | undefined;
  /** Sessions begun in the recovery that this place is part of, counted where they begin; undefined: it is part of none. */
  readonly sessions: { begun: number } | undefined;
}

export interface Given {
  readonly model?: string;
  readonly temperature?: number;
}

/** Model and temperature of the try at `at`, from 0: in turn, from the first again where there are fewer than tries. */
export function givenTo({ models, temperatures }: Candidates, at: number): Given {
  const model = models[at % models.length];
  const temperature = temperatures[at % temperatures.length];
  return { ...(model !== undefined && { model }), ...(temperature !== undefined && { temperature }) };
}

/** Tasks in the order in which they are evaluated, those from index `from` on after the place that has them. */
export interface Followers {
  readonly tasks: readonly Task[];
  readonly from: number;
  /** The bindings that the calls in them may call. */
  readonly environment: Environment;
  /** The tasks after all of those. */
  readonly around: Followers | undefined;
  /** The exit of a script before it is itself the verdict. */
  readonly readsExit?: true;
}

/** `place` for what is evaluated before `tasks`. */
export function before(tasks: readonly Task[], place: TaskPlace): TaskPlace {
  const { environment, followers: around } = place;
  return { ...place, followers: { tasks, from: 0, environment, around } };
}

/** The place of a task that stands in no other: it inherits nothing that is not given, and nothing follows it. */
export function rootPlace(
  own: Pick<TaskPlace, 'evaluator' | 'environment' | 'key' | 'signal'> & Partial<TaskPlace>,
): TaskPlace {
  return {
    given: {},
    ledger: undefined,
    context: noContext,
    inherit: 'full',
    directorInherit: 'none',
    earlier: undefined,
    earlierIsOutside: false,
    previous: undefined,
    followers: undefined,
    heard: false,
    notesOnly: false,
    shown: [],
    calls: 0,
    subtasks: 0,
    choosing: false,
    recoveries: undefined,
    sessions: undefined,
    ...own,
  };
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
  notes: { warnings: [], dataUsage: nothingSpent },
};
