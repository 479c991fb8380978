// The limits of one task execution, fixed before it begins: the smallest of what anything around it allows.
import type { AtomicTask } from '../language/ast.ts';
import type { Library } from '../language/library.ts';
import type { Subtype } from '../language/subtypes.ts';
import type { SessionRequest } from '../reasoning/request.ts';
import { SESSION_TURNS } from '../reasoning/stop.ts';
import { leftFor, least } from './ledger.ts';
import type { EvaluateOptions } from './options.ts';
import type { TaskPlace } from './task-place.ts';

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
