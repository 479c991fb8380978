// From an issue to its run, or to that of the issue whose part it is.
import { html } from 'hono/html';
import { z } from 'zod';
import type { Api } from '../api.ts';
import type { Html } from '../layout.ts';
import type { IssueRuns } from './issue-run.ts';

/** A run is shown near the beginning: so many comments are looked at. */
const FIRST = 20;
const Comments = z.array(z.object({ body: z.string().nullish() }));

/** Empty where none is shown. `parent`: the number of the issue whose part it is. */
export async function runLink(
  api: Pick<Api, 'find'>,
  { isShownIn }: Pick<IssueRuns, 'isShownIn'>,
  issue: {
    repository: string;
    number: number;
    comments: readonly ({ body?: string | null | undefined } | undefined)[];
    parent: number | undefined;
  },
): Promise<Html> {
  const { repository, number, comments, parent } = issue;
  const link = (of: number, place: string, words: string) =>
    html`<section><h2>Run</h2><p><a href="/${repository}/issues/${of}/run${place}">${words}</a></p></section>`;
  if (comments.some(each => isShownIn(each?.body ?? '')))
    return link(number, '', 'Time line, cost and events');
  if (parent === undefined) return html``;
  const above = await api.find(`/repos/${repository}/issues/${parent}/comments?per_page=${FIRST}`, Comments);
  return above?.some(({ body }) => isShownIn(body ?? ''))
    ? link(parent, `#lane-${number}`, `Its place in the run of #${parent}`)
    : html``;
}
