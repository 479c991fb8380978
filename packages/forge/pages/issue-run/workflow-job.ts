// The job of a workflow that did what a job of a run asks for: it names the other's id.
import { z } from 'zod';
import type { Api } from '../api.ts';
import type { IssueRun } from './issue-run.ts';

/** Workflow runs that are looked through, the newest first. */
const MOST = 50;

const Runs = z.object({ workflow_runs: z.array(z.object({ id: z.number() })) });
const Jobs = z.object({ jobs: z.array(z.object({ id: z.number(), name: z.string() })) });

/** The path of its page; undefined: the run knows no such job, or none of the newest workflow runs has it. */
export async function workflowJob(
  api: Pick<Api, 'get'>,
  repository: string,
  { id, run }: { id: string; run: IssueRun | undefined },
): Promise<string | undefined> {
  // Nobody has all of them read for an id that is made up.
  if (!run?.lanes.some(({ tries }) => tries.some(({ job }) => job === id))) return undefined;
  const at = `/repos/${repository}/actions/runs`;
  const { workflow_runs } = await api.get(`${at}?per_page=${MOST}`, Runs);
  for (const { id: each } of workflow_runs) {
    const { jobs } = await api.get(`${at}/${each}/jobs?per_page=100`, Jobs);
    const found = jobs.findLast(({ name }) => name.includes(`[${id}]`));
    if (found) return `/${repository}/actions/runs/${each}/job/${found.id}`;
  }
  return undefined;
}
