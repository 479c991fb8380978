// Comments by REST: written, and read of an issue, a pull request, or a whole repository since a time.
import type { Caller, Client, Here } from './octokit.ts';
import { everyPage, firstPages, PAGE } from './pages.ts';

/** Without the editor, which only GraphQL reports. */
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

export type Comments = ReturnType<typeof commentsOf>;

const MAX_RECENT_PAGES = 3;

export function commentsOf(client: Client, { read, write }: Caller, here: Here) {
  const { request } = client;
  return {
    async comment(issue: number, body: string): Promise<number> {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      const { data } = await write(() => request(route, { ...here(), issue_number: issue, body }));
      return Number(data.id);
    },
    async editComment(comment: number, body: string): Promise<void> {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      await write(() => request(route, { ...here(), comment_id: comment, body }));
    },
    /** Setting the same reaction twice leaves one. */
    async react(comment: number, content: 'eyes' | 'rocket' | 'confused'): Promise<void> {
      const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions';
      await write(() => request(route, { ...here(), comment_id: comment, content }));
    },
    /** Comments of an issue or a pull request, in their order. */
    async comments(issue: number): Promise<PlainComment[]> {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
      const query = { issue_number: issue, per_page: PAGE };
      const all = await everyPage(
        `the comments of #${issue}`,
        async page => (await read(() => request(route, { ...here(), ...query, page }))).data,
      );
      return all.map(plain);
    },
    /** Those of all issues and pull requests that were changed since a time (milliseconds), the newest first, at most 300. */
    async recentComments(since: number): Promise<(PlainComment & { issue: number })[]> {
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
