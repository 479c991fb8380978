// Comments by REST: also of pull requests, and of a whole repository since a time.
import type { Caller, Client } from './octokit.ts';
import { everyPage, firstPages, PAGE } from './pages.ts';

/** What GraphQL alone tells, who edited it, is not there. */
export interface PlainComment {
  /** Database id: comments of an issue are ordered by it. */
  id: number;
  body: string;
  /** `slug[bot]` for an app; `ghost` where the account is gone. */
  author: string;
  bot: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface Comments {
  /** Comments of an issue or a pull request, in their order. */
  comments(issue: number): Promise<PlainComment[]>;
  /** Those of all issues and pull requests that were changed since a time (milliseconds), the newest first, at most 300. */
  recentComments(since: number): Promise<(PlainComment & { issue: number })[]>;
}

const MAX_RECENT_PAGES = 3;

export function commentsOf(
  client: Client,
  read: Caller['read'],
  here: () => { owner: string; repo: string },
): Comments {
  const { request } = client;
  return {
    async comments(issue) {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
      const query = { issue_number: issue, per_page: PAGE };
      const all = await everyPage(
        `the comments of #${issue}`,
        async page => (await read(() => request(route, { ...here(), ...query, page }))).data,
      );
      return all.map(plain);
    },
    async recentComments(since) {
      const route = 'GET /repos/{owner}/{repo}/issues/comments';
      const query = {
        since: new Date(since).toISOString(),
        sort: 'created',
        direction: 'desc',
        per_page: PAGE,
      } as const;
      const { items } = await firstPages(
        MAX_RECENT_PAGES,
        async page => (await read(() => request(route, { ...here(), ...query, page }))).data,
      );
      return items.map(item => ({ ...plain(item), issue: Number(item.issue_url.split('/').at(-1)) }));
    },
  };
}

const plain = (given: {
  id: number | bigint;
  body?: string | undefined;
  created_at: string;
  user: { login: string; type: string } | null;
}): PlainComment => ({
  id: Number(given.id),
  body: given.body ?? '',
  author: given.user?.login ?? 'ghost',
  bot: given.user?.type !== 'User',
  createdAt: Date.parse(given.created_at),
});
