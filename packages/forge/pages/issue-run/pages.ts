// The run that is worked on an issue: how it stands, who waits for whom, what it costs, what happened; and one job of it.
import { createHash } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { type Api, Refusal, numberOf, repositoryOf } from '../api.ts';
import { type Html, repositoryBar, show } from '../layout.ts';
import { foldedLog } from '../job.ts';
import { drawing } from '../markdown/diagram.ts';
import { markdown } from '../markdown/markdown.ts';
import {
  type Happened,
  type IssueJob,
  type IssueRun,
  type IssueRuns,
  type Said,
  workflowJob,
} from './issue-run.ts';
import { standing, timeLine, timeOf, tryTable } from './time-line.ts';

const plain = { 'Content-Type': 'text/plain; charset=utf-8' };

export function issueRunPages(app: Hono, api: Api, runs: IssueRuns) {
  const at = '/:owner/:repo/issues/:number/run';
  const gone = (message = 'The run has no such job, or nothing of it lies on this machine.') =>
    new Refusal(404, message);
  const placeOf = (c: Context) => {
    const [repository, number, id] = [repositoryOf(c), numberOf(c.req.param('number')), c.req.param('job')];
    if (id !== undefined && !/^[0-9a-z-]{1,64}$/.test(id)) throw gone();
    return { repository, number, id: id ?? '', path: `/${repository}/issues/${number}/run` };
  };
  const runOf = ({ repository, number }: ReturnType<typeof placeOf>) => runs.run(repository, number);
  const jobOf = (place: ReturnType<typeof placeOf>) => runs.job(place.repository, place.number, place.id);

  app.get(at, async c => {
    const place = placeOf(c);
    const run = await runOf(place);
    if (!run) throw gone(`There is no run on #${place.number}, or it is being read: load the page again.`);
    if (run.goesOn) c.set('busy', true);
    return showRun(c, run, place);
  });
  app.get(`${at}/graph.svg`, async c => {
    const graph = (await runOf(placeOf(c)))?.graph ?? '';
    const svg = graph === '' ? undefined : drawing(graph);
    if (svg === undefined) throw gone('There is no graph that can be drawn.');
    // It has its colours in itself, and nothing that runs.
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    return c.body(svg, 200, { 'Content-Type': 'image/svg+xml' });
  });
  app.get(`${at}/:job`, async c => {
    const place = placeOf(c);
    const job = await jobOf(place);
    if (job?.goesOn) c.set('busy', true);
    if (job) return showJob(c, job, place);
    const elsewhere = await workflowJob(api, place.repository, { id: place.id, run: await runOf(place) });
    if (elsewhere === undefined) throw gone();
    return c.redirect(elsewhere, 302);
  });
  for (const part of ['log', 'patch'] as const)
    app.get(`${at}/:job/${part}`, async c => {
      const text = (await jobOf(placeOf(c)))?.[part];
      if (text === undefined) throw gone();
      return c.body(text, 200, plain);
    });
}

interface Place {
  repository: string;
  number: number;
  path: string;
}

function showRun(c: Context, run: IssueRun, { repository, number, path }: Place) {
  const issue = `/${repository}/issues/${number}`;
  return show(
    c,
    `Run of #${number} · ${repository}`,
    html`${repositoryBar(repository, 'Issues')}
<h1>${run.title} <a class="number" href="${issue}">#${number}</a></h1>
<p class="summary">${standing(run)} <b>${run.headline}</b></p>
${run.asks === undefined ? '' : html`<p><a href="${issue}#issuecomment-${run.asks}">Answer what is asked</a></p>`}
${run.note === '' ? '' : html`<p>${run.note}</p>`}
<div class="run"><dl class="figures">${run.figures.map(([name, figure]) => html`<div><dt>${name}</dt><dd>${figure}</dd></div>`)}</dl>
${timeLine(repository, run)}
${graphOf(run, path)}
${tryTable(repository, path, run)}
${run.onActions ? html`<p>Its jobs are worked by <a href="/${repository}/actions">workflows</a>: each attempt leads to its log there.</p>` : ''}
<section><h2>Events</h2>${run.eventsBefore > 0 ? html`<p class="quiet">${run.eventsBefore} before these are not shown.</p>` : ''}
<ol class="events">${run.events.map(event)}</ol></section></div>`,
  );
}

/** A picture of its own: to draw a large one takes a tenth of a second, and a page need not wait for it. */
function graphOf({ graph }: IssueRun, path: string): Html {
  if (graph === '') return html``;
  // Another one has another address, so that a page that stands open shows it.
  const of = createHash('sha256').update(graph).digest('hex').slice(0, 12);
  return html`<section><h2>What waits for what</h2><div class="markdown"><figure class="diagram"><img src="${path}/graph.svg?of=${of}" alt="Diagram; its text follows"><details><summary>As text</summary><pre tabindex="0"><code>${graph}</code></pre></details></figure></div></section>`;
}

const event = ({ at, subject, text, tone }: Happened): Html =>
  html`<li><time datetime="${new Date(at).toISOString()}">${timeOf(at)}</time> <b>${subject}</b> <span${tone === undefined ? '' : html` class="tone-${tone}"`}>${text}</span></li>`;

function showJob(c: Context, job: IssueJob, { repository, path, id }: Place & { id: string }) {
  const link = (part: string, words: string) => html`<a href="${path}/${id}/${part}">${words}</a>`;
  return show(
    c,
    `${job.name} · ${repository}`,
    html`${repositoryBar(repository, 'Issues')}
<p><a href="${path}">The run</a></p>
<h1>${job.name}</h1>
<p class="summary row">${job.log === '' ? '' : link('log', 'the log as text')} ${job.patch === undefined ? '' : link('patch', 'the changes as a patch')}</p>
${job.said.map((said, index) => saidOf(said, `said-${index}`, repository))}
${job.log === '' ? '' : html`<h2>Log</h2>${foldedLog(job.log)}`}`,
  );
}

const saidOf = ({ by, about, kind, text }: Said, anchor: string, repository: string): Html => {
  const head = html`${by} <span class="quiet">${about}</span>`;
  return kind === 'words'
    ? html`<article class="card" id="${anchor}"><h2>${head}</h2>${markdown(text, { repository, anchor })}</article>`
    : html`<details class="output"><summary>${head}</summary>${foldedLog(text, by)}</details>`;
};
