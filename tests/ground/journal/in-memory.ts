// A journal that is kept in memory: every replay over the same entries stands for another process.
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { type Replay, type ReplayOptions, replay } from '../../../packages/ground/journal/replay.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { stillClock } from '../lib/clocks.ts';

/** Goes on with `kept`, to which what is made durable is added. */
export function over(kept: Entry[], more: Partial<ReplayOptions> = {}): Replay {
  return replay({
    entries: kept,
    clock: stillClock(),
    write: batch => void kept.push(...batch),
    ...more,
  });
}

/** The results of the steps that are done, by their keys. */
export const resultsIn = (kept: readonly Entry[]): Record<string, Json> =>
  Object.fromEntries(kept.flatMap(entry => (entry.t === 'step' ? [[entry.key, entry.result]] : [])));
