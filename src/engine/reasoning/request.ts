// Request, surroundings and outcome of a session.
import type { Clock, JsonObject, Mask } from '@echelon/ground';
import type { Spent } from '../language/result.ts';
import type { Tool } from '../language/tool.ts';
import type { Effort } from '../language/ast.ts';
import type { Model, ModelMessage, SystemText } from '../models/model.ts';
import type { SessionEvent } from './events.ts';
import type { Executor } from './execution/executor.ts';
import type { MetricsExport } from './metrics.ts';
import type { Middleware } from './middleware.ts';
import type { SessionSummary } from './state.ts';
import type { SessionLimits, StopCondition } from './stop.ts';

/** Abilities of a session besides the tools: JavaScript with vault, memory, tasks and goals; questions. */
export type Ability = 'js' | 'ask';

/** Account of a larger work, whose limits hold for all sessions in it. */
export interface Meter {
  /**
   * Before each model call, with what the session has spent until then: counts the call. Throws TaskError
   * RESOURCE_EXHAUSTION where none may be made any more.
   */
  call(spent: Spent): void;
  /** Reports the session's spending so far. */
  spent(spent: Spent): void;
  /** A wait for a person, whose time does not count. */
  suspended<T>(wait: Promise<T>): Promise<T>;
}

export interface SessionRequest {
  /** Stable over restarts; call n of the session has the key `${key}/${n}`. */
  key: string;
  scope: string;
  /** The task's name, as events and scripts of replies know it. */
  task: string;
  /** Provider's model name. */
  model: string;
  system: SystemText;
  prompt: string;
  /** Places in it, ascending, up to which it is the same in other sessions: beside this one, in another round. */
  cuts?: readonly number[];
  /** A second call is unlikely: the first one writes nothing of its own to the provider's cache. */
  once?: boolean;
  /** A conversation to go on with: the prompt is added to it. */
  history?: readonly ModelMessage[];
  tools: readonly Tool[];
  abilities: readonly Ability[];
  /** The model cannot call tools: it is told how to ask for them by tags. */
  writesTags?: boolean;
  limits: SessionLimits;
  /** Absent: nothing around the session has a limit. */
  meter?: Meter;
  /** Reason for refusing a final output, for the model to fix; absent: any is accepted. */
  misfit?: (text: string) => string | undefined;
  temperature?: number;
  effort?: Effort;
  /** Of a final output, where the session has no tools. */
  schema?: JsonObject;
  signal: AbortSignal;
}

/** Without a time where a session ran by itself: a journal says that of its first run. */
export interface SessionOutcome extends Spent {
  /** The final output. */
  text: string;
  /** The whole conversation, the history and the final output included. */
  messages: readonly ModelMessage[];
  /** `max_output`: the last reply was cut off by the output limit; its operations were not carried out. */
  stop: 'end' | 'max_output' | 'refusal';
  tools: { name: string; ok: boolean; error?: string }[];
}

export interface SessionSurroundings {
  model: Model;
  clock: Clock;
  /** Runs JavaScript, for requests with the ability `js`. */
  executor?: Executor;
  /**
   * Asks the person, for requests with the ability `ask`. Throws NoAnswerYet where the answer comes later, as does
   * its absence: the session then ends in SessionPaused.
   */
  ask?: (question: string, signal: AbortSignal) => Promise<string>;
  /** Budget of the whole work that the session is a part of, and its spending (USD). */
  budget?: () => { used: number; limit: number };
  /** Hooks, in order. */
  middleware?: readonly Middleware[];
  /** Gets the figures over the session's executions, see MetricsExport. */
  metrics?: MetricsExport;
  /** Other conditions than the standard ones. */
  stops?: readonly StopCondition[];
  /** Gets what came of the session, when it has ended in any way but a pause. */
  onSummary?: (summary: SessionSummary) => void;
  /** Values that deltas must not show; default: tokens that are known by their shape. */
  mask?: Mask | undefined;
  /** Progress, as it happens. */
  onEvent?: (event: SessionEvent) => void;
}
