// The list of a repository's pull requests.
import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Api } from './api.ts';
import { Issue } from './conversation.ts';
import { issueList, stateAsked, stateTabs } from './issues.ts';
import { pager, repositoryBar, show } from './layout.ts';
import { numberOf, repositoryOf } from './request.ts';

/** The API's list has no count of comments; `merged_at` stands on the pull request itself. */
const Listed = Issue.extend({ comments: z.number().default(0), merged_at: z.string().nullable() }).transform(
  pull => ({ ...pull, pull_request: { merged_at: pull.merged_at } }),
);

export function pullsPages(api: Api) {
  const app = new Hono();
  app.get('/:owner/:repo/pulls', async c => {
    const repository = repositoryOf(c);
    const state = stateAsked.parse(c.req.query('state'));
    const number = numberOf(c.req.query('page') ?? '1');
    const { items, more } = await api.page(`/repos/${repository}/pulls?state=${state}`, Listed, number);
    return show(
      c,
      `Pull requests of ${repository}`,
      html`${repositoryBar(repository, 'Pull requests')}<h1>Pull requests</h1>
${stateTabs(`/${repository}/pulls`, state)}
${issueList(repository, items, 'pull')}
${pager(`/${repository}/pulls?state=${state}`, number, more)}`,
    );
  });
  return app;
}
