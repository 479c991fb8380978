// A runner without a forge around it: jobs given as their steps, carried out in a temporary folder that goes with it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLog, readNotes } from '../../../packages/forge/runner/job-record.ts';
import type { JobResult, PlannedJob, StepSpec } from '../../../packages/forge/actions/planned-job.ts';
import { runJob } from '../../../packages/forge/runner/run-job.ts';
import type { JobOrder } from '../../../packages/forge/actions/run-port.ts';
import { type Machine, type RunnerHost, runnerHost } from '../../../packages/forge/runner/runner-host.ts';
import type { Core } from '../../../packages/forge/core.ts';
import { Database } from '../../../packages/forge/database.ts';
import { type Clock, systemClock } from '../../../packages/ground/lib/clock.ts';

export interface Ran extends JobResult {
  /** Without the times. */
  log: string[];
  /** Lines of the log that stand out. */
  remarks: { level: string; message: string }[];
  summary: string;
}

type Job = Omit<Partial<PlannedJob>, 'steps'> & { steps: Partial<StepSpec>[] };

export class TestRunner {
  readonly root: string;
  readonly core: Core;
  #jobs = 0;

  constructor(clock: Clock) {
    this.root = mkdtempSync(join(tmpdir(), 'runner-test-'));
    const folder = join(this.root, 'forge');
    mkdirSync(folder);
    const db = new Database(join(folder, 'forge.sqlite'));
    const site = 'http://127.0.0.1:9';
    this.core = {
      db,
      clock,
      folder,
      site,
      api: `${site}/api/v3`,
      isExposed: false,
      runsWorkflows: false,
      artifactLag: 0,
    };
    addRun(db);
  }

  /** Carries the steps out; the log is read when all is over. */
  async run(
    given: Job | Partial<StepSpec>[],
    told: Partial<JobOrder & Machine> = {},
    host: Partial<RunnerHost> = {},
  ): Promise<Ran> {
    const job = jobOf(Array.isArray(given) ? { steps: given } : given);
    const jobId = addJob(this.core.db, job.name, ++this.#jobs);
    const order: JobOrder & Machine = {
      run: { id: 1, attempt: 1, repositoryId: 1 },
      jobId,
      token: 'ghs_0123456789abcdef0123456789abcdef0123',
      secrets: [],
      path: '/usr/local/bin:/usr/bin:/bin',
      signal: new AbortController().signal,
      closing: new AbortController().signal,
      onSteps: () => {},
      ...told,
    };
    const result = await runJob(job, { ...runnerHost(this.core, order, order), ...host });
    const log = (readLog(this.core, jobId) ?? '').split('\n').map(line => line.replace(/^\S+ /, ''));
    const remarks = log.flatMap(line => {
      const [, level, message = ''] = /^##\[(error|warning|notice)\](.*)$/.exec(line) ?? [];
      return level === undefined ? [] : [{ level, message }];
    });
    return { ...result, log, remarks, ...readNotes(this.core, jobId) };
  }

  /** Folder of the jobs' folders. */
  get work(): string {
    return join(this.core.folder, 'actions', 'work');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.core.db.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const openRunner = (clock: Clock = systemClock): TestRunner => new TestRunner(clock);

export function jobOf({ steps, ...job }: Job): PlannedJob {
  return {
    key: 'one',
    name: 'one',
    contexts: { github: github(), vars: {}, inputs: {}, needs: {}, strategy: {}, matrix: {}, secrets: {} },
    permissions: {},
    env: [],
    defaults: {},
    outputs: {},
    timeoutMinutes: 360,
    origin: { repository: 'olga/work', sha: '0'.repeat(40), path: '.github/workflows/work.yml' },
    ...job,
    steps: steps.map((step, index) => ({
      with: {},
      env: {},
      at: { file: '.github/workflows/work.yml', line: 10 + index, column: 9 },
      ...step,
    })),
  };
}

export const github = (more: Record<string, string> = {}) => ({
  repository: 'olga/work',
  run_id: '1',
  sha: '0'.repeat(40),
  ref: 'refs/heads/main',
  event_name: 'push',
  actor: 'olga',
  ...more,
});

const time = '2026-01-01T00:00:00Z';

/** A user, a repository, a workflow and a run, all with the id 1. */
function addRun(db: Database): void {
  db.insert('users', { id: 1, login: 'olga', type: 'User', token: 'x', created_at: time });
  const times = { created_at: time, updated_at: time };
  const repository = { id: 1, owner_id: 1, name: 'work', private: 0, default_branch: 'main' };
  db.insert('repositories', { ...repository, ...times, pushed_at: time });
  db.insert('workflows', { id: 1, repository_id: 1, path: 'w.yml', name: 'w', state: 'active', ...times });
  const run = {
    id: 1,
    repository_id: 1,
    workflow_id: 1,
    run_number: 1,
    event: 'push',
    status: 'in_progress',
  };
  db.insert('workflow_runs', { ...run, head_sha: '0'.repeat(40), inputs: '{}', actor_id: 1, ...times });
}

function addJob(db: Database, name: string, id: number): number {
  const row = { id, run_id: 1, name, status: 'in_progress', labels: '[]', steps: '[]' };
  return db.insert('jobs', { ...row, created_at: time, started_at: time });
}

/** A clock of which these waits, in milliseconds, are over at once: it moves on by them. Every other one lasts. */
export function clockThatSkips(...waits: number[]): Clock {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    async sleep(ms, signal) {
      if (!waits.includes(ms)) return systemClock.sleep(ms, signal);
      ahead += ms;
    },
  };
}
