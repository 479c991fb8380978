// Jobs on GitHub Actions: each an entry of a matrix, known by its operation key, whose folder comes back as an artifact.
import { type Clock, digest, messageOf, jsonOf } from '@echelon/ground';
import { packedSize } from '@echelon/ground/journal';
import type { ActiveRun, WorkflowRuns } from '../../github/workflow-runs.ts';
import { failedReport, type Jobs, type JobState } from './jobs.ts';
import { AnyJobReport, JobSpent } from './report-spec.ts';
import { type AnyJobSpec, BaseTestsSpec } from './job-spec.ts';

/** The folders of jobs on this machine, each named by its operation key. */
export interface JobFolders {
  path(op: string): string;
  /** A file of the folder, undefined where there is none: its report, what it had paid for by the end, the spec that it worked out. */
  read(op: string, file: 'report' | 'spent' | 'base'): Promise<string | undefined>;
  /** Fills the folder anew with the files of an archive. Throws ArchiveRefused. */
  unpack(op: string, archive: Buffer): Promise<void>;
  /** Lays out what a job begins with: its spec, and the folder of the job it goes on from. */
  prepare(spec: AnyJobSpec): Promise<void>;
}

export interface ActionsJobsOptions {
  runs: WorkflowRuns;
  folders: JobFolders;
  clock: Clock;
  /** This process's own workflow run; 0: it is in none. */
  run: number;
  directive: number;
}

/** An entry of the matrix. */
export interface MatrixEntry {
  op: string;
  /** Title for people: `#12, attempt 1`. */
  title: string;
  /** Whole minutes after which the runner ends it from outside. */
  minutes: number;
}

/** The jobs of a directive for one look at its run: GitHub is asked once for each thing. */
export interface ActionsJobs extends Jobs {
  /** Jobs started here: the runner carries them out when this process has ended. */
  readonly entries: readonly MatrixEntry[];
  /** True if a job of the own workflow run was stopped: GitHub ends a run only as a whole. */
  readonly endsOwnRun: boolean;
  /** True if a runner works a job of this operation key, or is to. */
  isUnderWay(op: string): Promise<boolean>;
  /** True if a job of another workflow run waits until this process leaves the queue of the directive. */
  isAwaitedBy(job: QueuedJob): Promise<boolean>;
}

/**
 * `advance`: any job that takes in what started its run. `look`: one that was started for this directive, and finds all
 * that this process leaves (that of a comment may find nothing to do). `settle`: one that goes on watching.
 */
export type QueuedJob = 'advance' | 'look' | 'settle';

export const artifactName = (op: string): string => `echelon-${op}`;

/** Bytes of an archive that is taken; a bundle holds 4 MB, a session's journal 32 MB. */
const MAX_ARCHIVE = 100 << 20;
/** Characters of the record that a report may take, packed: a job's own are far below, and a segment holds 64,000. */
const MAX_REPORT = 40_000;
/** Minutes of a job besides its attempt: to check out, to prepare isolation, to hand over. */
const AROUND_MINUTES = 10;
/** GitHub lists an artifact a few seconds after its job has ended; without one after so long the job is lost (milliseconds). */
const LISTED_MS = 60_000;

export function actionsJobs(options: ActionsJobsOptions): ActionsJobs {
  const { runs, folders, clock } = options;
  const entries: MatrixEntry[] = [];
  let endsOwnRun = false;
  let active: ReturnType<WorkflowRuns['active']> | undefined;
  // Nobody else starts jobs of this directive, or begins to look after it, while this process has its place in the queue.
  // The title is that of the workflow's `run-name`.
  const activeRuns = () => (active ??= runs.active(`Echelon #${options.directive}`));
  const fetched = new Map<string, Promise<string | undefined>>();

  /** Brings the folder of a job here; answers why it cannot be used, `absent` where it left none. */
  async function bring(op: string): Promise<string | undefined> {
    const archive = await runs.artifact(artifactName(op), MAX_ARCHIVE);
    if (archive === undefined) return 'absent';
    if (archive === 'tooLarge') return `what it left is larger than ${MAX_ARCHIVE} bytes`;
    return await folders.unpack(op, archive).then(() => undefined, messageOf);
  }
  const fetch = (op: string) => {
    const fetching = fetched.get(op) ?? bring(op);
    fetched.set(op, fetching);
    fetching.catch(() => fetched.delete(op));
    return fetching;
  };

  /** State of a job without an artifact, by the runs that hold it. */
  async function found(op: string): Promise<'living' | 'ended' | 'gone'> {
    const all = await activeRuns();
    const named = all.flatMap(({ jobs }) => jobs.filter(isOf(op)));
    if (named.some(job => isUnderWay(job) || clock.now() - (job.endedAt ?? 0) < LISTED_MS)) return 'living';
    if (named.length > 0) return 'ended';
    return all.some(run => run.id !== options.run && isHandingOut(run)) ? 'living' : 'gone';
  }

  async function read(spec: AnyJobSpec): Promise<JobState> {
    if (entries.some(each => each.op === spec.op)) return { state: 'living' };
    const state = await readOf(spec.op);
    if (state.state !== 'gone' || !('kind' in spec) || spec.kind !== 'base-tests') return state;
    return await besideLayers(spec);
  }

  /** The job `base` of a label's workflow run, where the tests that it runs are these. */
  async function besideLayers(spec: BaseTestsSpec): Promise<JobState> {
    if (spec.again) return { state: 'gone' };
    for (const { id, jobs } of await activeRuns()) {
      const op = `base-${id}`;
      if (!jobs.some(isOf(op))) continue;
      const state = await readOf(op);
      if (state.state === 'living') return state;
      if (state.state === 'finished' && isSame(spec, await folders.read(op, 'base'))) return state;
    }
    return { state: 'gone' };
  }

  async function readOf(op: string): Promise<JobState> {
    const fault = await fetch(op);
    if (fault === undefined) {
      const report = reportIn(await folders.read(op, 'report'));
      if (report) return { state: 'finished', report };
      const spent = JobSpent.safeParse(jsonOf(await folders.read(op, 'spent'))).data;
      return lost('it left no report that can be read', spent);
    }
    if (fault !== 'absent') return lost(fault);
    const state = await found(op);
    return state === 'ended' ? lost('its runner ended without handing anything over') : { state };
  }

  /** Cancels the runs that hold such jobs: another one now, the own one when this process has done its work. */
  async function cancel(holds: (run: ActiveRun) => boolean): Promise<void> {
    for (const run of await activeRuns()) {
      if (!run.jobs.some(isUnderWay) || !holds(run)) continue;
      if (run.id === options.run) endsOwnRun = true;
      else await runs.cancel(run.id);
    }
  }

  return {
    entries,
    get endsOwnRun() {
      return endsOwnRun;
    },
    isUnderWay: async op =>
      (await activeRuns()).some(({ jobs }) => jobs.some(job => isOf(op)(job) && isUnderWay(job))),
    isAwaitedBy: async job => (await activeRuns()).some(run => run.id !== options.run && queued[job](run)),
    read,
    async start(spec) {
      if ((await read(spec)).state !== 'gone') return;
      if ('from' in spec && spec.from) await fetch(spec.from.op);
      await folders.prepare(spec);
      const minutes = Math.ceil(spec.limits.attempt_ms / 60_000) + AROUND_MINUTES;
      entries.push({ op: spec.op, title: titleOf(spec), minutes });
    },
    async stop(op) {
      const at = entries.findIndex(each => each.op === op);
      if (at >= 0) entries.splice(at, 1);
      await cancel(({ jobs }) => jobs.some(job => isOf(op)(job) && isUnderWay(job)));
      // Its runner hands over what it was at only after it was cancelled.
      return { cost_usd: 0, model_calls: 0 };
    },
    async stopOf() {
      entries.length = 0;
      await cancel(
        run =>
          run.id !== options.run ||
          run.jobs.some(job => isUnderWay(job) && !isAdvance(job) && !isSettle(job)),
      );
    },
    async folder(op) {
      await fetch(op);
      return folders.path(op);
    },
    keptUntil: op => runs.expiry(artifactName(op)),
  };
}

function titleOf(spec: AnyJobSpec): string {
  if (!('kind' in spec)) return `#${spec.issue.number}, attempt ${spec.attempt}`;
  return spec.kind === 'base-tests' ? 'tests at the base' : 'tests of all together';
}

type Job = ActiveRun['jobs'][number];

/** The name of a job holds its operation key. */
const isOf = (op: string) => (job: Job) => job.name.includes(`[${op}]`);

/** True if a job that determined its spec itself ran the same tests in the same way. */
function isSame(spec: BaseTestsSpec, found: string | undefined): boolean {
  const { data } = BaseTestsSpec.safeParse(jsonOf(found));
  const how = ({ base, command, setup, network, isolation }: BaseTestsSpec) =>
    digest({ base, command, setup, network, isolation });
  return data !== undefined && how(data) === how(spec);
}

const isUnderWay = ({ status }: Job) => status !== 'completed';
const waits = ({ status }: Job) => status !== 'in_progress' && status !== 'completed';

/** The jobs of run.yml that stand in the queue of their directive; all others work. */
const isAdvance = ({ name }: Job) => /(^|\/ )advance$/.test(name);
const isSettle = ({ name }: Job) => /(^|\/ )settle$/.test(name);

/** The matrix is laid out a moment after the job that made it has ended. */
const isHandingOut = ({ ended, jobs }: ActiveRun) => !ended && jobs.some(isAdvance) && !jobs.some(isUnderWay);

const waitsToAdvance = ({ jobs }: ActiveRun) => jobs.some(job => isAdvance(job) && waits(job));

const queued: Record<QueuedJob, (run: ActiveRun) => boolean> = {
  advance: waitsToAdvance,
  look: run => run.event === 'workflow_dispatch' && waitsToAdvance(run),
  settle: ({ jobs }) => jobs.some(job => isSettle(job) && waits(job)),
};

const lost = (why: string, spent?: JobSpent): JobState => ({
  state: 'finished',
  report: failedReport({ class: 'lost', feedback: `the job was lost: ${why}` }, spent),
});

/** A report that the record can hold; undefined for any other text. */
function reportIn(text: string | undefined): AnyJobReport | undefined {
  const { data } = AnyJobReport.safeParse(jsonOf(text));
  return data && packedSize(data) <= MAX_REPORT ? data : undefined;
}
