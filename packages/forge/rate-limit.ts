// GitHub's limits of calls: told, not enforced, and counted for the tokens of jobs alone, which have few.
import { HOUR_MS } from '@echelon/ground';
import type { Core } from './core.ts';

const jobs = 'github-actions[bot]';

export interface RateLimit {
  limit: number;
  used: number;
  remaining: number;
  /** When the hour ends (seconds since the epoch). */
  reset: number;
}

/** `used`: calls of this hour. */
export function rateLimit({ clock }: Pick<Core, 'clock'>, actor: string | null = null, used = 0): RateLimit {
  const limit = actor === jobs ? 1000 : 5000;
  const reset = Math.ceil(clock.now() / HOUR_MS) * (HOUR_MS / 1000);
  return { limit, used, remaining: Math.max(0, limit - used), reset };
}

/** Counts calls, and answers what stands then. */
export function rateCounter(core: Pick<Core, 'clock'>): (actor: string | null, calls: number) => RateLimit {
  let used = 0;
  let hour = 0;
  return (actor, calls) => {
    if (actor !== jobs) return rateLimit(core, actor);
    const { reset } = rateLimit(core);
    if (reset !== hour) [hour, used] = [reset, 0];
    used += calls;
    return rateLimit(core, actor, used);
  };
}
