// An issue in a batch: the states of its slot, every transition between them, and the limits that cause some of them.
import { machine, type Transitions } from '@echelon/ground';
import type { Domain, WorkOfIssue } from './domains.ts';

export type SlotState =
  | 'pending'
  | 'running'
  | 'stuck'
  | 'killed'
  | 'retrying'
  | 'merging'
  | 'delivering'
  | 'done'
  | 'failed'
  | 'blocked'
  | 'skipped'
  | 'cancelled';

const ended = {
  killed: 'the hard time limit has passed',
  retrying: 'the engine failed or changed nothing, and tries are left',
  failed: 'the engine failed or changed nothing, and no tries are left',
  merging: 'the engineer succeeded with changes',
  cancelled: 'a person cancelled the run',
  done: 'a round on its pull request came to nothing: what was delivered stands',
} as const;

const slotTransitions = {
  pending: {
    running: 'a slot is free, nothing that runs conflicts, and what it depends on is delivered',
    blocked: 'it was closed and reopened too often, or what it depends on will not be delivered',
    skipped: 'someone else took it',
    cancelled: 'a person cancelled it, or withdrew it by /redirect',
  },
  running: { stuck: 'no progress for a while', ...ended },
  stuck: { running: 'progress again', ...ended },
  killed: { retrying: 'tries are left', failed: 'no tries are left' },
  retrying: {
    pending: 'the checkout is removed and the next attempt may begin',
    cancelled: 'a person cancelled the run',
  },
  merging: {
    delivering: 'merged, and a pull request is wanted',
    done: 'merged, and no pull request is wanted',
    retrying: 'a conflict or a refused bundle, and tries are left',
    failed: 'a conflict or a refused bundle, and no tries are left',
  },
  delivering: {
    done: 'the draft pull request is open',
    failed: 'GitHub refused the branch or the pull request',
  },
  done: {
    running: 'a person said /fix or asked for changes',
    merging: 'a person said /retry, and GitHub had refused a finished round',
    failed:
      'a person closed the pull request without merging it, or GitHub refused the one that waited for a place',
  },
  failed: {
    pending: 'a person said /retry',
    merging: 'a person said /retry, and only the delivery had failed',
    done: 'a person opened its pull request again',
  },
  blocked: { pending: 'a person said /retry' },
  skipped: {
    pending: 'the person gave it back',
    blocked: 'it was taken and given back too often',
  },
  cancelled: {
    pending: 'a person opened the issue again',
    blocked: 'it was closed and reopened too often',
  },
} as const satisfies Transitions<SlotState>;

/** Answers `to`; throws when the slot may not move there. */
export const moveSlot = machine<SlotState>(slotTransitions);

/** An issue in one of these holds a slot, and its files may still change. */
export const activeStates: ReadonlySet<SlotState> = new Set([
  'running',
  'stuck',
  'killed',
  'retrying',
  'merging',
  'delivering',
]);

/** Time from one stuck warning to the next. */
export const stuckAgainSeconds = 60;

/** An issue this run created. */
export interface TrackedIssue {
  number: number;
  title: string;
  body: string;
  domain: Domain;
  labels: string[];
  /** Numbers of issues that must be delivered before. */
  dependsOn: number[];
  /** Globs of what it may touch; empty: not known. */
  paths: string[];
  estimateMinutes: number | undefined;
  /** Given to a person by the plan itself: it is not worked on. */
  assignee: string | undefined;
}

/** Values that decide when it starts. */
export interface ScheduledIssue extends WorkOfIssue {
  number: number;
  /** Numbers of the issues that must be delivered (`done`) before. */
  dependsOn: readonly number[];
  estimateMinutes?: number | undefined;
  state: SlotState;
  /** Issues below its branch, as `standsOn` said when it started. */
  standsOn?: readonly number[] | undefined;
}

export interface Batch {
  issues: TrackedIssue[];
  /** Fewer slots than the configuration allows; undefined: as many. */
  maxParallel: number | undefined;
  /** Sentences for people: what could not be scheduled and why. */
  notes: string[];
  /** Files that the layers have opened. */
  opened: string[];
}
