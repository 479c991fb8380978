// The runs of one workflow on GitHub Actions: which are under way, what they left behind, cancelling and starting one.
import type { Clock } from '@echelon/ground';
import { type Caller, type Client, refusedBy } from './octokit.ts';
import { everyPage, firstPages, PAGE } from './pages.ts';

/** A run that has not ended, or ended within the last minutes without having been cancelled. */
export interface ActiveRun {
  id: number;
  /** As `run-name` of the workflow makes it. */
  title: string;
  /** Its event: `workflow_dispatch`, `issues` ... */
  event: string;
  /** It has ended, not long ago. */
  ended: boolean;
  /** Without those that were skipped. `endedAt`: milliseconds since the epoch. */
  jobs: { name: string; status: string; endedAt?: number }[];
}

/** Path of a repository's workflow. */
export const workflowPath = '.github/workflows/echelon.yml';
/** Its name, by which the API knows the workflow. */
export const workflowFile = 'echelon.yml';

/** True if that file's text works the jobs of an App: one that runs the product itself works its own only. */
export const worksJobs = (text: string): boolean =>
  /\/jobs(?:-identity)?\.yml@/.test(text) && !/\/run(?:-identity)?\.yml@/.test(text);

export type WorkflowRuns = ReturnType<typeof workflowRuns>;

export interface WorkflowPlace {
  owner: string;
  repo: string;
  /** GitHub's database id of the repository. */
  id: number;
  /** Path of the workflow's file: `.github/workflows/echelon.yml`. */
  path: string;
  defaultBranch(): Promise<string>;
  clock: Clock;
}

/** Events whose runs take the workflow's file from the default branch: what others propose cannot have changed it. */
const trusted: ReadonlySet<string> = new Set(['issues', 'issue_comment', 'workflow_dispatch']);

/** A run that ended is active for so long: its artifacts may not be listed yet (milliseconds). */
const RECENT_MS = 180_000;
/** Pages of runs that are looked through for active ones: most of the newest hundreds have ended. */
const MAX_RUN_PAGES = 3;
/** Pages of artifacts of one name: a fork's pull request may leave hundreds under ours, to hide it. */
const MAX_ARTIFACT_PAGES = 10;

/** Fields of a run that identify its owner. */
interface RunOrigin {
  path: string;
  event: string;
  head_branch: string | null;
  head_repository?: { id?: number | bigint } | null;
}

export function workflowRuns(
  { request }: Client,
  { read, write }: Caller,
  { owner, repo, id, path, defaultBranch, clock }: WorkflowPlace,
) {
  const here = { owner, repo };
  const workflow_id = path.split('/').at(-1) ?? path;

  let branch: Promise<string> | undefined;
  const ourBranch = () => (branch ??= defaultBranch());

  /** True if a run is of this workflow as on the default branch: a fork's pull request runs its own file. */
  async function isOurs(run: RunOrigin): Promise<boolean> {
    // GitHub writes the path with or without the ref that it was read at.
    const [file] = run.path.split('@');
    return (
      file === path &&
      trusted.has(run.event) &&
      run.head_branch === (await ourBranch()) &&
      Number(run.head_repository?.id) === id
    );
  }

  const list = async (query: { name?: string; page: number }) => {
    const route = 'GET /repos/{owner}/{repo}/actions/artifacts';
    return (await read(() => request(route, { ...here, per_page: PAGE, ...query }))).data.artifacts;
  };
  const originOf = once(async (run_id: number): Promise<RunOrigin> => {
    const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
    return (await read(() => request(route, { ...here, run_id }))).data;
  });
  // All jobs of a run are looked for at once: one list tells of most. What comes later has a job that looks after it.
  const newest = once((page: number) => list({ page }));

  /** The newest of a name that is ours. */
  async function oursOf(artifacts: Awaited<ReturnType<typeof list>>, name: string) {
    const own = await ourBranch();
    // Foreign artifacts that the list itself identifies cost no call.
    const usable = artifacts.filter(
      each =>
        each.name === name &&
        !each.expired &&
        each.workflow_run?.head_branch === own &&
        Number(each.workflow_run.head_repository_id) === id,
    );
    for (const artifact of usable.toSorted((a, b) => b.id - a.id))
      if (await isOurs(await originOf(Number(artifact.workflow_run?.id)))) return artifact;
    return undefined;
  }

  async function found(name: string) {
    const first = await newest(1);
    const artifact = await oursOf(first, name);
    if (artifact || first.length < PAGE) return artifact;
    const { items } = await firstPages(MAX_ARTIFACT_PAGES, page => list({ name, page }));
    return await oursOf(items, name);
  }

  return {
    /** The active runs of the workflow whose title is this one, with their jobs. */
    async active(title: string): Promise<ActiveRun[]> {
      const { items } = await firstPages(MAX_RUN_PAGES, async page => {
        const route = 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs';
        const query = { ...here, workflow_id, branch: await ourBranch(), per_page: PAGE, page };
        return (await read(() => request(route, query))).data.workflow_runs;
      });
      const active: ActiveRun[] = [];
      for (const run of items) {
        if (run.display_title !== title || !isActive(run, clock.now()) || !(await isOurs(run))) continue;
        const run_id = Number(run.id);
        const jobs = await everyPage(`the jobs of run ${run_id}`, async page => {
          const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs';
          const query = { ...here, run_id, filter: 'latest' as const, per_page: PAGE, page };
          return (await read(() => request(route, query))).data.jobs;
        });
        active.push({
          ...{ id: run_id, title, event: run.event, ended: run.status === 'completed' },
          jobs: jobs
            .filter(({ conclusion }) => conclusion !== 'skipped')
            .map(({ name, status, completed_at: at }) => ({
              ...{ name, status },
              ...(at && { endedAt: Date.parse(at) }),
            })),
        });
      }
      return active;
    },
    /**
     * The newest artifact of a name that a run of the workflow left on the default branch, as a zip archive; undefined
     * where there is none, or it has expired. `tooLarge`: it has more bytes than `most`.
     */
    async artifact(name: string, most: number): Promise<Buffer | 'tooLarge' | undefined> {
      const artifact = await found(name);
      if (!artifact) return undefined;
      if (artifact.size_in_bytes > most) return 'tooLarge';
      const route = 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}';
      const of = { ...here, artifact_id: artifact.id, archive_format: 'zip' };
      const got = await read(() => request(route, of)).catch(refusedBy(404, 410));
      // It expired in the meantime.
      return 'refused' in got ? undefined : Buffer.from(got.data as ArrayBuffer);
    },
    /** Time at which GitHub removes that artifact (milliseconds since the epoch). */
    async expiry(name: string): Promise<number | undefined> {
      const at = Date.parse((await found(name))?.expires_at ?? '');
      return Number.isNaN(at) ? undefined : at;
    },
    /** Ends a run with all its jobs; one that has ended is success. */
    async cancel(run_id: number): Promise<void> {
      const route = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel';
      await write(() => request(route, { ...here, run_id })).catch(refusedBy(404, 409));
    },
    /** Starts the workflow on the default branch. */
    async dispatch(inputs: Readonly<Record<string, string>>): Promise<void> {
      const route = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches';
      const ref = await ourBranch();
      await write(() => request(route, { ...here, workflow_id, ref, inputs }));
    },
  };
}

const isActive = (
  run: { status: string | null; conclusion: string | null; updated_at: string },
  now: number,
) =>
  run.status !== 'completed' ||
  (run.conclusion !== 'cancelled' && now - Date.parse(run.updated_at) < RECENT_MS);

/** Asks once for each number; what failed is asked for again. */
function once<T>(ask: (number: number) => Promise<T>): (number: number) => Promise<T> {
  const known = new Map<number, Promise<T>>();
  return number => {
    const asking = known.get(number) ?? ask(number);
    known.set(number, asking);
    asking.catch(() => known.delete(number));
    return asking;
  };
}
