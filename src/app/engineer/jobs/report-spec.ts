// Output of a job: its report, progress and cost, as files in its folder, read strictly on both sides.
import { z } from 'zod';
import { CandidatesTold } from './candidates-told.ts';
import { MAX_NAME, MOST_NAMES } from './test-outcome.ts';

const cost = z.number().nonnegative();

const names = z.array(z.string().max(MAX_NAME)).max(MOST_NAMES);

/** Result of the change's tests without the rest of it. `why`, `said`: without a full stop, `said` may be empty. */
export const WithoutChange = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('fails'),
    exit_code: z.number().nullable(),
    /** By name, where the runner names any; and the first line that tells of a failure. */
    failing: names,
    said: z.string().max(200),
    /** Test files of the change that do not compile or load there, by place and words: none of their tests ran. */
    unloaded: names.exactOptional(),
  }),
  /** Stopped after `ms`; with the change they took `took`. `said`: the last line that they printed. */
  z.strictObject({ state: z.literal('hangs'), ms: cost, took: cost, said: z.string().max(200) }),
  z.strictObject({ state: z.literal('passes') }),
  z.strictObject({ state: z.literal('unknown'), why: z.string().max(500) }),
]);
export type WithoutChange = z.infer<typeof WithoutChange>;

/** Result of the project's tests on a tree. */
export const Tests = z.strictObject({
  command: z.string(),
  exit_code: z.number().nullable(),
  tree: z.string(),
  /** Number of passed tests, as the runner counts them, and names of some (of files or packages, if it names no more). */
  ran: z.strictObject({ count: z.int().positive().exactOptional(), names }).exactOptional(),
  /** The line by which some result is one that the runner had kept. */
  replayed: z.string().max(MAX_NAME).exactOptional(),
  /** Absent: they are red with the change, so nobody has looked. */
  without: WithoutChange.exactOptional(),
  /** Some of the test files that are there no more: moved, or taken away. */
  removed: names.exactOptional(),
});
export type Tests = z.infer<typeof Tests>;

/** Sessions of an attempt that its report tells of. */
export const KEPT = 5;

const count = z.int().nonnegative();
const Session = z.strictObject({
  task: z.string().max(200),
  key: z.string().max(500),
  status: z.string().max(20),
  iterations: count,
  operations: count,
  health: z.enum(['healthy', 'degraded', 'critical']),
  executions: z
    .array(z.strictObject({ state: z.string().max(20), ms: z.number(), result: z.string().max(100) }))
    .max(5),
  errors: count,
  instead: z.array(z.string().max(300)).max(5).exactOptional(),
  cost_usd: cost,
  ms: z.number().nonnegative(),
});

/** A criterion of the issue, as the evaluator judged it last; `met` null: it could not. */
const Criterion = z.strictObject({
  text: z.string().max(300),
  met: z.boolean().nullable(),
  evidence: z.string().max(500),
});
export type Criterion = z.infer<typeof Criterion>;

/** Criteria that are kept. */
export const MAX_CRITERIA = 20;

const outcome = {
  rounds: z.int().nonnegative(),
  cost_usd: cost,
  model_calls: z.int().nonnegative(),
  tests: Tests.nullable(),
  feedback: z.string(),
  isolation: z.enum(['bubblewrap', 'none']),
  /** Engine of the last director, if it was not this product itself. */
  engine: z.string().max(1000).exactOptional(),
  ms: z.number().nonnegative(),
  /** The last sessions of the attempt. */
  sessions: z.array(Session).max(KEPT).default([]),
  /** The candidates, if there were several; cost and calls above are those of all, with the ranking. */
  candidates: CandidatesTold.exactOptional(),
  /** Absent: the evaluator said nothing of them. */
  criteria: z.array(Criterion).max(MAX_CRITERIA).exactOptional(),
};

/** Characters of a question; more would be cut where it is shown. */
export const MAX_QUESTION = 16_000;

/** `class`: rejected, no_changes, time, or a class of model failure. `partial`: a bundle stands there all the same. */
export const FailedReport = z.strictObject({
  kind: z.literal('failed'),
  ...outcome,
  class: z.string(),
  log_tail: z.string(),
  partial: z.boolean(),
  /** The provider is not to be called before (milliseconds since the epoch). */
  until: z.number().exactOptional(),
});

/** Outcome of a thread, by its name (`threadName`). */
const ThreadAnswer = z.strictObject({
  thread: z.string().max(20),
  done: z.boolean(),
  answer: z.string().max(4000),
});
export type ThreadAnswer = z.infer<typeof ThreadAnswer>;

/** A job's name for a thread, by its place in the list. */
export const threadName = (index: number): string => `T${index + 1}`;

export const JobReport = z.discriminatedUnion('kind', [
  /**
   * `changes.patch` and `manifest.json` stand in the folder. `summary`: the engineer's last words. `answers`: of a round
   * on a delivered branch.
   */
  z.strictObject({
    kind: z.literal('bundle'),
    ...outcome,
    summary: z.string(),
    answers: z.array(ThreadAnswer).max(50).exactOptional(),
  }),
  FailedReport,
  /** The attempt waits for an answer; what it goes on with stands in the folder. */
  z.strictObject({ kind: z.literal('question'), ...outcome, question: z.string().min(1).max(MAX_QUESTION) }),
]);
export type JobReport = z.infer<typeof JobReport>;

/** Result of the tests at the base. `why` they could not run: a sentence without its full stop, otherwise empty. */
export const BaseTestsReport = z.strictObject({
  kind: z.literal('base-tests'),
  state: z.enum(['green', 'red', 'cannot_run']),
  exit_code: z.number().nullable(),
  failing: names,
  why: z.string(),
  /** The end of what they printed. */
  tail: z.string(),
  /** The command that did not install what they need: they were not begun, and the end is that of its output. */
  setup: z.string().exactOptional(),
  /** The sandbox does not work: `why` holds the remedy. */
  sandbox: z.literal('missing').exactOptional(),
  /** Duration of the tests, without the installation before them. */
  ms: z.number().nonnegative(),
  /** Versions of tools, and a line for each linter; absent where none was asked. */
  facts: z.string().max(2000).exactOptional(),
});
export type BaseTestsReport = z.infer<typeof BaseTestsReport>;

/**
 * Result of the tests of all branches together. `failing`: tests that were not red before. `cause`: the issues of the
 * smallest set of branches that is red as well, in their order; none: only what was red before is red.
 */
export const IntegrationReport = BaseTestsReport.extend({
  kind: z.literal('integration'),
  cause: z.array(z.int()),
});
export type IntegrationReport = z.infer<typeof IntegrationReport>;

export const AnyJobReport = z.discriminatedUnion('kind', [BaseTestsReport, IntegrationReport, JobReport]);
export type AnyJobReport = z.infer<typeof AnyJobReport>;

/** Time (milliseconds since the epoch), and the candidate if there are several. */
const line = { at: z.number(), candidate: z.int().exactOptional() };

/** Lines of `progress.jsonl`: what a job is doing, for people who watch. */
export const JobProgress = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('model_reply'), task: z.string(), ...line }),
  z.strictObject({ type: z.literal('tool_call'), tool: z.string(), ok: z.boolean(), ...line }),
  z.strictObject({ type: z.literal('output'), ...line }),
  z.strictObject({ type: z.literal('tests'), exit_code: z.number().nullable(), ...line }),
  z.strictObject({
    type: z.literal('round'),
    round: z.int(),
    success: z.boolean(),
    feedback: z.string(),
    ...line,
  }),
]);
export type JobProgress = z.infer<typeof JobProgress>;

/** `spent.json`: what the job has paid for so far, for the case that it cannot report. */
export const JobSpent = z.strictObject({ cost_usd: cost, model_calls: z.int().nonnegative() });
export type JobSpent = z.infer<typeof JobSpent>;
