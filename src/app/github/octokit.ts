// Requests to GitHub: reads are retried, writes never blindly; a limit becomes a value with its end; calls are counted.
import type { Octokit } from '@octokit/rest';
import { type Clock, messageOf, type SharedWait } from '@echelon/ground';

/** The part of Octokit used here; Probot's and a plain one both fit. */
export type Client = Pick<Octokit, 'request' | 'graphql'>;

/** The repository's name, which may change. */
export type Here = () => { owner: string; repo: string };

/** A primary or secondary limit: nothing is to be sent before `until` (milliseconds since the epoch). */
export class RateLimited extends Error {
  readonly until: number;
  constructor(until: number, cause?: unknown) {
    super(`GitHub asks to wait until ${new Date(until).toISOString()}`, { cause });
    this.until = until;
  }
}

interface HttpError {
  status: number;
  message: string;
  response?: { headers: Headers };
}

type Headers = Record<string, string | number | undefined>;

const isHttpError = (error: unknown): error is HttpError =>
  error instanceof Error && typeof (error as Partial<HttpError>).status === 'number';

interface GraphqlError {
  headers: Headers;
  errors?: { type?: string; path?: (string | number)[] }[];
  data?: unknown;
}

const isGraphqlError = (error: unknown): error is GraphqlError =>
  error instanceof Error && error.name === 'GraphqlResponseError';

/** The kinds of errors that GraphQL answered with; none where it answered nothing. */
export const graphqlKinds = (error: unknown): string[] =>
  isGraphqlError(error) ? (error.errors ?? []).flatMap(({ type }) => type ?? []) : [];

/** For `catch`: returns what GraphQL answered beside its errors; what those are about is null there. */
export const besideErrors = (error: unknown): unknown => {
  if (isGraphqlError(error) && error.data) return error.data;
  throw error;
};

/** True if GitHub answered with one of these codes. */
export const answered = (error: unknown, ...codes: number[]): boolean =>
  isHttpError(error) && codes.includes(error.status);

/** For `catch`: returns the reason where GitHub refuses a call with one of these codes, or GraphQL with any. */
export const refusedBy =
  (...codes: number[]) =>
  (error: unknown): { refused: string } => {
    if (!answered(error, ...codes) && !isGraphqlError(error)) throw error;
    // GitHub names the rule that was broken on a line of its own.
    const lines = messageOf(error).replace(/ - https:\/\/docs\.github\.com\S*$/, '');
    const refused = lines.replace(/\s*\n\s*/g, '. ').replace(/[.\s]+$/, '');
    return { refused: refused.slice(0, 300) };
  };

/** True if GraphQL reports that the object does not exist. `field`: the one of the query that asked for it. */
export const isUnknown = (error: unknown, field?: string): boolean =>
  isGraphqlError(error) &&
  error.errors?.some(
    ({ type, path }) => type === 'NOT_FOUND' && (field === undefined || path?.at(-1) === field),
  ) === true;

/** Tries of a read whose answer was lost or 5xx. A write is sent once: it may have been applied. */
const READ_TRIES = 3;
/** Without a hint GitHub wants at least a minute after a secondary limit (docs, rate limits for the REST API). */
const NO_HINT_MS = 60_000;

export type Caller = ReturnType<typeof caller>;

/** `wait`: what GitHub asks one call to wait for holds for all that share it; none of them is sent before. */
export function caller(clock: Clock, wait: SharedWait) {
  const sent = { read: 0, write: 0 };
  const mayCall = () => {
    const until = wait.until();
    if (until !== undefined) throw new RateLimited(until);
  };
  /** The limit that an error tells of, which holds from now on. */
  const reached = (error: unknown) => {
    const told = limit(error, clock);
    if (told === undefined) return undefined;
    wait.extend(told);
    return new RateLimited(wait.until() ?? told, error);
  };
  return {
    /** Requests sent since this process began. */
    sent,
    async read<T>(call: () => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        mayCall();
        try {
          sent.read++;
          return await call();
        } catch (error) {
          const limited = reached(error);
          if (limited) throw limited;
          if (!isPassing(error) || attempt === READ_TRIES) throw error;
          await clock.sleep(500 * attempt);
        }
      }
    },
    async write<T>(call: () => Promise<T>): Promise<T> {
      mayCall();
      try {
        sent.write++;
        return await call();
      } catch (error) {
        throw reached(error) ?? error;
      }
    },
  };
}

/** True if the same request may succeed in a moment: the answer was lost, or the server was at fault. */
function isPassing(error: unknown): boolean {
  if (isGraphqlError(error)) return false;
  return isHttpError(error) ? error.status >= 500 && error.status !== 501 : true;
}

/** Until when a limit holds that this error tells of (milliseconds since the epoch). */
function limit(error: unknown, clock: Clock): number | undefined {
  const headers = headersOfLimit(error);
  if (!headers) return undefined;
  const after = Number(headers['retry-after']);
  if (after > 0) return clock.now() + after * 1000;
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  const isSpent = String(headers['x-ratelimit-remaining']) === '0';
  return isSpent && reset > clock.now() ? reset : clock.now() + NO_HINT_MS;
}

/** The headers of an answer that says that a limit is reached; undefined where it says something else. */
function headersOfLimit(error: unknown): Headers | undefined {
  // GraphQL says it with 200 and a kind of error (docs, rate limits for the GraphQL API).
  if (isGraphqlError(error))
    return error.errors?.some(({ type }) => type === 'RATE_LIMITED') ? error.headers : undefined;
  if (!isHttpError(error) || (error.status !== 403 && error.status !== 429)) return undefined;
  const headers = error.response?.headers ?? {};
  const isLimit =
    error.status === 429 ||
    Number(headers['retry-after']) > 0 ||
    String(headers['x-ratelimit-remaining']) === '0' ||
    /secondary rate limit/i.test(error.message);
  return isLimit ? headers : undefined;
}

/** Answers that are kept; the oldest goes first. */
const MAX_KEPT = 200;

/** Not an archive of an artifact, which is read once. */
const isList = /\/actions\/(runs|workflows|artifacts)\b(?!.*\/zip$)/;

/** Has the client ask for what it knows of workflow runs, jobs and artifacts only if that has changed. */
export function askConditionally({ hook, request }: Pick<Octokit, 'hook' | 'request'>): void {
  const kept = new Map<string, { etag: string; answer: Awaited<ReturnType<typeof request>> }>();
  hook.wrap('request', async (send, options) => {
    const { method, url } = request.endpoint(options);
    if (method !== 'GET' || !isList.test(url)) return await send(options);
    const known = kept.get(url);
    // In place: the client's other hooks are bound to these options, and see no others.
    if (known) options.headers['if-none-match'] = known.etag;
    try {
      const answer = await send(options);
      const { etag } = answer.headers;
      kept.delete(url);
      if (etag !== undefined && answer.status === 200) kept.set(url, { etag, answer });
      for (const [oldest] of kept) if (kept.size > MAX_KEPT) kept.delete(oldest);
      return answer;
    } catch (error) {
      if (known && answered(error, 304)) return known.answer;
      throw error;
    }
  });
}
