// The check runs and statuses of a commit: each with its outcome, and what it wrote.
import { html } from 'hono/html';
import { z } from 'zod';
import { type Html, outcomeBadge } from './layout.ts';

const Check = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  output: z.object({
    title: z.string().nullable(),
    summary: z.string().nullable(),
    text: z.string().nullish(),
  }),
});

export const ChecksOf = z.object({ check_runs: z.array(Check) });

/** The newest of each context. */
export const StatusesOf = z.object({
  statuses: z.array(z.object({ context: z.string(), state: z.string(), description: z.string().nullable() })),
});

/** A status as a check that wrote nothing. */
export const asCheck = ({
  context,
  state,
  description,
}: z.infer<typeof StatusesOf>['statuses'][number]): z.infer<typeof Check> => ({
  ...{ name: context, status: 'completed', conclusion: state },
  output: { title: description, summary: null },
});

export function checks(runs: z.infer<typeof Check>[]): Html {
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
