// The limits of one task execution, fixed before it begins: the smallest of what anything around it allows.
import type { AtomicTask } from '../language/ast.ts';
import type { Subtype } from '../language/subtypes.ts';
import type { SessionRequest } from '../reasoning/request.ts';
import { SESSION_TURNS } from '../reasoning/stop.ts';
import type { Evaluator } from './task-place.ts';

/** What holds when neither the program nor its surroundings say: tokens of one reply, milliseconds. */
const defaults = { outputTokens: 16_000, timeMs: 5 * 60_000 };

/** The share of a model's window that a conversation may fill. */
const WINDOW_SHARE = 0.8;

export function limitsOf(
  { subtype, limits }: AtomicTask,
  name: string,
  model: string,
  { options, library }: Evaluator,
): SessionRequest['limits'] {
  const { turns = SESSION_TURNS, usualTurns = turns }: Partial<Subtype> = library.subtypes[subtype] ?? {};
  const window = options.window?.(model);
  const context = least(limits.contextTokens, window && Math.floor(window * WINDOW_SHARE));
  const most: SessionRequest['limits'] = {
    turns: Math.min(SESSION_TURNS, turns, least(limits.turns, options.turns?.(name)) ?? usualTurns),
    output_tokens: Math.min(
      limits.outputTokens ?? options.outputTokens?.(name) ?? defaults.outputTokens,
      options.largestReply?.(model) ?? Number.POSITIVE_INFINITY,
    ),
    time_ms: least(limits.timeMs, options.timeMs?.(name)) ?? defaults.timeMs,
  };
  if (context !== undefined) most.context_tokens = context;
  if (options.warnAt !== undefined) most.warn_at = options.warnAt;
  return most;
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : Math.min(a, b ?? a);
}
