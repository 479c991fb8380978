// The limits of a task over all that runs in it.
import { deadline } from '@echelon/ground';
import type { Limits, Task, AtomicTask } from '../language/ast.ts';
import { exhausted, SESSION_TURNS } from '../reasoning/stop.ts';
import { createLedger, leftFor, least } from './ledger.ts';
import { type Evaluator, nameOf, type TaskPlace } from './task-place.ts';
import type { Library } from '../language/library.ts';
import type { Subtype } from '../language/subtypes.ts';
import type { SessionRequest } from '../reasoning/request.ts';
import type { EvaluateOptions } from './options.ts';

/** Of an atomic task they are those of its one session, but for the budget. */
export const limitsWithin = (task: Task): Partial<Limits> =>
  task.type === 'atomic' ? {} : { ...task.limits, budgetUsd: undefined };

/** Of every task: all that is done for it costs at most that, what is done in its place when it failed included. */
export const budgetOf = ({ limits: { budgetUsd } }: Task): Partial<Limits> => ({ budgetUsd });

/**
 * What `act` comes to at the place that `limits` of `task` hold at. Whatever would pass one of them throws TaskError
 * RESOURCE_EXHAUSTION; when the time is up that is the reason of the place's signal. The time begins anew where a program is gone
 * on with in another process.
 */
export function within<T>(
  task: Task,
  limits: Partial<Limits>,
  place: TaskPlace,
  evaluator: Pick<Evaluator, 'options'>,
  act: (place: TaskPlace) => Promise<T>,
): Promise<T> {
  const isFree = Object.values(limits).every(limit => limit === undefined);
  return isFree ? act(place) : limited(task, limits, place, evaluator, act);
}

async function limited<T>(
  task: Task,
  limits: Partial<Limits>,
  place: TaskPlace,
  { options: { clock } }: Pick<Evaluator, 'options'>,
  act: (place: TaskPlace) => Promise<T>,
): Promise<T> {
  const name = nameOf(task);
  const { timeMs } = limits;
  const time =
    timeMs === undefined
      ? undefined
      : deadline(timeMs, clock, place.signal, used => exhausted('time', used, timeMs, name));
  const ledger = createLedger(place.ledger, { name, limits, time });
  try {
    return await act({ ...place, ledger, signal: time?.signal ?? place.signal });
  } finally {
    time?.end();
  }
}

// The limits of one task execution, fixed before it begins: the smallest of what anything around it allows.

/** What holds when neither the program nor its surroundings say: tokens of one reply, milliseconds. */
const defaults = { outputTokens: 16_000, timeMs: 5 * 60_000 };

/** The share of a model's window that a conversation may fill. */
const WINDOW_SHARE = 0.8;

/** What of an evaluation the limits of a session come from. */
interface Configured {
  library: Pick<Library, 'subtypes'>;
  options: Pick<EvaluateOptions, 'window' | 'largestReply' | 'turns' | 'outputTokens' | 'timeMs' | 'warnAt'>;
}

export function limitsOf(
  { subtype, limits }: AtomicTask,
  name: string,
  model: string,
  { ledger }: Pick<TaskPlace, 'ledger'>,
  { options, library }: Configured,
): SessionRequest['limits'] {
  const { turns = SESSION_TURNS, usualTurns = turns }: Partial<Subtype> = library.subtypes[subtype] ?? {};
  const window = options.window?.(model);
  const left = leftFor(ledger);
  const own = least(limits.contextTokens, window && Math.floor(window * WINDOW_SHARE));
  const context = least(own, left.contextTokens);
  const most: SessionRequest['limits'] = {
    turns: Math.min(
      ...[SESSION_TURNS, turns, least(limits.turns, options.turns?.(name)) ?? usualTurns],
      left.turns ?? SESSION_TURNS,
    ),
    output_tokens: Math.min(
      limits.outputTokens ?? options.outputTokens?.(name) ?? defaults.outputTokens,
      options.largestReply?.(model) ?? Number.POSITIVE_INFINITY,
      left.outputTokens ?? Number.POSITIVE_INFINITY,
    ),
    time_ms: least(limits.timeMs, options.timeMs?.(name)) ?? defaults.timeMs,
  };
  if (context !== undefined) most.context_tokens = context;
  if (options.warnAt !== undefined) most.warn_at = options.warnAt;
  return most;
}
