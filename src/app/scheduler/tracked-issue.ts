// An issue of a run as the scheduler sees it, and the batch it is asked to work.
import type { Domain } from './domains.ts';

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

export interface Batch {
  issues: TrackedIssue[];
  /** Fewer slots than the configuration allows; undefined: as many. */
  maxParallel: number | undefined;
  /** Sentences for people: what could not be scheduled and why. */
  notes: string[];
}
