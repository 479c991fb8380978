// Context for working a batch of issues, and one slot per issue.
import type { Mirror } from '@echelon/ground/workspace';
import type { CommandValues, SignalOf } from '../../commands/table.ts';
import type { PullText } from '../../comments/pull.ts';
import type { Guesses, IssueView, QuestionView } from '../../comments/view.ts';
import type { RunContext } from '../../scheduler/run-context.ts';
import type { Batch, ScheduledIssue, SlotState, TrackedIssue } from '../../scheduler/slots.ts';
import type { NewPackages } from '../project/new-packages.ts';
import type { FactValues } from './facts.ts';
import type { AnyJobSpec, Fit, JobSpec, Merge, Said, Wanted } from '../jobs/job-spec.ts';
import type { BaseTestsReport, IntegrationReport, JobReport } from '../jobs/report-spec.ts';
import type { Jobs } from '../jobs/jobs.ts';

export type { Batch, TrackedIssue };

/** Signal of a job that has ended. */
export const jobSignalName = 'job';
/** Signal of the tests at the base. */
export const baseTestsSignalName = 'base-tests';

/** Values of signals while issues are worked: commands, and reports of jobs by their operation key. */
export type EngineerValues = CommandValues &
  FactValues & {
    [jobSignalName]: { op: string; report: JobReport | IntegrationReport };
    /** `failed`: the job was lost. */
    [baseTestsSignalName]: { op: string; report: BaseTestsReport | Extract<JobReport, { kind: 'failed' }> };
  };
export type JobSignal = SignalOf<EngineerValues, typeof jobSignalName>;

/** Needs of the tests, as on the default branch now: /retry replaces the run's pinned ones by them. */
export interface TestGround {
  /** Newest commit of the base branch. */
  commit: string;
  /** Empty: there is no test command. */
  test: string;
  setup?: string;
  guessed?: Guesses;
  network: JobSpec['network'];
}

export interface EngineerContext extends RunContext<EngineerValues> {
  /** The repository's mirror, with the run's commits in it. */
  mirror(): Promise<Mirror>;
  jobs: Jobs;
  /** The same, read again from the default branch; or the reason for failing, a clause. */
  testGround(): Promise<TestGround | { problem: string }>;
  /** Jobs that were started and have not reported: what the run waits for. */
  outstanding: Map<string, AnyJobSpec>;
  base: { branch: string; commit: string };
  directive: { title: string; body: string };
  settings: EngineerSettings;
  /** Commits of the mirror by what they are on GitHub. */
  sent: Map<string, string>;
}

export interface EngineerSettings {
  /** Minimum cost of a job (USD). */
  leastUsd: number;
  /** Values that must not leave in a patch. */
  secrets: readonly string[];
  /** Common input of every job of this run. */
  job: Pick<
    JobSpec,
    | 'repository'
    | 'mirror'
    | 'library'
    | 'settings'
    | 'model'
    | 'models'
    | 'engines'
    | 'isolation'
    | 'network'
    | 'setup'
    | 'reasoning'
  >;
}

/** The commit of a bundle, in the mirror. */
export interface Committed {
  commit: string;
  /** Its files, as tests name what they ran on. */
  tree: string;
  /** Number of changed files, and those that instruct coding agents. */
  files: number;
  instructions?: string[];
  /** New dependencies of the project. */
  packages?: NewPackages;
  /** It was pushed, so GitHub does not sign it, and why. */
  unsigned?: string;
}

/** One issue on its way: its plan, its place in the state table, what its present attempt stands on. */
export interface Slot {
  issue: TrackedIssue;
  view: IssueView;
  state: SlotState;
  attempt: number;
  /** Attempts since the start or the last /retry. */
  tries: number;
  /** Result of the attempt before. */
  previous: string | null;
  /** Operation key of the job whose changes the next attempt goes on from; null: it begins at the base. */
  lastTree: string | null;
  /** Of the attempt that is running or was delivered. */
  op?: string;
  stands?: Stands;
  /** Commit of the step `key` for its last job. */
  made?: { key: string } & (Committed | { refused: string });
  /** Head of its branch, the base of its pull request, and the text that this began with. */
  delivered?: { branch: string; commit: string; base: string; text: PullText; op: string; draft: boolean };
  /** Head of its branch if it could not be merged: the next attempt replaces it. */
  pushed?: string;
  /** Requests on its pull request that no round has taken up; its threads are read when one begins. */
  wants?: Said[];
  /** The head of its branch keeps the checks from starting; and how often they were let begin. */
  checksHeld?: true;
  releases?: number;
  /** The last head at which its checks failed, and rounds that were to mend them since they were green or a person wanted one. */
  red?: { head: string; rounds: number };
  /** Head of its branch that somebody else pushed. */
  theirs?: string;
  /** Rounds on its pull request that have begun. */
  rounds: number;
  /** Issues whose branches the next one is to make it fit with; empty: the base as it is now. */
  fits?: number[];
  /** Heads of others, or of the base, that a round was to make it fit with before a person asked for one. */
  fitted?: string[];
  /** The one that is under way. `head`: where the branch stood. `refusals`: deliveries of it that were refused. */
  round?: {
    head: string;
    wanted: Wanted;
    fit?: FitStart;
    refusals?: number;
    checked?: FactValues['check_state'];
  };
  /** A branch below it has changed during a round; and the number of times that it has taken that up. */
  behind?: true;
  takenUp: number;
  /** The attempt waits for the person, or has the answer and waits for a free slot. `op`: of the job that asked. */
  asks?: { question: QuestionView; op: string };
  /** A person's message to all layers since it was planned, for its next attempts. */
  guidance?: string;
  /** People's words to its engineer by `/tell`, quoted. */
  told?: string[];
  /** It was deleted: nothing is written to it. */
  gone?: true;
  /** It is closed; and the number of times that people have closed it while it was to be worked. */
  shut?: true;
  closed?: number;
  /** Reason for leaving it to a person now; and the number of times. */
  taken?: string;
  left?: number;
  /** Its pull request is a person's for now: no round begins, nothing is pushed to it. */
  held?: true;
  /** Class of the report that an attempt failed with last. */
  failedWith?: string;
  /** Finished work that GitHub refused: /retry delivers it without another attempt. */
  undelivered?: Undelivered;
  /** Deliveries of the present attempt that were refused. */
  refusals?: number;
  /** All that its engineers asked. */
  asked: QuestionView[];
  /** Active time of the attempt before its last question (milliseconds). */
  usedMs?: number;
}

/** Starting point of an attempt: the base commit, or the delivered branches it needs. */
export interface Stands {
  commit: string;
  /** The branch a pull request goes to; null: a merge branch that is pushed at delivery. */
  branch: string | null;
  /** Issues whose branches are in it. */
  on: number[];
  /** Fields of the commit if it is no branch's yet: the same fields make the same commit anywhere. */
  merge?: Merge;
}

/** Delivered branches that were last tested together. */
export interface Together {
  /** Their commits; empty: there was nothing to be looked at. */
  heads: string;
  /** The same, as they were looked at while others were worked. */
  ahead?: string;
  /** Newest commit of the base branch by then. */
  base?: string;
  /** Number of such looks. */
  looks: number;
  /** Operation key of the job that tests them, and the tree that it tests. */
  job?: { op: string; tree: string };
}

/** Starting point of a round that makes its branch fit with others. */
export interface FitStart {
  /** Issues whose branches are merged into it; none: the base as it is now is. */
  on: number[];
  /** Start of the checkout. It is no branch's, and never pushed: two that conflict have marks in it. */
  merge: Merge;
  commit: string;
  /** Its description for the engineer. */
  told: Fit;
}

/** A person's `/merge` that goes on. */
export interface Merging {
  command: SignalOf<CommandValues, 'ready' | 'merge'>;
  /** In their order, each as it was then. */
  pulls: { slot: Slot; version: string }[];
  /** Number of tries to merge one. */
  looks: number;
  /** The pull request that is waited for, and what for. */
  waits?: { pull: number; why: string };
}

/** A batch that is worked. */
export interface BatchContext extends EngineerContext {
  slots: Slot[];
  /** Files that the layers have opened. */
  opened: string[];
  maxParallel: number;
  /** Number of waits for money. */
  waits: number;
  /** Trees that passed the project's tests. */
  green: Set<string>;
  together: Together;
  /** Finished work whose pull request is not open yet, in the order in which it was finished. */
  finished: (Undelivered & { onBranch: OnBranch })[];
  /** The repository was seen to have a place for the next one. */
  place?: true;
  merging?: Merging;
}

/** A slot whose job has reported. */
export interface Reported<Report = JobReport> {
  slot: Slot;
  report: Report;
  /** Arrival of the report (milliseconds since the epoch). */
  at: number;
}

/** Branch and commit to push for the slot, and the commit that has to be there. */
export interface Top {
  name: string;
  commit: string;
  expect: string | null;
  make?: () => Promise<unknown>;
}

/** A finished attempt whose branch is pushed. */
export interface OnBranch {
  made: Committed;
  branch: string;
  /** The branch's head on GitHub. */
  commit: string;
}

/**
 * A finished attempt that GitHub refused, or a round on its pull request. `onBranch`: its branch is pushed, only the pull
 * request is missing.
 */
export interface Undelivered extends Reported<Extract<JobReport, { kind: 'bundle' }>> {
  onBranch?: OnBranch;
  round?: NonNullable<Slot['round']>;
}

/** Key prefix of the steps in a slot's present attempt, or of the round on its pull request. */
export const stepsOf = ({ issue, attempt, refusals = 0, round, rounds }: Slot) => {
  const refused = round ? (round.refusals ?? 0) : refusals;
  const delivery = refused > 0 ? `/delivery-${refused + 1}` : '';
  return `issue/${issue.number}/${round ? `round-${rounds}` : `attempt-${attempt}`}${delivery}`;
};

/** Job and ground of the slot's present attempt. Throws where none was started, which is an error of the program. */
export function startedOf({ issue, op, stands }: Slot): { op: string; stands: Stands } {
  if (op === undefined || stands === undefined) throw new Error(`no attempt at #${issue.number} was started`);
  return { op, stands };
}

/** The slot of an issue, or of its pull request. */
export const slotOf = ({ slots }: { readonly slots: readonly Slot[] }, number: number | undefined) =>
  slots.find(({ issue, view }) => issue.number === number || view.pull === number);

/** The same for a person's word, which may stand on its unfinished pull request. */
export const slotSpokenOn = (
  ctx: Pick<BatchContext, 'slots'>,
  number: number | undefined,
): Slot | undefined =>
  slotOf(ctx, number) ??
  ctx.slots.find(({ view }) => view.unfinished !== undefined && view.unfinished === number);

/** The slot as the scheduler sees it. */
export const scheduled = ({ issue, state, stands }: Slot): ScheduledIssue => ({
  number: issue.number,
  domain: issue.domain,
  paths: issue.paths,
  dependsOn: issue.dependsOn,
  estimateMinutes: issue.estimateMinutes,
  state,
  standsOn: stands?.on,
});
