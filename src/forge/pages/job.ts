// One job of a run: its steps, and its log with the groups folded.
import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Forge } from '../forge.ts';
import type { Api } from './api.ts';
import { Refusal } from './api.ts';
import { type Html, outcomeBadge, repositoryBar, show } from './layout.ts';
import { idOf, repositoryOf } from './request.ts';

const Step = z.object({
  name: z.string(),
  number: z.number(),
  status: z.string(),
  conclusion: z.string().nullable(),
});
const Job = z.object({
  id: z.number(),
  run_id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  steps: z.array(Step).default([]),
});

/** Of a log the last lines are on a page, which say how it ended: so many, of so many characters together. */
const mostLines = 5000;
const mostCharacters = 200_000;

export function jobPages(api: Api, forge: Pick<Forge, 'jobLog'>) {
  const app = new Hono();

  /** Throws Refusal where the acting person may not see it. */
  const jobOf = async (repository: string, run: number, id: number) => {
    const job = await api.get(`/repos/${repository}/actions/jobs/${id}`, Job);
    if (job.run_id !== run) throw new Refusal(404, `The run ${run} has no job ${id}.`);
    return job;
  };

  app.get('/:owner/:repo/actions/runs/:run/job/:job', async c => {
    const [repository, run] = [repositoryOf(c), idOf(c.req.param('run'))];
    const job = await jobOf(repository, run, idOf(c.req.param('job')));
    const path = `/${repository}/actions/runs/${run}`;
    const log = forge.jobLog(job.id);
    if (job.conclusion === null) c.set('busy', true);
    return show(
      c,
      `${job.name} · ${repository}`,
      html`${repositoryBar(repository, 'Actions')}
<p><a href="${path}">The run</a></p>
<h1>${job.name}</h1>
<p class="summary">${outcomeBadge(job.conclusion ?? job.status)} ${log === undefined ? '' : html`<a href="${path}/job/${job.id}/log">the whole log as text</a>`}</p>
<ol class="list">${job.steps.map(
        ({ number, name, status, conclusion }) =>
          html`<li>${outcomeBadge(conclusion ?? status)}<div>${number}. ${name}</div></li>`,
      )}</ol>
${log === undefined ? html`<p class="empty">There is no log yet.</p>` : foldedLog(log)}`,
    );
  });

  app.get('/:owner/:repo/actions/runs/:run/job/:job/log', async c => {
    const job = await jobOf(repositoryOf(c), idOf(c.req.param('run')), idOf(c.req.param('job')));
    const log = forge.jobLog(job.id);
    if (log === undefined) throw new Refusal(404, 'There is no log yet.');
    return c.body(log, 200, { 'Content-Type': 'text/plain; charset=utf-8' });
  });

  return app;
}

/** A log as its lines, those between `##[group]` and `##[endgroup]` folded under their title. */
function foldedLog(log: string): Html {
  const all = log.split('\n');
  if (all.at(-1) === '') all.pop();
  const left = all.length - linesAtEnd(all);
  const parts: Html[] = [];
  let group: { title: string; lines: Html[] } | undefined;
  const close = () => {
    if (group) parts.push(html`<details><summary>${group.title}</summary>${group.lines}</details>`);
    group = undefined;
  };
  for (const line of all.slice(left)) {
    const text = line.replace(/^\S+ /, '').replace(colours, '');
    const [, command = '', rest = ''] = /^##\[(\w+)\](.*)$/.exec(text) ?? [];
    if (command === 'group' || command === 'endgroup') close();
    if (command === 'group') group = { title: rest, lines: [] };
    else if (command !== 'endgroup') (group?.lines ?? parts).push(shownLine(text, command, rest));
  }
  close();
  return html`<section class="log" aria-label="Log">${left > 0 ? html`<p class="quiet">${left} lines before these are not shown.</p>` : ''}${parts}</section>`;
}

function linesAtEnd(all: readonly string[]): number {
  let room = mostCharacters;
  const before = all.findLastIndex(line => (room -= line.length) < 0);
  return Math.min(mostLines, all.length - 1 - before);
}

const colours = /\u001b\[[0-9;]*[A-Za-z]/g;
const levels = new Set(['error', 'warning', 'notice', 'debug']);

const shownLine = (text: string, command: string, rest: string): Html =>
  levels.has(command) ? html`<span class="${command}">${rest}</span>\n` : html`${text}\n`;
