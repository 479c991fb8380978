// Runs of workflows: the list, and one run with its jobs, what they wrote, what they complained of, what they left.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { jobJson, runJson } from '../actions/workflow-json.ts';
import type { Forge } from '../forge.ts';
import { type Api, idOf, numberOf, repositoryOf } from './api.ts';
import { form, type Html, outcomeBadge, pager, repositoryBar, show, when } from './layout.ts';
import { markdown } from './markdown/markdown.ts';

type Run = ReturnType<typeof runJson>;
type Job = ReturnType<typeof jobJson>;
interface Artifact {
  name: string;
  size_in_bytes: number;
  expired: boolean;
}

/** A page shows so much of the summary of one job, in characters. */
const longestSummary = 64 * 1024;

const outcomeOf = ({ status, conclusion }: { status: string; conclusion: string | null }) =>
  conclusion ?? status;

type Left = Pick<Forge, 'jobNotes' | 'runProblems' | 'runsWorkflows'>;

export function runPages(app: Hono, api: Api, forge: Left) {
  app.get('/:owner/:repo/actions', async c => {
    const repository = repositoryOf(c);
    const number = numberOf(c.req.query('page') ?? '1');
    const path = `/repos/${repository}/actions/runs?per_page=50&page=${number}`;
    const { total_count: total, workflow_runs: runs } = await api.get<{
      total_count: number;
      workflow_runs: Run[];
    }>(path);
    if (runs.some(({ status }) => status !== 'completed')) c.set('busy', true);
    return show(
      c,
      `Actions · ${repository}`,
      html`${repositoryBar(repository, 'Actions')}<h1>Workflow runs</h1>
${forge.runsWorkflows ? '' : html`<p class="quiet">This forge runs no workflows.</p>`}
${runs.length === 0 ? html`<p class="empty">No workflow ran here yet.</p>` : html`<ul class="list">${runs.map(run => row(repository, run))}</ul>`}
${pager(`/${repository}/actions`, number, total > number * 50)}`,
    );
  });

  app.get('/:owner/:repo/actions/runs/:run', async c => {
    const repository = repositoryOf(c);
    const at = `/repos/${repository}/actions/runs/${idOf(c.req.param('run'))}`;
    const run = await api.get<Run>(at);
    const { jobs } = await api.get<{ jobs: Job[] }>(`${at}/jobs?per_page=100`);
    const { artifacts } = await api.get<{ artifacts: Artifact[] }>(`${at}/artifacts?per_page=100`);
    return showRun(c, forge, { repository, run, jobs, artifacts });
  });

  for (const what of ['cancel', 'rerun', 'rerun-failed-jobs'])
    app.post(`/:owner/:repo/actions/runs/:run/${what}`, async c => {
      const [repository, run] = [repositoryOf(c), idOf(c.req.param('run'))];
      await api.send('POST', `/repos/${repository}/actions/runs/${run}/${what}`);
      return c.redirect(`/${repository}/actions/runs/${run}`, 303);
    });
}

function showRun(
  c: Context,
  forge: Left,
  shown: { repository: string; run: Run; jobs: Job[]; artifacts: Artifact[] },
) {
  const { repository, run, jobs, artifacts } = shown;
  if (run.status !== 'completed') c.set('busy', true);
  const path = `/${repository}/actions/runs/${run.id}`;
  const button = (what: string, label: string) => form(c, `${path}/${what}`, html`<button>${label}</button>`);
  const again = html`${button('rerun', 'Run all again')} ${jobs.every(job => job.conclusion === 'success') ? '' : button('rerun-failed-jobs', 'Run failed jobs again')}`;
  return show(
    c,
    `${run.display_title} · #${run.run_number} · ${repository}`,
    html`${repositoryBar(repository, 'Actions')}
<div class="title"><h1>${run.display_title} <span class="number">#${run.run_number}</span></h1><div class="row">${run.status === 'completed' ? again : button('cancel', 'Cancel this run')}</div></div>
<p class="summary">${outcomeBadge(outcomeOf(run))} ${about(run)}, attempt ${run.run_attempt}</p>
<section class="jobs"><h2>Jobs</h2>${graph(forge, path, jobs)}</section>
${problems(forge, run.id)}
${jobs.map(job => summary(forge, repository, job))}
${artifacts.length === 0 ? '' : html`<section><h2>Artifacts</h2><ul class="list">${artifacts.map(artifact)}</ul></section>`}`,
  );
}

function row(repository: string, run: Run): Html {
  return html`<li>${outcomeBadge(outcomeOf(run))}<div><a class="strong" href="/${repository}/actions/runs/${run.id}">${run.display_title}</a> <span class="number">#${run.run_number}</span>
<p class="quiet">${about(run)}</p></div></li>`;
}

const about = (run: Run): Html =>
  html`${run.name ?? ''} on ${run.event} by ${run.actor.login}, <code>${run.head_branch ?? run.head_sha.slice(0, 7)}</code>, ${when(run.created_at)}`;

/** Jobs of a called workflow below the name of the job that calls it: `issue (a1) / engineer`. */
function graph(forge: Left, path: string, jobs: readonly Job[]): Html {
  if (jobs.length === 0) return html`<p class="empty">No job has begun.</p>`;
  const after = ({ id }: Job) => {
    const { needs } = forge.jobNotes(id);
    return needs.length === 0 ? '' : `after ${needs.join(', ')}`;
  };
  const groups = [...Map.groupBy(jobs, ({ name }) => name.split(' / ')[0] ?? name)];
  const line = (job: Job, name: string) =>
    html`<div>${outcomeBadge(outcomeOf(job))} <a href="${path}/job/${job.id}">${name}</a> <span class="quiet">${[after(job), duration(job)].filter(each => each !== '').join(', ')}</span></div>`;
  const group = (name: string, members: Job[]): Html => {
    const [only] = members;
    if (members.length === 1 && only?.name === name) return line(only, name);
    return html`<div><b>${name}</b><ul>${members.map(job => html`<li>${line(job, job.name.slice(name.length + 3) || name)}</li>`)}</ul></div>`;
  };
  return html`<ul class="list">${groups.map(([name, members]) => html`<li>${group(name, members)}</li>`)}</ul>`;
}

function duration({ started_at: from, completed_at: to }: Job): string {
  if (to === null) return '';
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Errors that kept the run or one of its jobs from being carried out. Faults of a workflow file show their position. */
function problems(forge: Left, run: number): Html {
  const all = forge.runProblems(run);
  if (all.length === 0) return html``;
  return html`<section><h2>What went wrong</h2><ul class="list">${all.map(
    ({ job, message }) =>
      html`<li class="problem"><div>${job === null ? '' : html`<b>${job}</b> `}<pre>${message}</pre></div></li>`,
  )}</ul></section>`;
}

function summary(forge: Left, repository: string, { id, name }: Job): Html {
  const { summary: text } = forge.jobNotes(id);
  if (text === '') return html``;
  return html`<article class="card"><h2>Summary of ${name}</h2>${markdown(text.slice(0, longestSummary), { repository, anchor: 'summary' })}${text.length > longestSummary ? html`<p class="quiet pad">The summary is longer than is shown here.</p>` : ''}</article>`;
}

const artifact = ({ name, size_in_bytes: size, expired }: Artifact): Html =>
  html`<li><div>${name} <span class="quiet">${size} bytes${expired ? ', expired' : ''}</span></div></li>`;
