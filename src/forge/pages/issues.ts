// The list of a repository's issues, and the form for a new one.
import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Api } from './api.ts';
import { author, Issue, stateOf } from './conversation.ts';
import { form, type Html, label, pager, repositoryBar, show, stateBadge, when } from './layout.ts';
import { field, numberOf, repositoryOf } from './request.ts';

/** The state that a list is asked for; anything else is the open ones. */
export const stateAsked = z.enum(['open', 'closed', 'all']).catch('open');

export function issuesPages(api: Api) {
  const app = new Hono();

  app.get('/:owner/:repo/issues', async c => {
    const repository = repositoryOf(c);
    const state = stateAsked.parse(c.req.query('state'));
    const number = numberOf(c.req.query('page') ?? '1');
    const { items, more } = await api.page(`/repos/${repository}/issues?state=${state}`, Issue, number);
    const issues = items.filter(({ pull_request }) => pull_request === undefined);
    return show(
      c,
      `Issues of ${repository}`,
      html`${repositoryBar(repository, 'Issues')}
<div class="title"><h1>Issues</h1><a class="button primary" href="/${repository}/issues/new">New issue</a></div>
${stateTabs(`/${repository}/issues`, state)}
${issueList(repository, issues, 'issues')}
${pager(`/${repository}/issues?state=${state}`, number, more)}`,
    );
  });

  app.get('/:owner/:repo/issues/new', c => {
    const repository = repositoryOf(c);
    return show(
      c,
      `New issue in ${repository}`,
      html`${repositoryBar(repository, 'Issues')}<h1>New issue</h1>
${form(
  c,
  `/${repository}/issues`,
  html`<p><label for="title">Title</label><input id="title" name="title" required maxlength="256" autofocus></p>
<p><label for="body">Description</label><textarea id="body" name="body" rows="12" maxlength="65536" placeholder="Markdown"></textarea></p>
<p><label for="labels">Labels, separated by commas</label><input id="labels" name="labels" autocomplete="off"></p>
<p class="buttons"><button class="primary">Create issue</button></p>`,
  'stacked',
)}`,
    );
  });

  app.post('/:owner/:repo/issues', async c => {
    const repository = repositoryOf(c);
    const labels = (await field(c, 'labels')).split(',').map(name => name.trim());
    const made = await api.send('POST', `/repos/${repository}/issues`, {
      title: await field(c, 'title'),
      body: await field(c, 'body'),
      labels: labels.filter(name => name !== ''),
    });
    return c.redirect(`/${repository}/issues/${Issue.parse(made).number}`, 303);
  });

  return app;
}

export function stateTabs(path: string, here: z.infer<typeof stateAsked>): Html {
  return html`<nav class="tabs" aria-label="State">${stateAsked
    .unwrap()
    .options.map(
      state =>
        html`<a href="${path}?state=${state}"${state === here ? html` aria-current="page"` : ''}>${state}</a> `,
    )}</nav>`;
}

/** Rows of issues or pull requests, newest first. */
export function issueList(repository: string, issues: Issue[], place: 'issues' | 'pull'): Html {
  if (issues.length === 0) return html`<p class="empty">Nothing here.</p>`;
  return html`<ul class="list">${issues.map(
    issue => html`<li>${stateBadge(stateOf(issue))}
<div><a class="strong" href="/${repository}/${place}/${issue.number}">${issue.title}</a> ${issue.labels.map(label)}
<p class="quiet">#${issue.number} opened by ${author(issue.user)} ${when(issue.created_at)}${issue.comments > 0 ? html`, ${issue.comments} comment${issue.comments === 1 ? '' : 's'}` : ''}</p></div></li>`,
  )}</ul>`;
}
