// One job of a run: its steps, and its log with the groups folded.
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { StepState } from '../actions/runner-host.ts';
import type { jobJson } from '../render/workflow.ts';
import type { Forge } from '../forge.ts';
import type { Api } from './api.ts';
import { Refusal } from './api.ts';
import { foldedLog } from './log.ts';
import { outcomeBadge, repositoryBar, show } from './layout.ts';
import { idOf, repositoryOf } from './request.ts';

type Job = Omit<ReturnType<typeof jobJson>, 'steps'> & { steps: StepState[] };

export function jobPages(api: Api, forge: Pick<Forge, 'jobLog'>) {
  const app = new Hono();

  /** Throws Refusal where the acting person may not see it. */
  const jobOf = async (repository: string, run: number, id: number) => {
    const job = await api.get<Job>(`/repos/${repository}/actions/jobs/${id}`);
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
