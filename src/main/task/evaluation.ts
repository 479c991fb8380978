// What the evaluator is given by the command line, the Action and the library: sessions of a model, tools, commands.
import { windowOf } from '../../models/window.ts';
import type { Library } from '../../language/library.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Model } from '../../models/model.ts';
import { configuredExecutor, type ReasoningSettings } from '../../reasoning/execution/settings.ts';
import type { Ability, SessionSurroundings } from '../../reasoning/request.ts';
import { runSession } from '../../reasoning/session.ts';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import type { EvaluateOptions, TaskEvent } from '../../tasks/evaluate.ts';
import type { WorkFolder } from '../work-folder.ts';

export interface EvaluationParts
  extends Pick<EvaluateOptions, 'models' | 'settings' | 'memory' | 'step' | 'signal'> {
  model: Model;
  library: Library;
  /** Runs JavaScript for the tool js. */
  sandbox: Sandbox;
  /** How that is done, by the configuration. */
  reasoning: ReasoningSettings;
  folder?: WorkFolder | undefined;
  ask?: SessionSurroundings['ask'] | undefined;
  onEvent?: (event: TaskEvent) => void;
  /** Begins the keys of model requests; default `task`. */
  key?: string;
}

export function evaluationOf(parts: EvaluationParts): EvaluateOptions {
  const { model, folder, ask, onEvent, key = 'task', memory, step } = parts;
  const clock = systemClock;
  const executor = configuredExecutor(parts.reasoning, {
    sandbox: parts.sandbox,
    clock,
    ...(onEvent && { onEvent }),
  });
  const abilities: Ability[] = ask ? ['js', 'ask'] : ['js'];
  return {
    session: request =>
      runSession(request, { model, clock, executor, ...(ask && { ask }), ...(onEvent && { onEvent }) }),
    tools: folder?.tools ?? [],
    abilities,
    ...(folder?.script && { script: folder.script }),
    library: parts.library,
    ...(memory && { memory }),
    settings: parts.settings,
    models: parts.models,
    window: windowOf,
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
