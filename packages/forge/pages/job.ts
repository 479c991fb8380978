// One job of a run: its steps, and its log with the groups folded.
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { StepState } from '../actions/planned-job.ts';
import type { jobJson } from '../actions/workflow-json.ts';
import type { Forge } from '../forge.ts';
import { type Api, Refusal, idOf, repositoryOf } from './api.ts';
import { outcomeBadge, repositoryBar, show, type Html } from './layout.ts';

/** Of a log the last lines are on a page, which say how it ended: so many, of so many characters together. */
const mostLines = 5000;
const mostCharacters = 200_000;

/** A log as its lines, those between `##[group]` and `##[endgroup]` folded under their title. */
export function foldedLog(log: string, name = 'Log'): Html {
  const all = log.split('\n');
  if (all.at(-1) === '') all.pop();
  const left = all.length - linesAtEnd(all);
  const parts: Html[] = [];
  let group: { title: string; lines: Html[] } | undefined;
  const close = () => {
    if (group) parts.push(html`<details><summary>${group.title}</summary>${group.lines}</details>`);
    group = undefined;
  };
  const paint = painter();
  for (const line of all.slice(left)) {
    const text = line.replace(timestamp, '').replace(unseen, '');
    const [, command = '', rest = ''] = /^##\[(\w+)\](.*)$/.exec(text.replace(sequence, '')) ?? [];
    if (command === 'group' || command === 'endgroup') close();
    if (command === 'group') group = { title: rest, lines: [] };
    else if (command !== 'endgroup')
      (group?.lines ?? parts).push(
        levels.has(command) ? html`<span class="${command}">${rest}</span>\n` : html`${paint(text)}\n`,
      );
  }
  close();
  return html`<section class="log" aria-label="${name}">${left > 0 ? html`<p class="quiet">${left} lines before these are not shown.</p>` : ''}${parts}</section>`;
}

function linesAtEnd(all: readonly string[]): number {
  let room = mostCharacters;
  const before = all.findLastIndex(line => (room -= line.length) < 0);
  return Math.min(mostLines, all.length - 1 - before);
}

const levels = new Set(['error', 'warning', 'notice', 'debug']);

/** As the forge puts before each line. */
const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z /;
/** Sequences that set a title or a link, and control characters except tab and the start of a sequence. */
const unseen =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;
/** A sequence that steers a terminal; one that sets colours ends with `m`. A beginning without an end is one too. */
const sequence = /\u001b(?:\[([0-9;?]*)[A-Za-z]?)?/g;

const colourNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Shows lines one after the other: a colour lasts until it is taken back. */
function painter(): (line: string) => Html[] {
  let bold = false;
  let colour: string | undefined;
  const set = (codes: string) => {
    const all = codes.split(';').map(Number);
    for (let at = 0; at < all.length; at++) {
      const code = all[at] ?? 0;
      if (code === 0) [bold, colour] = [false, undefined];
      else if (code === 1) bold = true;
      else if (code === 22) bold = false;
      else if (code === 39) colour = undefined;
      else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) colour = colourNames[code % 10];
      // Of 256 colours and of true colours only the numbers are passed over.
      else if (code === 38 || code === 48) at += all[at + 1] === 5 ? 2 : 4;
    }
  };
  const span = (text: string): Html => {
    const classes = [bold ? 'bold' : '', colour ? `ansi-${colour}` : ''].filter(Boolean).join(' ');
    return classes === '' ? html`${text}` : html`<span class="${classes}">${text}</span>`;
  };
  return line => {
    const shown: Html[] = [];
    let end = 0;
    for (const found of line.matchAll(sequence)) {
      if (found.index > end) shown.push(span(line.slice(end, found.index)));
      if (found[0].endsWith('m')) set(found[1] ?? '');
      end = found.index + found[0].length;
    }
    if (end < line.length) shown.push(span(line.slice(end)));
    return shown;
  };
}

type Job = Omit<ReturnType<typeof jobJson>, 'steps'> & { steps: StepState[] };

export function jobPages(app: Hono, api: Api, forge: Pick<Forge, 'jobLog'>) {
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
}
