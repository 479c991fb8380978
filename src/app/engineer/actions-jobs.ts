// Jobs on GitHub Actions: each an entry of a matrix, known by its operation key, whose folder comes back as an artifact.
import { messageOf } from '../../lib/message.ts';
import type { ActiveRun, WorkflowRuns } from '../github/workflow-runs.ts';
import { failedReport } from './lost-report.ts';
import { packedSize } from '../../journal/codec.ts';
import { AnyJobReport, JobSpent, jsonOf } from './report-spec.ts';
import type { AnyJobSpec } from './job-spec.ts';
import type { Jobs, JobState } from './jobs.ts';

/** The folders of jobs on this machine, each named by its operation key. */
export interface JobFolders {
  path(op: string): string;
  /** A file of the folder: its report, or what the job had paid for by the end; undefined where there is none. */
  read(op: string, file: 'report' | 'spent'): Promise<string | undefined>;
  /** Fills the folder anew with the files of an archive. Throws ArchiveRefused. */
  unpack(op: string, archive: Buffer): Promise<void>;
  /** Lays out what a job begins with: its spec, and the folder of the job it goes on from. */
  prepare(spec: AnyJobSpec): Promise<void>;
}

export interface ActionsJobsOptions {
  runs: WorkflowRuns;
  folders: JobFolders;
  /** This process's own run: it ends by itself. */
  run: number;
  /** Title of the runs of a directive, as the workflow's `run-name` makes it. */
  titleOf(directive: number): string;
  directive: number;
  /** Whether this process hands out jobs; else whoever may has to be started. */
  mayStart: boolean;
  /** The job that this process was started to look after has ended; without an artifact it is lost. */
  ended?: string | undefined;
}

/** An entry of the matrix. */
export interface MatrixEntry {
  op: string;
  /** What people see: `#12, attempt 1`. */
  title: string;
  /** Whole minutes after which the runner ends it from outside. */
  minutes: number;
}

export interface ActionsJobs extends Jobs {
  /** What was started here: the runner is to carry it out when this process has ended. */
  readonly entries: readonly MatrixEntry[];
  /** Whether jobs wait to be started by a process that may. */
  readonly wanted: boolean;
  /** Whether a run that was started to look after the directive stands behind this one: it finds all that this one leaves. */
  isAwaited(): Promise<boolean>;
}

export const artifactName = (op: string): string => `echelon-${op}`;

/** Bytes of an archive that is taken; a bundle holds 4 MB, a session's journal 32 MB. */
const MAX_ARCHIVE = 100 << 20;
/** Characters of the record that a report may take, packed: a job's own are far below, and a segment holds 64,000. */
const MAX_REPORT = 40_000;
/** What a job needs besides its attempt: to check out, to prepare isolation, to hand over (minutes). */
const AROUND_MINUTES = 10;

export function actionsJobs(options: ActionsJobsOptions): ActionsJobs {
  const { runs, folders } = options;
  const entries: MatrixEntry[] = [];
  let wanted = false;
  let active: ReturnType<WorkflowRuns['active']> | undefined;
  // Nobody else starts jobs of this directive, or begins to look after it, while this process has its place in the queue.
  const activeRuns = () => (active ??= runs.active(options.titleOf(options.directive)));
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
  const isEntry = (op: string) => entries.some(each => each.op === op);

  /** Whether a run that has not ended holds the job, or is about to hand out what it started. */
  async function isLiving(op: string): Promise<boolean> {
    return (await activeRuns()).some(({ id, jobs }) => {
      if (id === options.run)
        return jobs.some(job => job.name.includes(op) && isUnderWay(job) && op !== options.ended);
      const named = jobs.filter(({ name }) => name.includes(op));
      if (named.length > 0) return named.some(isUnderWay);
      // The matrix is laid out a moment after the job that made it has ended.
      return jobs.length > 0 && jobs.every(({ name, status }) => isAdvance(name) && status === 'completed');
    });
  }

  async function read(op: string): Promise<JobState> {
    if (isEntry(op)) return { state: 'living' };
    const fault = await fetch(op);
    if (fault === undefined) {
      const report = reportIn(await folders.read(op, 'report'));
      if (report) return { state: 'finished', report };
      const spent = JobSpent.safeParse(jsonOf(await folders.read(op, 'spent'))).data;
      return lost('it left no report that can be read', spent);
    }
    if (fault !== 'absent') return lost(fault);
    if (op === options.ended) return lost('its runner ended without handing anything over');
    return { state: (await isLiving(op)) ? 'living' : 'gone' };
  }

  return {
    get entries() {
      return entries;
    },
    get wanted() {
      return wanted;
    },
    isAwaited: async () => (await activeRuns()).some(run => run.id !== options.run && isToLook(run)),
    read,
    async start(spec) {
      if ((await read(spec.op)).state !== 'gone') return;
      if (!options.mayStart) {
        wanted = true;
        return;
      }
      if ('from' in spec && spec.from) await fetch(spec.from.op);
      await folders.prepare(spec);
      const minutes = Math.ceil(spec.limits.attempt_ms / 60_000) + AROUND_MINUTES;
      entries.push({ op: spec.op, title: titleOf(spec), minutes });
    },
    async stop(op) {
      const at = entries.findIndex(each => each.op === op);
      if (at >= 0) entries.splice(at, 1);
      for (const { id, jobs } of await activeRuns())
        if (id !== options.run && jobs.some(job => job.name.includes(op) && isUnderWay(job)))
          await runs.cancel(id);
      // Its runner hands over what it was at only after it was cancelled.
      return { cost_usd: 0, model_calls: 0 };
    },
    async stopOf() {
      entries.length = 0;
      for (const { id } of await activeRuns()) if (id !== options.run) await runs.cancel(id);
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

const isUnderWay = ({ status }: { status: string }) => status !== 'completed';

/** Whether a run was started to look after its directive, and has not begun to. (A comment's may find nothing to do.) */
const isToLook = ({ event, jobs }: ActiveRun): boolean =>
  event === 'workflow_dispatch' && jobs.some(job => isAdvance(job.name) && !hasBegun(job));

const hasBegun = ({ status }: { status: string }) => status === 'in_progress' || status === 'completed';

/** The job of run.yml that hands out others. */
const isAdvance = (name: string) => /(^|\/ )advance$/.test(name);

const lost = (why: string, spent?: JobSpent): JobState => ({
  state: 'finished',
  report: failedReport({ class: 'lost', feedback: `the job was lost: ${why}` }, spent),
});

/** A report that the record can hold; undefined for any other text. */
function reportIn(text: string | undefined): AnyJobReport | undefined {
  const { data } = AnyJobReport.safeParse(jsonOf(text));
  return data && packedSize(data) <= MAX_REPORT ? data : undefined;
}
