// The AST of a checked program: one closed union of tasks.
import type { Expr } from '@actions/expressions';
import type { Json } from '@echelon/ground';
import type { Position } from './problem.ts';
import type { Placeholder, Steps, TemplateText } from './text.ts';

export type Task =
  | AtomicTask
  | SequentialTask
  | MapTask
  | ReduceTask
  | ScriptTask
  | DirectorEvaluatorTask
  | FunctionTask
  | CallTask
  | CondTask
  | LetTask;

export interface CommonParts {
  at: Position;
  /** Names the task's result for what comes after it, and the task itself in events and scripts of replies. */
  name: string | undefined;
  /** The template of the library that `ref` took, or that the task is. */
  template: TemplateRef | undefined;
  /** For people; an atomic task also gives it to the model. */
  description: TemplateText | undefined;
  inputs: Input[];
  context: ContextManagement;
  /** Neither decomposed nor tried another way when it fails. */
  disableReparsing: boolean;
  /** Of an atomic task for its session, of another for all that runs in it; the budget for all that is done for it. */
  limits: Limits;
  /** Is tried several times side by side, of which the best is taken. */
  candidates: Candidates | undefined;
  /** Runs in its place when it failed for good, and sees `error` and `partial_results`. */
  onFailure: Task | undefined;
}

/** Independent tries of a task, and how the best of them is told. */
export interface Candidates {
  at: Position;
  count: number;
  /** For sessions of a try that name none: one for each try in turn, from the first again where there are fewer. */
  models: string[];
  temperatures: number[];
  /** Runs for each try that has ended well; one of which it does not exit with 0 is lost. */
  script: ScriptTask | undefined;
  /** Says which is the best, where nothing else tells them apart. */
  evaluator: AtomicTask | undefined;
}

/** Name of a template, and the digest of its source: 16 hexadecimal digits of SHA-256. */
export interface TemplateRef {
  name: string;
  digest: string;
}

export type Inherit = 'full' | 'subset' | 'none';

export interface ContextManagement {
  /** Undefined: what the operator around it gives. */
  inherit: Inherit | undefined;
  /** True if the steps of a sequence see the outputs of earlier steps as context. */
  accumulate: boolean;
  format: 'notes_only' | 'full_output';
  /** Begins with an empty context. */
  clear: boolean;
  /** Indexes the repository again first. */
  rebuild: boolean;
}

/** Source of a value. */
export type Value =
  | { kind: 'binding'; from: Placeholder }
  | { kind: 'text'; text: TemplateText }
  | { kind: 'task'; task: Task };

export interface Input {
  name: string;
  at: Position;
  value: { kind: 'parameter' } | Value;
  /** Of a script: given on standard input instead of in the environment. */
  stdin: boolean;
  /** Set when the names are checked: the program reads it and declares it nowhere. It is the caller's to give. */
  asked?: true;
  /** Set when the names are checked: no text or value reads it, so the sessions of the task are shown it as it is. */
  shown?: true;
}

/** A name with its value: an argument of a call, a binding of a `let`. */
export interface Binding {
  name: string;
  at: Position;
  value: Value;
}

export const outputTypes = ['string', 'number', 'boolean', 'json'] as const;
export type OutputType = (typeof outputTypes)[number];

/** Thinking effort of a model: https://platform.claude.com/docs/en/build-with-claude/effort */
export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];

export interface Output {
  name: string;
  type: OutputType;
  nullable: boolean;
  /** A JSON Schema that the value has to fit. */
  schema?: Json;
}

export interface Limits {
  /** Model calls. */
  turns: number | undefined;
  /** Tokens of the model's window that a conversation may fill. */
  contextTokens: number | undefined;
  /** Tokens that one reply may have. */
  outputTokens: number | undefined;
  timeMs: number | undefined;
  /** USD. */
  budgetUsd: number | undefined;
}

/** One model session. */
export interface AtomicTask extends CommonParts {
  type: 'atomic';
  /** A row of the table of subtypes (subtypes.ts). */
  subtype: string;
  system: TemplateText | undefined;
  instructions: TemplateText | undefined;
  expectedOutput: TemplateText | undefined;
  criteria: TemplateText | undefined;
  /** An alias of the configuration or a model's name; undefined: what the configuration gives the task. */
  model: string | undefined;
  temperature: number | undefined;
  /** Undefined: what the configuration gives the task. */
  effort: Effort | undefined;
  outputs: Output[];
  tools: string[];
  /** Of a director: a second name for its result. */
  outputSlot: string | undefined;
  /** Of an evaluator: what it is given as `target_content`. */
  inputSource: Placeholder | undefined;
}

/** All texts of a task that its session is told. */
export const textsOf = (task: AtomicTask): TemplateText[] =>
  [task.description, task.system, task.instructions, task.expectedOutput, task.criteria].filter(
    text => text !== undefined,
  );

export interface SequentialTask extends CommonParts {
  type: 'sequential';
  steps: Task[];
}

export interface MapTask extends CommonParts {
  type: 'map';
  /** A list; of a model's reply, a JSON list; of any other text, also its lines. */
  over: Value;
  /** Sees `item` and `index`, which counts from 0. */
  inner: Task;
  /** Number of elements processed at the same time. */
  parallel: number;
}

/** Folds its inputs in their order, or else the elements of `over`. */
export interface ReduceTask extends CommonParts {
  type: 'reduce';
  /** As that of a map. The inputs are then no part of what is folded. */
  over: Value | undefined;
  initial: Value;
  /** Sees `current_data`. */
  inner: Task;
  /** Sees `current_result`, `accumulator` and `original_input`. */
  reduction: Task;
}

/** An external command. */
export interface ScriptTask extends CommonParts {
  type: 'script';
  /** Its placeholders are settings of the run, nothing else. */
  command: TemplateText;
}

export interface DirectorEvaluatorTask extends CommonParts {
  type: 'director-evaluator';
  director: AtomicTask;
  script: ScriptTask | undefined;
  /** Undefined: no one judges, and the task ends when the director says COMPLETE; the director may ask to be judged. */
  evaluator: AtomicTask | undefined;
  /** Text: a number, or a setting of the run that holds one. */
  maxRounds: TemplateText;
}

export interface Parameter {
  name: string;
  at: Position;
  /** Type of an argument; undefined: anything. */
  type: OutputType | undefined;
}

/** Is registered under its name, and runs when it is called. */
export interface FunctionTask extends CommonParts {
  type: 'function';
  name: string;
  parameters: Parameter[];
  /** Required type of the content of the body's result. */
  returns: OutputType | undefined;
  body: Task;
}

export interface CallTask extends CommonParts {
  type: 'call';
  /** Name of a function: of a step before, or of the library. */
  ref: Placeholder;
  args: Binding[];
  /** Set when the names are checked: the function is the library's, whatever the program binds to its name there. */
  ofLibrary?: true;
}

export interface CondTask extends CommonParts {
  type: 'cond';
  cases: Case[];
  otherwise: Task | undefined;
}

export interface Case {
  at: Position;
  test: Expr;
  testAt: Position;
  /** As it was written. */
  source: string;
  /** The names that the test reads, each with the steps that follow it. */
  reads: readonly { name: string; path: Steps }[];
  task: Task;
}

export interface LetTask extends CommonParts {
  type: 'let';
  /** In order: each sees those before it. */
  binds: Binding[];
  body: Task;
}

/** The tasks directly inside `task`, in the order of the document. */
export function innerTasks(task: Task): Task[] {
  const { candidates, onFailure } = task;
  if (!candidates && !onFailure) return ownTasks(task);
  const others = [candidates?.script, candidates?.evaluator, onFailure].filter(each => !!each);
  return [...ownTasks(task), ...others];
}

/** All tasks that run in each try of one that has candidates: it, and those in it, but for its inputs. */
export const tasksTried = (task: Task): Task[] => [
  ...tasksIn({ ...task, inputs: [], candidates: undefined, onFailure: undefined }),
];

function ownTasks(task: Task): Task[] {
  const values: (Input['value'] | undefined)[] = task.inputs.map(input => input.value);
  switch (task.type) {
    case 'atomic':
    case 'script':
      return inValues(values);
    case 'sequential':
      return [...inValues(values), ...task.steps];
    case 'map':
      return [...inValues([...values, task.over]), task.inner];
    case 'reduce':
      return [...inValues([...values, task.over, task.initial]), task.inner, task.reduction];
    case 'director-evaluator':
      return [...inValues(values), ...[task.director, task.script, task.evaluator].filter(each => !!each)];
    case 'function':
      return [...inValues(values), task.body];
    case 'call':
      return inValues([...values, ...task.args.map(arg => arg.value)]);
    case 'cond':
      return [
        ...inValues(values),
        ...task.cases.map(each => each.task),
        ...(task.otherwise ? [task.otherwise] : []),
      ];
    case 'let':
      return [...inValues([...values, ...task.binds.map(bind => bind.value)]), task.body];
  }
}

function inValues(values: readonly (Input['value'] | undefined)[]): Task[] {
  return values.flatMap(value => (value?.kind === 'task' ? [value.task] : []));
}

/** The task and all tasks in it. */
export function* tasksIn(task: Task): Generator<Task> {
  yield task;
  for (const inner of innerTasks(task)) yield* tasksIn(inner);
}
