// A client for GitHub with a token that somebody else made: what a job of GitHub Actions is given.
import { Octokit } from '@octokit/rest';
import { answered, type Client } from './octokit.ts';

/** Messages that replace GitHub's own if a workflow's token lacks a right. */
export interface Remedies {
  pullsForbidden: string;
  /** `needs`: what GitHub says that would do, as `issues: write`. */
  lacksPermission(needs: string | undefined): string;
}

/** `baseUrl`: of the REST API. Without a token GitHub shows what is public. The token is in no message of the client. */
export function tokenClient(
  token: string | undefined,
  baseUrl: string,
  remedies?: Remedies,
): Client & Pick<Octokit, 'hook'> {
  const client = new Octokit({
    ...(token !== undefined && { auth: token }),
    baseUrl,
    userAgent: 'echelon',
    log: silent,
  });
  client.hook.error('request', error => {
    error.message = (remedies && remedyOf(error, remedies)) ?? error.message;
    throw error;
  });
  return client;
}

/** Listens to the answers that the client gets: of the limit that is nearest to its end; undefined until one has told. */
export function callsUsed({ hook }: Pick<Octokit, 'hook'>) {
  const told = new Map<string, { used: number; limit: number }>();
  const note = (headers: Record<string, unknown>) => {
    const [used, limit] = ['used', 'limit'].map(name => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN));
    if (used === undefined || limit === undefined || !(used >= 0 && limit > 0)) return;
    told.set(String(headers['x-ratelimit-resource']), { used, limit });
  };
  hook.after('request', ({ headers }) => note(headers));
  hook.error('request', error => {
    if ('response' in error) note(error.response?.headers ?? {});
    throw error;
  });
  return () => [...told.values()].sort((a, b) => b.used / b.limit - a.used / a.limit)[0];
}

/** A refusal is told by whoever meets it; the library would print each. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Told by GitHub's texts: it has one status for all that is forbidden. */
function remedyOf(error: Error, { pullsForbidden, lacksPermission }: Remedies): string | undefined {
  if (!answered(error, 403)) return undefined;
  if (/not permitted to create or approve pull requests/i.test(error.message)) return pullsForbidden;
  if (!/not accessible by integration/i.test(error.message)) return undefined;
  const { response } = error as { response?: { headers: Record<string, unknown> } };
  const needs = response?.headers['x-accepted-github-permissions'];
  return lacksPermission(typeof needs === 'string' ? needs.replace('=', ': ') : undefined);
}
