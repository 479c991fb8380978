// An issue of a run, what of it decides when it starts, and the batch the scheduler is asked to work.
import type { Domain, WorkOfIssue } from './domains.ts';
import type { SlotState } from './slots.ts';

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
