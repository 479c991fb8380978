// Everything a program needs to run: model sessions, tools, commands, memory, journal. The command line, the Action,
// the library, a layer's turn and an engineer's job all build it here from plain values.
import { type Clock, systemClock } from '@echelon/ground';
import type { Library } from '../language/library.ts';
import type { Tool } from '../language/tool.ts';
import type { Model } from '../models/model.ts';
import type { Effort } from '../language/ast.ts';
import { findRow, type ModelRows } from '../models/table.ts';
import { configuredExecutor, type ReasoningSettings } from '../reasoning/execution/executor.ts';
import type { ExecutionRows } from '../reasoning/execution/policies.ts';
import type { Ability, SessionSurroundings } from '../reasoning/request.ts';
import { runSession } from '../reasoning/session.ts';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { askWithin } from '../tasks/ask-person.ts';
import type { EvaluateOptions, TaskEvent } from '../tasks/evaluate.ts';
import type { Trace } from './trace/spans.ts';
import { tracedOptions, tracedParts } from './trace/traced.ts';

/** Parts of one's own of the sessions that carry atomic tasks out. */
export interface SessionParts
  extends Pick<SessionSurroundings, 'middleware' | 'stops' | 'metrics' | 'onSummary' | 'budget'> {
  /** Own policies and errors of executions of JavaScript, beside the built-in ones. */
  rows?: ExecutionRows;
}

/** Configuration of sessions: code execution, and by the task's name the effort of its model. */
interface SessionSettings extends ReasoningSettings {
  effort?: Readonly<Record<string, Effort>>;
  output_tokens?: Readonly<Record<string, number>>;
}

/** Of EvaluateOptions what is not made here, or has a default here. */
type Given = Omit<
  EvaluateOptions,
  'session' | 'abilities' | 'window' | 'tools' | 'onEvent' | 'key' | 'scope' | 'clock'
>;

export interface EvaluationParts extends Given {
  model: Model;
  /** Data of models that the product's own table lacks; default: none. */
  modelRows?: ModelRows;
  library: Library;
  /** Runs JavaScript for the tool js. */
  sandbox: Sandbox;
  /** Settings of sessions, by the configuration. */
  reasoning: SessionSettings;
  /** Default: none. */
  tools?: readonly Tool[];
  ask?: SessionSurroundings['ask'] | undefined;
  /** Milliseconds that a question waits for its answer; default: a day. */
  askWaitMs?: number | undefined;
  sessions?: SessionParts | undefined;
  /** A question whose answer comes later is kept in the journal: the evaluation ends in SessionPaused. */
  pauses?: boolean;
  /** Values that deltas among the events must not show; default: tokens that are known by their shape. */
  mask?: SessionSurroundings['mask'];
  /** Of sessions and of the evaluation, as they come. */
  onEvent?: ((event: TaskEvent) => void) | undefined;
  /** Begins the keys of model requests; default `task`. */
  key?: string;
  /** In which replies of a script are used up; default: the key. */
  scope?: string;
  /** Default: the system's. */
  clock?: Clock;
  /** Gets what is done as spans; default: nobody does. */
  trace?: Trace | undefined;
}

/** Tokens of a model's window: by the model itself, else by its row; undefined: not known. */
export const windowOf =
  (model: Model, rows: ModelRows | undefined) =>
  (name: string): number | undefined =>
    model.models?.[name]?.window ?? findRow(name, rows)?.window;

const ofTask = <T>(table: Readonly<Record<string, T>> | undefined, task: string): T | undefined =>
  table && Object.hasOwn(table, task) ? table[task] : table?.['default'];

/** Options for `evaluate`. They serve one evaluation. */
export function evaluationOf({ trace, ...given }: EvaluationParts): EvaluateOptions {
  if (trace) return tracedOptions(evaluationOf(tracedParts(given, trace)), trace);
  const parts: EvaluationParts = given;
  const { model, sandbox, reasoning, ask, askWaitMs, sessions, pauses, onEvent, mask, ...options } = parts;
  const { tools = [], key = 'task', scope = key, clock = systemClock } = parts;
  const { rows, ...hooks } = sessions ?? {};
  const events = onEvent ? { onEvent } : {};
  const executor = configuredExecutor(reasoning, { sandbox, clock, ...(rows && { rows }), ...events });
  const abilities: Ability[] = ask || pauses ? ['js', 'ask'] : ['js'];
  const around: SessionSurroundings = {
    ...{ model, clock, executor, mask, ...hooks, ...events },
    ...(ask && { ask: askWithin(ask, clock, askWaitMs) }),
  };
  return {
    ...options,
    ...{ tools, abilities, key, scope, clock, ...events },
    effort: task => ofTask(reasoning.effort, task),
    outputTokens: task => ofTask(reasoning.output_tokens, task),
    session: (request, progress) => runSession(request, around, progress),
    takes: name => findRow(name, parts.modelRows),
    writesTags: name => findRow(name, parts.modelRows)?.tools === 'tags',
    window: windowOf(model, parts.modelRows),
    largestReply: name => findRow(name, parts.modelRows)?.output,
  };
}

/** A sandbox that starts with the first code that it runs: most programs have none. */
export function lazySandbox(): Sandbox {
  let opened: Sandbox | undefined;
  const sandbox = () => (opened ??= openSandbox());
  return {
    run: request => sandbox().run(request),
    ready: () => sandbox().ready(),
    close: async () => await opened?.close(),
  };
}
