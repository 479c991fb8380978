// Lists that a job asks for again and again. A conditional request whose answer has not changed does not count against
// the limit of a token: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
import type { Octokit } from '@octokit/rest';
import { answered } from './octokit.ts';

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
