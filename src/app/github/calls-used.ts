// A token's API calls used this hour, from GitHub's answers.
import type { Octokit } from '@octokit/rest';

interface CallsUsed {
  used: number;
  limit: number;
}

/** Listens to the answers that the client gets: of the limit that is nearest to its end; undefined until one has told. */
export function callsUsed({ hook }: Pick<Octokit, 'hook'>): () => CallsUsed | undefined {
  const told = new Map<string, CallsUsed>();
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
