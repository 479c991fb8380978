// The lists of a repository's issues and pull requests, and the form for a new issue.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Api, field, fields, numberOf, repositoryOf } from './api.ts';
import type { simplePull } from '../pulls/pull-json.ts';
import { author, type Issue, type Label } from './conversation.ts';
import {
  form,
  type Html,
  label,
  pager,
  repositoryBar,
  show,
  stateBadge,
  stateOf,
  type Standing,
  when,
} from './layout.ts';
import { noPreview, preview, previewButton } from './forms.ts';

/** The state that a list is asked for; anything else is the open ones. */
const stateAsked = z.enum(['open', 'closed', 'all']).catch('open');

/** An issue that somebody may want to file, in the repository that it fits. */
export interface Example {
  repository: string;
  title: string;
  body: string;
  /** Separated by commas. */
  labels: string;
}

const namesIn = (labels: string): string[] =>
  labels
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');

export function issuesPages(app: Hono, api: Api, examples: readonly Example[]) {
  app.get('/:owner/:repo/issues', async c => {
    const repository = repositoryOf(c);
    const state = stateAsked.parse(c.req.query('state'));
    const number = numberOf(c.req.query('page') ?? '1');
    const { items, more } = await api.page<Issue>(`/repos/${repository}/issues?state=${state}`, number);
    const issues = items.filter(({ pull_request }) => pull_request === undefined);
    return show(
      c,
      `Issues of ${repository}`,
      html`${repositoryBar(repository, 'Issues')}
<div class="title"><h1>Issues</h1><a class="button primary" href="/${repository}/issues/new">New issue</a></div>
${stateTabs(`/${repository}/issues`, state)}
${exampleLinks(repository, issues.length === 0 ? examples : [])}
${issueList(repository, issues, 'issues')}
${pager(`/${repository}/issues?state=${state}`, number, more)}`,
    );
  });

  // The URL can prefill the form, as on GitHub: `?title=...&body=...&labels=a,b`.
  app.get('/:owner/:repo/issues/new', async c => {
    const repository = repositoryOf(c);
    const example = examples.find(
      each => each.repository === repository && each.title === c.req.query('example'),
    );
    const asked = { title: c.req.query('title'), body: c.req.query('body'), labels: c.req.query('labels') };
    const { title = '', body = '', labels = '' } = example ?? asked;
    return await newIssue(c, repository, { title, body, labels: namesIn(labels), shown: noPreview });
  });

  app.post('/:owner/:repo/issues/preview', async c => {
    const repository = repositoryOf(c);
    const draft = await draftIn(c);
    return await newIssue(c, repository, { ...draft, shown: await preview(api, repository, draft.body) });
  });

  async function newIssue(
    c: Context,
    repository: string,
    { title, body, labels, shown }: Draft & { shown: Html },
  ) {
    const known = (await api.all<Label>(`/repos/${repository}/labels`)).items;
    const chosen = new Set(labels);
    const others = [...chosen].filter(name => !known.some(each => each.name === name));
    return show(
      c,
      `New issue in ${repository}`,
      html`${repositoryBar(repository, 'Issues')}<h1>New issue</h1>
${exampleLinks(repository, examples)}
${form(
  c,
  `/${repository}/issues`,
  html`<p><label for="title">Title</label><input id="title" name="title" value="${title}" required maxlength="256" autofocus></p>
<p><label for="body">Description</label><textarea id="body" name="body" rows="12" maxlength="65536" placeholder="Markdown: what should be so, for whom, and how one will see that it is">
${body}</textarea></p>
${shown}
${known.length === 0 ? '' : html`<fieldset class="choices"><legend>Labels</legend>${known.map(each => html`<label><input type="checkbox" name="label" value="${each.name}"${chosen.has(each.name) ? html` checked` : ''}> ${label(each)}</label> `)}</fieldset>`}
<p><label for="labels">${known.length === 0 ? 'Labels' : 'Other labels'}, separated by commas</label><input id="labels" name="labels" value="${others.join(', ')}" autocomplete="off"></p>
<p class="buttons"><button class="primary">Create issue</button> ${previewButton(`/${repository}/issues/preview`)}</p>`,
  'stacked',
)}`,
    );
  }

  app.post('/:owner/:repo/issues', async c => {
    const repository = repositoryOf(c);
    const made = (await api.send('POST', `/repos/${repository}/issues`, await draftIn(c))) as Issue;
    return c.redirect(`/${repository}/issues/${made.number}`, 303);
  });

  app.get('/:owner/:repo/pulls', async c => {
    const repository = repositoryOf(c);
    const state = stateAsked.parse(c.req.query('state'));
    const number = numberOf(c.req.query('page') ?? '1');
    const path = `/repos/${repository}/pulls?state=${state}`;
    const { items, more } = await api.page<ReturnType<typeof simplePull>>(path, number);
    // The API's list has no count of comments; `merged_at` stands on the pull request itself.
    const pulls = items.map(({ merged_at, ...pull }) => ({
      ...pull,
      comments: 0,
      pull_request: { merged_at },
    }));
    return show(
      c,
      `Pull requests of ${repository}`,
      html`${repositoryBar(repository, 'Pull requests')}<h1>Pull requests</h1>
${stateTabs(`/${repository}/pulls`, state)}
${issueList(repository, pulls, 'pull')}
${pager(`/${repository}/pulls?state=${state}`, number, more)}`,
    );
  });
}

/** An issue as it is being written. */
interface Draft {
  title: string;
  body: string;
  labels: string[];
}

const draftIn = async (c: Context): Promise<Draft> => ({
  title: await field(c, 'title'),
  body: await field(c, 'body'),
  labels: [...(await fields(c, 'label')), ...namesIn(await field(c, 'labels'))],
});

/** Links that fill the form in; nothing where no example fits the repository. */
function exampleLinks(repository: string, examples: readonly Example[]): Html {
  const own = examples.filter(each => each.repository === repository);
  if (own.length === 0) return html``;
  return html`<p>An example to begin with: ${own.map(
    ({ title }) =>
      html`<a href="/${repository}/issues/new?${new URLSearchParams({ example: title }).toString()}">${title}</a> `,
  )}</p>`;
}

function stateTabs(path: string, here: z.infer<typeof stateAsked>): Html {
  return html`<nav class="tabs" aria-label="State">${stateAsked
    .unwrap()
    .options.map(
      state =>
        html`<a href="${path}?state=${state}"${state === here ? html` aria-current="page"` : ''}>${state}</a> `,
    )}</nav>`;
}

type Listed = Standing & Pick<Issue, 'number' | 'title' | 'user' | 'created_at' | 'comments' | 'labels'>;

/** Rows of issues or pull requests, newest first. */
function issueList(repository: string, issues: Listed[], place: 'issues' | 'pull'): Html {
  if (issues.length === 0) return html`<p class="empty">Nothing here.</p>`;
  return html`<ul class="list">${issues.map(
    issue => html`<li>${stateBadge(stateOf(issue))}
<div><a class="strong" href="/${repository}/${place}/${issue.number}">${issue.title}</a> ${issue.labels.map(label)}
<p class="quiet">#${issue.number} opened by ${author(issue.user)} ${when(issue.created_at)}${issue.comments > 0 ? html`, ${issue.comments} comment${issue.comments === 1 ? '' : 's'}` : ''}</p></div></li>`,
  )}</ul>`;
}
