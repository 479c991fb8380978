// GitHub's limits by installation, from its answers; its availability; and the distance between writes.
import { type Clock, sharedWait, type SharedWait } from '@echelon/ground';
import PQueue from 'p-queue';

interface Left {
  resource: string;
  remaining: number;
  limit: number;
  /** Time at which the limit resets (milliseconds since the epoch). */
  reset: number;
}

export type GithubLimits = ReturnType<typeof githubLimits>;

export function githubLimits(clock: Clock) {
  const waits = new Map<number, SharedWait>();
  const left = new Map<string, Left>();
  let silence: string | undefined;
  const current = (now: number) => [...left.values()].filter(({ reset }) => reset > now);
  const held = () => [...waits.values()].map(wait => wait.until()).filter(until => until !== undefined);
  return {
    /** Until when installations wait (milliseconds since the epoch), those that do. */
    waits: held,
    /** By resource (`core`, `graphql`), the calls that are left to the installation with the fewest. */
    callsLeft(now: number): ReadonlyMap<string, number> {
      const least = new Map<string, number>();
      for (const { resource, remaining } of current(now))
        least.set(resource, Math.min(remaining, least.get(resource) ?? remaining));
      return least;
    },
    /** Milliseconds until GitHub may be looked at again where nothing but looking tells what has happened there. */
    pace: (now: number) => paceOf(current(now), now),
    /** Reason that stops all work, in a sentence that names nobody; undefined: none. */
    waitsFor(): string | undefined {
      const ends = held();
      if (silence !== undefined) return silence;
      // One that has to wait does not make the others wait.
      if (ends.length === 0 || ends.length < waits.size) return undefined;
      return `GitHub asks to wait until ${new Date(Math.min(...ends)).toISOString()}`;
    },
    waitOf(installation: number): SharedWait {
      const wait = waits.get(installation) ?? sharedWait(clock);
      waits.set(installation, wait);
      return wait;
    },
    /** The headers of an answer to an installation's call. */
    note(installation: number, headers: Record<string, unknown>): void {
      const told = (name: string) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN);
      const [remaining, limit, reset] = [told('remaining'), told('limit'), told('reset')];
      const resource = String(headers['x-ratelimit-resource']);
      if (!/^[a-z_]{1,40}$/.test(resource) || !(remaining >= 0 && limit > 0 && reset > 0)) return;
      left.set(`${installation} ${resource}`, { resource, remaining, limit, reset: reset * 1000 });
    },
    /** Reports the result of the App's last call as itself. */
    answered(error?: unknown): void {
      const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined;
      if (error === undefined) silence = undefined;
      else if (status === undefined || status >= 500) silence = 'GitHub does not answer';
      else silence = `GitHub refuses the App with ${status}: look at its id and key`;
    },
  };
}

const POLL_MS = 30_000;
const SPARING_MS = 5 * 60_000;

/** Looking leaves the work at least a quarter of the calls, and is rarer from the second half of them on. */
function paceOf(left: readonly Pick<Left, 'remaining' | 'limit' | 'reset'>[], now: number): number {
  const scarce = left.filter(({ remaining, limit }) => remaining <= limit / 4);
  if (scarce.length > 0) return Math.max(POLL_MS, ...scarce.map(({ reset }) => reset - now));
  return left.some(({ remaining, limit }) => remaining <= limit / 2) ? SPARING_MS : POLL_MS;
}

/** Milliseconds between two writes of one who makes many (GitHub, best practices for using the REST API). */
const DISTANCE_MS = 1000;

/** Members of a request that say whether it writes. */
interface Asked {
  method: string;
  url: string;
  /** Of GraphQL. */
  query?: unknown;
}

/** Resolves when the request may be sent. A reaction goes before other writes: somebody has just typed a command. */
export function pace(): (asked: Asked) => Promise<void> {
  const turns = new PQueue({ concurrency: 1, intervalCap: 1, interval: DISTANCE_MS, strict: true });
  return async asked => {
    if (writes(asked)) await turns.add(() => {}, { priority: asked.url.endsWith('/reactions') ? 1 : 0 });
  };
}

const writes = ({ method, url, query }: Asked): boolean =>
  url.endsWith('/graphql') ? !/^\s*(query\b|\{)/.test(String(query)) : method !== 'GET' && method !== 'HEAD';
