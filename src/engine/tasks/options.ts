// The options of an evaluation, and the events that its surroundings are told while it runs.
import type { Clock } from '@echelon/ground';
import type { Progress, Step } from '@echelon/ground/journal';
import type { Preceding } from '../language/environment.ts';
import type { Effort, Task } from '../language/ast.ts';
import type { Library } from '../language/library.ts';
import type { Evaluation, ScriptOutcome, TaskResult } from '../language/result.ts';
import type { Tool } from '../language/tool.ts';
import type { ModelMessage } from '../models/model.ts';
import type { SessionEvent } from '../reasoning/events.ts';
import type { Ability, SessionOutcome, SessionRequest } from '../reasoning/request.ts';
import type { TaskContext, Memory } from './memory/memory.ts';

export interface EvaluateOptions {
  /** The seam to reasoning: `runSession` with its surroundings. */
  session: (request: SessionRequest, progress?: Progress) => Promise<SessionOutcome>;
  /** The tools that can be offered here; a task gets only those it names in `<tools>`. */
  tools: readonly Tool[];
  /** Tools that the session itself has, and that its surroundings can carry out: `js`, `ask`. Default: none. */
  abilities?: readonly Ability[];
  /** Runs a command in the checkout. Absent: a program with a script is a VALIDATION_ERROR before anything runs. */
  script?: (request: ScriptRequest) => Promise<ScriptOutcome>;
  /** Templates for calls, matching and recovery; default: none. */
  library?: Library;
  /** The repository's index, from which tasks get context; absent: they see what they inherit. */
  memory?: Memory;
  /**
   * The tasks open files themselves, and context is an aid to them: a repository of at most `AID_TOKENS` is shown whole,
   * of a larger one no file, and nobody is asked to choose. One that cannot be made is left out, with a note. Default: a
   * share of the window, chosen where that is too small, without which the task fails.
   */
  contextIsAid?: boolean;
  /**
   * Inputs of the program that have the same values in evaluations beside this one, in lists of which each holds the one
   * before: what prompts say of them before anything of the others is read from the cache. Default: nothing is said of that.
   */
  lasting?: readonly (readonly string[])[];
  /** Bindings around the program, which also fill parameters that are not given; default: none. */
  preceding?: Preceding;
  /** Context of the root; default: empty. */
  context?: TaskContext;
  /** Settings of the run: the only names that are substituted into `<command>`. */
  settings: Readonly<Record<string, string>>;
  /** Alias or model name of a task (undefined: it names none) -> the provider's name. Throws for an unknown one. */
  models: (name: string | undefined, taskName: string) => string;
  /** Tokens that a model's window holds, by the provider's name; undefined: unknown, and no limit. */
  window?: (model: string) => number | undefined;
  /** Tokens of its largest reply, the same way. */
  largestReply?: (model: string) => number | undefined;
  /** The settings that a model takes, by the provider's name; undefined: unknown, and anything is sent. */
  takes?: (
    model: string,
  ) => { readonly temperature: boolean; readonly efforts: readonly Effort[] } | undefined;
  /** True if a model cannot call tools, and asks for them by tags. */
  writesTags?: (model: string) => boolean;
  /** Model requests have keys that begin with it and name their place in the program, the round and the call. */
  key: string;
  scope: string;
  /**
   * Journals each session and each script under its key: a program that is evaluated again over the journal goes
   * on from where it was. Absent: nothing is journalled.
   */
  step?: Step;
  /**
   * Called when a director has finished round `round` (from 1), before script and evaluator. Its values are bound
   * for both, as they are: trim what is long.
   */
  checkpoint?: (round: number, director: TaskResult) => Promise<Record<string, string>>;
  /**
   * Asked once of a round's verdict: values that are bound anew for another session of the evaluator, which judges
   * instead; undefined: the verdict stands.
   */
  serve?: (evaluation: Evaluation) => Promise<Readonly<Record<string, string>> | undefined>;
  /** Has the last word over an evaluation. `script`: undefined when there is no script or its command is empty. */
  judge?: (evaluation: Evaluation, script: ScriptOutcome | undefined) => Evaluation;
  /** The most model calls a session of the task may make; undefined: the default of its subtype. */
  turns?: (taskName: string) => number | undefined;
  /** The longest a session of the task may take, retries of its calls included; undefined: the default (5 min). */
  timeMs?: (taskName: string) => number | undefined;
  /** The effort of the task's model; undefined: the model's own default. */
  effort?: (taskName: string) => Effort | undefined;
  /** Tokens of a reply of a task whose program does not say; undefined: the default (16,000). */
  outputTokens?: (taskName: string) => number | undefined;
  /** Share of each limit of a session at which a `warning` goes out, above 0 and at most 1; undefined: 0.8. */
  warnAt?: number | undefined;
  /** A conversation that the program, a single atomic task, goes on with. */
  history?: readonly ModelMessage[];
  /** With `history`: what is said next, instead of the task's own prompt. */
  prompt?: string;
  /** Is handed each task to run, those within others too, and answers what it ends with. Default: it is run. */
  around?: (task: TaskAt, act: () => Promise<TaskResult>) => Promise<TaskResult>;
  clock: Clock;
  signal: AbortSignal;
  /** Gets script and round events; hand the same function to the session for its own. */
  onEvent?: (event: TaskEvent) => void;
}

/** A task and where it stands; its key begins with that of the evaluation, and is the same at every run. */
export interface TaskAt {
  /** As events and scripts of replies know it. */
  name: string;
  type: Task['type'];
  key: string;
}

export interface ScriptRequest {
  command: string;
  /** The script's inputs, to be added to the environment it runs in. */
  env: Record<string, string>;
  stdin?: string;
  signal: AbortSignal;
}

export type TaskEvent =
  | SessionEvent
  /** stdout and stderr are cut to the tail that a model would see. */
  | ({ type: 'script_output'; task: string } & ScriptOutcome)
  | ({ type: 'round'; task: string; n: number } & Evaluation)
  /** A task failed and is tried in another way; `attempt` counts from 1. */
  | { type: 'recovery'; task: string; attempt: number; error: string };
