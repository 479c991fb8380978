// A run's work so far, with times: everything in its record, read only.
import type { Entry } from '@echelon/ground/journal';
import type { RunView } from '../comments/view.ts';
import type { Jobs } from '../engineer/jobs/jobs.ts';
import { operationKey } from '../github/once.ts';
import type { RunEvent } from '../run-events.ts';
import type { RepositoryAccess } from './active-run.ts';
import { jobKey } from './cancel.ts';
import { inspectRun, startOf } from './inspect-run.ts';
import { providerWaits } from './provider-wait.ts';
import { loadRun } from './read-record.ts';
import { readOrigin } from './run-journal.ts';

/** An event, and when the newest entry of the journal was written by then (milliseconds since the epoch). */
export type PastEvent = RunEvent & { at: number };

/** A job that the run asked for. */
export interface PastJob {
  /** Its operation key. */
  op: string;
  /** Of its issue; of the tests at the base, and of all together: undefined. */
  issue: number | undefined;
  /** `attempt 2`, `round 1`, `attempt 1, goes on after Q1`. */
  what: string;
  /** Time of the request (milliseconds since the epoch). */
  at: number;
  /** It has reported. */
  ended: boolean;
}

/** A time in which nothing was started (milliseconds since the epoch). `to`: of a wait that has no end yet, infinite. */
export interface Halt {
  from: number;
  to: number;
  why: string;
}

export interface RunHistory {
  view: RunView;
  /** In the order in which they were. */
  events: readonly PastEvent[];
  jobs: readonly PastJob[];
  halts: readonly Halt[];
  /** Place of its jobs. */
  execution: 'local' | 'actions';
  /** Its jobs, for what lies in their folders. */
  place: Jobs;
}

/** Undefined: there is no run on the issue, or its record cannot be relied on. Throws where the issue cannot be read. */
export async function runHistory(issue: number, access: RepositoryAccess): Promise<RunHistory | undefined> {
  const loaded = await loadRun(await access.github.thread(issue), access, { looks: true });
  if (loaded.kind !== 'run') return undefined;
  const { store } = loaded;
  const { execution } = startOf(store).config;
  const reported = new Set(store.entries.map(entry => entry.t === 'signal' && entry.id));
  const events: PastEvent[] = [];
  const view = await inspectRun(store, access, (event, at) => void events.push({ ...event, at }));
  return {
    view,
    events,
    jobs: store.entries.flatMap((entry): PastJob[] => {
      if (entry.t !== 'step' || !jobKey.test(entry.key)) return [];
      const op = operationKey(store.identity, entry.key);
      return [{ op, at: entry.at, ended: reported.has(`job-${op}`), ...namedBy(entry.key) }];
    }),
    halts: [...pausesOf(store.entries), ...providerWaits(store.entries)].sort((a, b) => a.from - b.from),
    execution,
    place: access.jobsOf({ directive: issue, execution }),
  };
}

/** Of the key of the step after which a job runs. */
function namedBy(key: string): Pick<PastJob, 'issue' | 'what'> {
  const [room, number = '', which = '', last = ''] = key.split('/');
  if (room !== 'issue')
    return { issue: undefined, what: room === 'base' ? 'tests at the base' : 'tests of all together' };
  const what = which.replace('-', ' ');
  const question = /^(Q\d+)-answered$/.exec(last)?.[1];
  return { issue: Number(number), what: question ? `${what}, goes on after ${question}` : what };
}

/** By the commands: one that came to nothing, since the run was paused or not paused already, changes nothing here. */
function pausesOf(entries: readonly Entry[]): Halt[] {
  const found: Halt[] = [];
  let open: Halt | undefined;
  for (const entry of entries) {
    if (entry.t !== 'signal') continue;
    if (entry.name === 'pause' && !open) {
      open = { from: entry.at, to: Number.POSITIVE_INFINITY, why: `paused by ${readOrigin(entry).by}` };
      found.push(open);
    } else if (entry.name === 'resume' && open) {
      open.to = entry.at;
      open = undefined;
    }
  }
  return found;
}
