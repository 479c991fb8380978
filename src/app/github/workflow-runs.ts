// The runs of one workflow on GitHub Actions: which are under way, what they left behind, cancelling and starting one.
import { answered, type Caller, type Client } from './octokit.ts';
import { everyPage, firstPages, PAGE } from './pages.ts';

/** A run that has not ended. */
export interface ActiveRun {
  id: number;
  /** As `run-name` of the workflow makes it. */
  title: string;
  jobs: { name: string; status: string }[];
}

export interface WorkflowRuns {
  /** The runs of the workflow that have not ended and whose title is this one, with their jobs. */
  active(title: string): Promise<ActiveRun[]>;
  /**
   * The newest artifact of a name that a run of the workflow left on the default branch, as a zip archive; undefined
   * where there is none, or it has expired. `tooLarge`: it has more bytes than `most`.
   */
  artifact(name: string, most: number): Promise<Buffer | 'tooLarge' | undefined>;
  /** Ends a run with all its jobs; one that has ended is success. */
  cancel(run: number): Promise<void>;
  /** Starts the workflow on the default branch. */
  dispatch(inputs: Readonly<Record<string, string>>): Promise<void>;
}

export interface WorkflowPlace {
  owner: string;
  repo: string;
  /** GitHub's database id of the repository. */
  id: number;
  /** Path of the workflow's file: `.github/workflows/echelon.yml`. */
  path: string;
  defaultBranch: string;
}

/** Events whose runs take the workflow's file from the default branch: what others propose cannot have changed it. */
const trusted: ReadonlySet<string> = new Set(['issues', 'issue_comment', 'workflow_dispatch']);

/** Pages of runs that are looked through for active ones: most of the newest hundreds have ended. */
const MAX_RUN_PAGES = 3;

export function workflowRuns(
  { request }: Client,
  { read, write }: Caller,
  { owner, repo, id, path, defaultBranch }: WorkflowPlace,
): WorkflowRuns {
  const here = { owner, repo };
  const workflow_id = path.split('/').at(-1) ?? path;

  /** Whether a run is one of this workflow as the default branch has it: anybody's fork may upload under any name. */
  async function isOurs(run_id: number): Promise<boolean> {
    const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
    const { data } = await read(() => request(route, { ...here, run_id }));
    // GitHub writes the path with or without the ref that it was read at.
    const [file] = data.path.split('@');
    return (
      file === path &&
      trusted.has(data.event) &&
      data.head_branch === defaultBranch &&
      Number(data.head_repository?.id) === id
    );
  }

  async function found(name: string) {
    const route = 'GET /repos/{owner}/{repo}/actions/artifacts';
    const { data } = await read(() => request(route, { ...here, name, per_page: PAGE }));
    const usable = data.artifacts.filter(each => each.name === name && !each.expired);
    for (const artifact of usable.toSorted((a, b) => b.id - a.id)) {
      const run = artifact.workflow_run?.id;
      if (run !== undefined && (await isOurs(Number(run)))) return artifact;
    }
    return undefined;
  }

  return {
    async active(title) {
      const { items } = await firstPages(MAX_RUN_PAGES, async page => {
        const route = 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs';
        const query = { ...here, workflow_id, branch: defaultBranch, per_page: PAGE, page };
        return (await read(() => request(route, query))).data.workflow_runs;
      });
      const runs = items.filter(run => run.status !== 'completed' && run.display_title === title);
      const active: ActiveRun[] = [];
      for (const run of runs) {
        const run_id = Number(run.id);
        const jobs = await everyPage(`the jobs of run ${run_id}`, async page => {
          const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs';
          const query = { ...here, run_id, filter: 'latest' as const, per_page: PAGE, page };
          return (await read(() => request(route, query))).data.jobs;
        });
        active.push({ id: run_id, title, jobs: jobs.map(({ name, status }) => ({ name, status })) });
      }
      return active;
    },
    async artifact(name, most) {
      const artifact = await found(name);
      if (!artifact) return undefined;
      if (artifact.size_in_bytes > most) return 'tooLarge';
      const route = 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}';
      const of = { ...here, artifact_id: artifact.id, archive_format: 'zip' };
      try {
        const { data } = await read(() => request(route, of));
        return Buffer.from(data as ArrayBuffer);
      } catch (error) {
        // It expired in the meantime.
        if (answered(error, 404, 410)) return undefined;
        throw error;
      }
    },
    async cancel(run_id) {
      const route = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel';
      try {
        await write(() => request(route, { ...here, run_id }));
      } catch (error) {
        if (!answered(error, 404, 409)) throw error;
      }
    },
    async dispatch(inputs) {
      const route = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches';
      await write(() => request(route, { ...here, workflow_id, ref: defaultBranch, inputs }));
    },
  };
}
