// What the evaluator is given by the command line, the Action and the library: sessions of a model, tools, commands.
import type { Library } from '../language/library.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Model } from '../models/model.ts';
import { windowOf } from '../models/window.ts';
import { configuredExecutor, type ReasoningSettings } from '../reasoning/execution/executor.ts';
import type { ExecutionRows } from '../reasoning/execution/policies.ts';
import type { Ability, SessionSurroundings } from '../reasoning/request.ts';
import { runSession } from '../reasoning/session.ts';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { askWithin } from '../tasks/ask-person.ts';
import type { EvaluateOptions, TaskEvent } from '../tasks/evaluate.ts';
import type { WorkFolder } from './work-folder.ts';

/** Parts of one's own of the sessions that carry atomic tasks out. */
export interface SessionParts extends Pick<SessionSurroundings, 'middleware' | 'stops' | 'metrics'> {
  /** Own policies and errors of executions of JavaScript, beside the built-in ones. */
  rows?: ExecutionRows;
}

export interface EvaluationParts
  extends Pick<EvaluateOptions, 'models' | 'settings' | 'memory' | 'step' | 'signal' | 'warnAt'> {
  model: Model;
  library: Library;
  /** Runs JavaScript for the tool js. */
  sandbox: Sandbox;
  /** How that is done, by the configuration. */
  reasoning: ReasoningSettings;
  folder?: WorkFolder | undefined;
  ask?: SessionSurroundings['ask'] | undefined;
  /** Milliseconds that a question waits for its answer; default: a day. */
  askWaitMs?: number | undefined;
  sessions?: SessionParts | undefined;
  /** A question whose answer comes later is kept in the journal: the evaluation ends in SessionPaused. */
  pauses?: boolean;
  onEvent?: (event: TaskEvent) => void;
  /** Begins the keys of model requests; default `task`. */
  key?: string;
}

/** Options for `evaluate`: with `folder` the program has its tools and commands; clock is the system's. */
export function evaluationOf(parts: EvaluationParts): EvaluateOptions {
  const { model, folder, ask, onEvent, key = 'task', memory, step } = parts;
  const { rows, ...hooks } = parts.sessions ?? {};
  const clock = systemClock;
  const executor = configuredExecutor(parts.reasoning, {
    sandbox: parts.sandbox,
    clock,
    ...(rows && { rows }),
    ...(onEvent && { onEvent }),
  });
  const abilities: Ability[] = ask || parts.pauses ? ['js', 'ask'] : ['js'];
  const around = {
    model,
    clock,
    executor,
    ...hooks,
    ...(ask && { ask: askWithin(ask, clock, parts.askWaitMs) }),
    ...(onEvent && { onEvent }),
  };
  return {
    session: (request, progress) => runSession(request, around, progress),
    tools: folder?.tools ?? [],
    abilities,
    ...(folder?.script && { script: folder.script }),
    library: parts.library,
    ...(memory && { memory }),
    settings: parts.settings,
    warnAt: parts.warnAt,
    models: parts.models,
    window: name => model.models?.[name]?.window ?? windowOf(name),
    key,
    scope: key,
    ...(step && { step }),
    clock,
    signal: parts.signal,
    ...(onEvent && { onEvent }),
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
