// What may be completed in a text: the commands, the people and the issues of a repository.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Api } from '../api.ts';
import { Comment, Issue } from '../conversation.ts';
import { repositoryOf } from '../request.ts';

/** Pages of 100 issues, newest first, that are offered by their numbers and titles. */
const issuePages = 5;

const Login = z.object({ login: z.string() });

/** Asked for once by a page, when the first sign of it is typed. */
export function completionPages(api: Api) {
  const app = new Hono();

  app.get('/-/completion/:owner/:repo', async c => {
    const repository = repositoryOf(c);
    const issues: Issue[] = [];
    for (let number = 1; number <= issuePages; number++) {
      const next = await api.page(`/repos/${repository}/issues?state=all`, Issue, number);
      issues.push(...next.items);
      if (!next.more) break;
    }
    const newest = await api.page(
      `/repos/${repository}/issues/comments?sort=created&direction=desc`,
      Comment,
    );
    const members = await api.page(`/repos/${repository}/assignees`, Login);
    const wrote = [...newest.items, ...issues].map(({ user }) => user?.login ?? '');
    const assigned = issues.flatMap(({ assignees }) => assignees.map(({ login }) => login));
    const people = [
      ...new Set([c.get('actor'), ...members.items.map(({ login }) => login), ...wrote, ...assigned]),
    ].filter(login => login !== '' && !login.endsWith('[bot]'));
    return c.json({
      '/': c.get('commands').map(({ name, usage, what }) => ({ text: `/${name}`, shown: usage, more: what })),
      '@': people.toSorted().map(login => ({ text: `@${login}`, shown: `@${login}`, more: '' })),
      '#': issues.map(({ number, title }) => ({ text: `#${number}`, shown: `#${number}`, more: title })),
    });
  });

  return app;
}
