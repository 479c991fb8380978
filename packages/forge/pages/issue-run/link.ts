// From an issue to its run, or to that of the issue whose part it is; from a job of a run to the workflow's that did it.
import { html } from 'hono/html';
import type { Api } from '../api.ts';
import type { Comment } from '../conversation.ts';
import type { Html } from '../layout.ts';
import type { IssueRun, IssueRuns } from './issue-run.ts';

/** A run is shown near the beginning: so many comments are looked at. */
const FIRST = 20;
/** Workflow runs that are looked through, the newest first. */
const MOST = 50;

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
  const above = await api.find<Comment[]>(`/repos/${repository}/issues/${parent}/comments?per_page=${FIRST}`);
  return above?.some(({ body }) => isShownIn(body ?? ''))
    ? link(parent, `#lane-${number}`, `Its place in the run of #${parent}`)
    : html``;
}

/** The path of its page: it names the other's id. Undefined where the run knows no such job, or no workflow did it. */
export async function workflowJob(
  api: Pick<Api, 'get'>,
  repository: string,
  { id, run }: { id: string; run: IssueRun | undefined },
): Promise<string | undefined> {
  // Nobody has all of them read for an id that is made up.
  if (!run?.lanes.some(({ tries }) => tries.some(({ job }) => job === id))) return undefined;
  const at = `/repos/${repository}/actions/runs`;
  const runs = await api.get<{ workflow_runs: { id: number }[] }>(`${at}?per_page=${MOST}`);
  for (const { id: each } of runs.workflow_runs) {
    const { jobs } = await api.get<{ jobs: { id: number; name: string }[] }>(
      `${at}/${each}/jobs?per_page=100`,
    );
    const found = jobs.findLast(({ name }) => name.includes(`[${id}]`));
    if (found) return `/${repository}/actions/runs/${each}/job/${found.id}`;
  }
  return undefined;
}
