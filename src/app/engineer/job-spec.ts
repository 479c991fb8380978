// What a job is given and what it reports: two files in its folder, read strictly on both sides.
import { z } from 'zod';
import { CandidatesTold } from './candidates-told.ts';
import { engineNames } from '../../engine/runtime/engines/engine.ts';
import { efforts } from '../../engine/models/model.ts';
import { ModelRow } from '../../engine/models/table.ts';

const cost = z.number().nonnegative();
/** An operation key, which names a folder: see github/marker.ts. */
const operation = z.string().regex(/^[\w-]{1,100}$/);

const on = z.boolean();
const Reasoning = z.strictObject({
  policy: z.string(),
  /** By the task's name. */
  tasks: z.record(z.string(), z.string()).default({}),
  effort: z.record(z.string(), z.enum(efforts)).exactOptional(),
  output_tokens: z.record(z.string(), z.int()).exactOptional(),
  retry: z.string(),
  cleaning: z.strictObject({ execution_log: on, tracker: on, reasoning_log: on, valid_ids: on, hint: on }),
  recovery: z.strictObject({ context: on, reasoning: on, valid_ids: on }),
});

/** Branches merged one after the other. `marked`: where two conflict, both sides stand between git's marks. */
const Merge = z.strictObject({
  commits: z.array(z.string()),
  message: z.string(),
  date: z.string(),
  marked: z.literal(true).optional(),
});
export type Merge = z.infer<typeof Merge>;

/** What somebody said, and whether they have write access: else it is data to whoever reads it. */
const Said = z.strictObject({ by: z.string(), text: z.string(), may: z.boolean() });
export type Said = z.infer<typeof Said>;

/** A thread on lines of a pull request that waits for an answer. */
const AskedThread = z.strictObject({
  /** Node id, and database id of its first comment. */
  id: z.string(),
  first: z.int(),
  path: z.string(),
  line: z.int().nullable(),
  /** The lines of the diff down to that one. */
  hunk: z.string(),
  said: z.array(Said),
});
export type AskedThread = z.infer<typeof AskedThread>;

/** What a delivered branch is to fit with: it is merged into the checkout already. `head`: where the branch stood. */
const Fit = z.strictObject({
  head: z.string(),
  /** Pull requests, or the base. `parted`: the commit that both came of. */
  others: z.array(
    z.strictObject({ commit: z.string(), name: z.string(), title: z.string(), parted: z.string() }),
  ),
  /** Files that have both sides between git's marks. */
  conflicts: z.array(z.string()),
});
export type Fit = z.infer<typeof Fit>;

/** What people want changed of a delivered branch. */
const Wanted = z.strictObject({
  asked: z.array(Said),
  threads: z.array(AskedThread),
  fit: Fit.optional(),
});
export type Wanted = z.infer<typeof Wanted>;

/** One attempt at one issue. The job holds no token; it reads the mirror and writes into its folder only. */
export const JobSpec = z.strictObject({
  version: z.literal(1),
  /** Operation key of the step that starts the job. */
  op: operation,
  repository: z.string(),
  /** Number of the issue whose run this belongs to. */
  directive: z.int(),
  issue: z.strictObject({ number: z.int(), title: z.string(), body: z.string() }),
  attempt: z.int().min(1),
  /** Commit the checkout begins at, and how it is made where no branch has it. */
  base: z.string(),
  merge: Merge.optional(),
  /** Path of the bare repository to take it from. */
  mirror: z.string(),
  /** Templates of the task language: the product's, then the repository's, which override them by name. */
  library: z.array(z.array(z.strictObject({ file: z.string(), text: z.string() }))),
  /** What programs may bind as settings of the run. `test_command` is empty where none is known. */
  settings: z.strictObject({ test_command: z.string(), rounds: z.string() }),
  model: z.discriminatedUnion('provider', [
    /** `script`: text of the script file. */
    z.strictObject({ provider: z.literal('scripted'), script: z.string() }),
    /** `rows`: of models that the product's own table lacks. */
    z.strictObject({ provider: z.literal('served'), rows: z.record(z.string(), ModelRow) }),
  ]),
  /** Provider's model name by task, `default` for the others; of several each takes the place of the one before it. */
  models: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  limits: z.strictObject({
    attempt_ms: z.number().positive(),
    stuck_ms: z.number().positive(),
    budget_usd: cost,
    turns: z.int().min(1),
    warn_at: z.number().optional(),
  }),
  /** Who carries the director out: the next one where one is missing or held back. */
  engines: z.array(z.enum(engineNames)).min(1),
  isolation: z.enum(['bubblewrap', 'none']),
  network: z.boolean(),
  /** How code that the model writes for itself is executed. */
  reasoning: Reasoning,
  /** What the attempt before came to, and what the person has answered so far; told to the engineer. */
  previous: z.string().nullable(),
  /**
   * The job whose changes are gone on from, in the folder of its operation key beside this one's. With the answer it is
   * the same attempt, whose session asked the person; without one the attempt before, which did not come to its end.
   * Absent: it begins at the base.
   */
  from: z.strictObject({ op: operation, answer: z.string().optional() }).optional(),
  /**
   * The attempt is a round on a branch that is delivered, whose head is `base`, or, where it is to fit with others, the
   * merge of all of them; absent: the issue itself is worked.
   */
  wanted: Wanted.optional(),
  /** So many attempts are made side by side, of which the best is handed over; absent: one. */
  candidates: z.int().min(2).exactOptional(),
  /** What the tests came to at the base, for engineer and evaluator; absent where nothing is known. */
  base_tests: z.string().optional(),
});
export type JobSpec = z.infer<typeof JobSpec>;

/** The project's tests, run once at the commit that the run begins at; no model is asked. */
export const BaseTestsSpec = JobSpec.pick({
  version: true,
  op: true,
  repository: true,
  directive: true,
  base: true,
  mirror: true,
  isolation: true,
  network: true,
}).extend({
  kind: z.literal('base-tests'),
  command: z.string().min(1),
  limits: z.strictObject({ attempt_ms: z.number().positive(), stuck_ms: z.number().positive() }),
});
export type BaseTestsSpec = z.infer<typeof BaseTestsSpec>;

/** What was red of the tests before anything was changed: it is no news. */
const Before = z.strictObject({ state: z.enum(['green', 'red']), failing: z.array(z.string()) });
export type Before = z.infer<typeof Before>;

/** The delivered branches merged on `base`, which is the newest commit there, and tested once; no model is asked. */
export const IntegrationSpec = BaseTestsSpec.extend({
  kind: z.literal('integration'),
  /** In the order in which they are to be merged. */
  branches: z.array(z.strictObject({ issue: z.int(), commit: z.string() })),
  /** The tests at `base`; null: they have not run there. */
  before: Before.nullable(),
  /** Trees that are known to be green. */
  green: z.array(z.string()),
});
export type IntegrationSpec = z.infer<typeof IntegrationSpec>;

export const AnyJobSpec = z.union([BaseTestsSpec, IntegrationSpec, JobSpec]);
export type AnyJobSpec = z.infer<typeof AnyJobSpec>;

export const Tests = z.strictObject({
  command: z.string(),
  exit_code: z.number().nullable(),
  tree: z.string(),
});

/** Said where the attempt's own time was over. */
export const ATTEMPT_LIMIT = 'it is that of the whole attempt, which `timeouts.attempt` sets';

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

/** What an issue asks for, as the evaluator judged it last; `met` null: it could not. */
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
  /** Who carried the last director out, where it was not this product itself. */
  engine: z.string().max(1000).exactOptional(),
  ms: z.number().nonnegative(),
  /** The last sessions of the attempt. */
  sessions: z.array(Session).max(KEPT).default([]),
  /** Where there were several; cost and calls above are those of all, with the ranking. */
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

/** What became of a thread, by its name (`threadName`). */
const ThreadAnswer = z.strictObject({
  thread: z.string().max(20),
  done: z.boolean(),
  answer: z.string().max(4000),
});
export type ThreadAnswer = z.infer<typeof ThreadAnswer>;

/** What a job calls a thread by its place in the list. */
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

/** What the tests came to at the base. `why`, of what could not run: a sentence without its full stop, else empty. */
export const BaseTestsReport = z.strictObject({
  kind: z.literal('base-tests'),
  state: z.enum(['green', 'red', 'cannot_run']),
  exit_code: z.number().nullable(),
  failing: z.array(z.string()),
  why: z.string(),
  /** The end of what they printed. */
  tail: z.string(),
  ms: z.number().nonnegative(),
});
export type BaseTestsReport = z.infer<typeof BaseTestsReport>;

/**
 * What the tests of all branches together came to. `failing`: what was not red before. `cause`: the issues of the
 * smallest set of branches that is red as well, in their order; none: only what was red before is red.
 */
export const IntegrationReport = BaseTestsReport.extend({
  kind: z.literal('integration'),
  cause: z.array(z.int()),
});
export type IntegrationReport = z.infer<typeof IntegrationReport>;

export const AnyJobReport = z.discriminatedUnion('kind', [BaseTestsReport, IntegrationReport, JobReport]);
export type AnyJobReport = z.infer<typeof AnyJobReport>;

/** When it was (milliseconds since the epoch), and of which of several candidates. */
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

/** The value of a job's file or of a line of one; undefined where it is no JSON: whoever asked says so. */
export function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** What can be known of a job from its folder. */
export type JobState = { state: 'absent' | 'living' | 'gone' } | { state: 'finished'; report: AnyJobReport };

/** What a person has said to the whole run, quoted, as an engineer and its evaluator are told it. */
export const guidanceText = (guidance: string): string =>
  `The person has given new guidance for the whole run:\n${guidance}`;

/** Where jobs run. Starting one whose report is there, or that still lives, starts nothing. */
export interface Jobs {
  start(spec: AnyJobSpec): Promise<void>;
  read(op: string): Promise<JobState>;
  /** Ends the job and everything it started, at once. Answers what it had paid for, as far as that is known here by then. */
  stop(op: string): Promise<JobSpent>;
  /** Has a job that runs hear this before its model's next turn; absent: jobs here hear nothing before they end. */
  tell?(op: string, guidance: string): Promise<void>;
  /** Ends all jobs of a directive that this place knows of, at once. */
  stopOf(directive: number): Promise<void>;
  /** The folder in which the job has left its bundle, on this machine. */
  folder(op: string): string | Promise<string>;
  /** Hands out what was asked to start and is handed out together. `outstanding`: what the run still waits for. */
  handOut?(outstanding: ReadonlySet<string>): Promise<void>;
}
