// The limits of a task over all that runs in it.
import { deadline } from '@echelon/ground';
import type { AtomicTask, Limits } from '../language/ast.ts';
import { exhausted, SESSION_TURNS } from '../reasoning/stop.ts';
import { createLedger, leftFor, least } from './ledger.ts';
import { type Act, nameOf, type TaskPlace } from './task-place.ts';
import type { Subtype } from '../language/subtypes.ts';
import type { SessionRequest } from '../reasoning/request.ts';

export const isBound = (limits: Partial<Limits>): boolean =>
  Object.values(limits).some(limit => limit !== undefined);

/**
 * Evaluates a task by `act` at a place that `limits` hold at. Whatever would pass one of them throws TaskError
 * RESOURCE_EXHAUSTION; when the time is up that is the reason of the place's signal. The time begins anew where a program is gone
 * on with in another process.
 */
export const withinLimits =
  (limits: Partial<Limits>, act: Act): Act =>
  async (task, place) => {
    const { clock } = place.evaluator.options;
    const name = nameOf(task);
    const { timeMs } = limits;
    const time =
      timeMs === undefined
        ? undefined
        : deadline(timeMs, clock, place.signal, used => exhausted('time', used, timeMs, name));
    const ledger = createLedger(place.ledger, { name, limits, time });
    try {
      return await act(task, { ...place, ledger, signal: time?.signal ?? place.signal });
    } finally {
      time?.end();
    }
  };

// The limits of one task execution, fixed before it begins: the smallest of what anything around it allows.

/** Limits where neither the program nor its surroundings say: tokens of one reply, milliseconds. */
const defaults = { outputTokens: 16_000, timeMs: 5 * 60_000 };

/** The share of a model's window that a conversation may fill. */
const WINDOW_SHARE = 0.8;

export function limitsOf(
  { subtype, limits }: AtomicTask,
  name: string,
  model: string,
  { ledger, evaluator: { options, library } }: Pick<TaskPlace, 'ledger' | 'evaluator'>,
): SessionRequest['limits'] {
  const { turns = SESSION_TURNS, usualTurns = turns }: Partial<Subtype> = library.subtypes[subtype] ?? {};
  const window = options.window?.(model);
  const left = leftFor(ledger);
  const own = least(limits.contextTokens, window && Math.floor(window * WINDOW_SHARE));
  const context = least(own, left.contextTokens);
  const asked = least(limits.turns, options.turns?.(name)) ?? usualTurns;
  const tokens = limits.outputTokens ?? options.outputTokens?.(name) ?? defaults.outputTokens;
  const most: SessionRequest['limits'] = {
    turns: Math.min(SESSION_TURNS, turns, asked, left.turns ?? SESSION_TURNS),
    output_tokens: Math.min(tokens, options.largestReply?.(model) ?? tokens, left.outputTokens ?? tokens),
    time_ms: least(limits.timeMs, options.timeMs?.(name)) ?? defaults.timeMs,
  };
  if (context !== undefined) most.context_tokens = context;
  if (options.warnAt !== undefined) most.warn_at = options.warnAt;
  return most;
}
