// GitHub's limits of calls: told, not enforced, and counted for the tokens of jobs alone, which have few.
import { HOUR_MS } from '@echelon/ground';
import type { Core } from './core.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Identity } from './auth.ts';
import type { Answer, Route } from './route.ts';

/** GitHub's form: five hexadecimal numbers. */
export const requestId = (): string =>
  [2, 3, 3, 3, 4].map(bytes => randomBytes(bytes).toString('hex').toUpperCase()).join(':');

/** `issues=write; pull_requests=write`: for callers whose permissions are named one by one. */
export function acceptedPermissions(identity: Identity, route: Route | undefined): Record<string, string> {
  if (identity.kind !== 'installation' || !route || route.scopes.length === 0) return {};
  const sets = route.scopes.map(scope => scope.replace(':', '='));
  return { 'x-accepted-github-permissions': sets.join('; ') };
}

/** A read with its entity tag, or 304 for a caller that has it already. */
export function tagged(method: string, answer: Answer, known: string | undefined): Answer {
  if ((method !== 'GET' && method !== 'HEAD') || answer.status !== 200 || answer.body === undefined)
    return answer;
  const content =
    answer.body instanceof Uint8Array || typeof answer.body === 'string'
      ? answer.body
      : JSON.stringify(answer.body);
  const tag = `"${createHash('sha256').update(content).digest('hex')}"`;
  const headers = {
    ...answer.headers,
    etag: `W/${tag}`,
    'cache-control': 'private, max-age=60, s-maxage=60',
  };
  return known?.includes(tag) ? { status: 304, headers } : { ...answer, headers };
}

const jobs = 'github-actions[bot]';

export interface RateLimit {
  limit: number;
  used: number;
  remaining: number;
  /** End of the hour (seconds since the epoch). */
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
