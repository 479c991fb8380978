// The check runs and statuses of a commit: each with its outcome, and what it wrote.
import { html } from 'hono/html';
import type { checkRunJson, statusJson } from '../checks/checks.ts';
import { type Html, outcomeBadge } from './layout.ts';

type Check = Pick<ReturnType<typeof checkRunJson>, 'name' | 'status' | 'conclusion'> & {
  output: { title: string | null; summary: string | null; text?: string | null };
};
export interface Checks {
  check_runs: Check[];
}
/** The newest of each context. */
export interface Statuses {
  statuses: ReturnType<typeof statusJson>[];
}

/** A status as a check that wrote nothing. */
export const asCheck = ({ context, state, description }: Statuses['statuses'][number]): Check => ({
  ...{ name: context, status: 'completed', conclusion: state },
  output: { title: description, summary: null },
});

export function checks(runs: Check[]): Html {
  if (runs.length === 0) return html`<p class="quiet" id="checks">No checks ran on this commit.</p>`;
  return html`<section class="card" id="checks"><h2>Checks</h2><ul class="list">${runs.map(
    ({ name, status, conclusion, output }) => {
      const outcome = conclusion ?? status;
      const text = [output.summary, output.text].filter(part => part).join('\n\n');
      return html`<li>${outcomeBadge(outcome)}
<div><b>${name}</b> ${output.title ?? ''}${text === '' ? '' : html`<details><summary>what it wrote</summary><pre>${text}</pre></details>`}</div></li>`;
    },
  )}</ul></section>`;
}
