// Input of a job: a file in its folder, read strictly on both sides.
import { z } from 'zod';
import { Network } from '../../config/values.ts';
import { engineNames, ModelRow } from '../../../engine/models.ts';
import { efforts } from '../../../engine/texts.ts';

const cost = z.number().nonnegative();
/** An operation key, which names a folder: see github/marker.ts. */
const operation = z.string().regex(/^[\w-]{1,100}$/);

// Not strict: a run that an older version began may hand on settings that there are no longer.
const Reasoning = z.object({
  policy: z.string(),
  /** By the task's name. */
  tasks: z.record(z.string(), z.string()).default({}),
  effort: z.record(z.string(), z.enum(efforts)).exactOptional(),
  output_tokens: z.record(z.string(), z.int()).exactOptional(),
  retry: z.string(),
});

/** Branches merged one after the other. `marked`: where two conflict, both sides stand between git's marks. */
const Merge = z.strictObject({
  commits: z.array(z.string()),
  message: z.string(),
  date: z.string(),
  marked: z.literal(true).optional(),
});
export type Merge = z.infer<typeof Merge>;

/** Somebody's text, and whether they have write access: otherwise its readers treat it as data. `by` null: a failed check, with the end of its log. */
const Said = z.strictObject({ by: z.string().nullable(), text: z.string(), may: z.boolean() });
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

/** Branches that a delivered branch must fit with, merged into the checkout already. `head`: where the branch was. */
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

/** Changes that people want on a delivered branch. */
const Wanted = z.strictObject({
  asked: z.array(Said),
  threads: z.array(AskedThread),
  fit: Fit.optional(),
});
export type Wanted = z.infer<typeof Wanted>;

/** Tests that failed before any change: their failing again is no news. `ms`: how long all took, in a fresh checkout. */
const Before = z.strictObject({
  state: z.enum(['green', 'red']),
  failing: z.array(z.string()),
  ms: z.number().exactOptional(),
});
export type Before = z.infer<typeof Before>;

const Named = z.strictObject({ number: z.int(), title: z.string() });

/** The run's knowledge around an issue. */
const Around = z.strictObject({
  directive: z.strictObject({ title: z.string(), body: z.string() }),
  /** As Markdown; empty: there is none. */
  plan: z.string(),
  /** The commit whose conventions count: what engineers changed since is nobody's rule yet. */
  ground: z.string(),
  /** Globs that were approved with the issue; empty: it names none. */
  paths: z.array(z.string()),
  /** Files that the layers have opened, which the engineer is shown; none of an older version. */
  opened: z.array(z.string()).default([]),
  /** Delivered issues that it depends on, each with the two commits between which its change lies. */
  needs: z.array(Named.extend({ from: z.string(), commit: z.string() })),
  /** Issues worked beside it, or after it (`waits`): nothing of them is in the checkout. */
  beside: z.array(Named.extend({ waits: z.boolean() })),
});
export type Around = z.infer<typeof Around>;

/**
 * Paths of checkout and home in a job's sandbox: what one job installs names places that the next one has
 * too (interpreters of scripts, caches of compilers).
 */
export const SHOWN_AT = '/job';

/**
 * One attempt at one issue. The job holds no token; it reads the mirror, keeps there what others can go on from, and else
 * writes into its folder only.
 */
export const JobSpec = z.strictObject({
  version: z.literal(1),
  /** Operation key of the step that starts the job. */
  op: operation,
  repository: z.string(),
  /** Number of the issue whose run this belongs to. */
  directive: z.int(),
  issue: z.strictObject({ number: z.int(), title: z.string(), body: z.string() }),
  /** Absent where an older version has handed the job out. */
  around: Around.exactOptional(),
  attempt: z.int().min(1),
  /** Commit the checkout begins at, and how it is made where no branch has it. */
  base: z.string(),
  merge: Merge.optional(),
  /** Path of the bare repository to take it from. */
  mirror: z.string(),
  /** Templates of the task language: the product's, then the repository's, which override them by name. */
  library: z.array(z.array(z.strictObject({ file: z.string(), text: z.string() }))),
  /** Settings of the run that programs may bind. `test_command` is empty where none is known. */
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
  /** Engines of the director: the next one if one is missing or held back. */
  engines: z.array(z.enum(engineNames)).min(1),
  isolation: z.enum(['bubblewrap', 'none']),
  network: Network,
  /** Installs what every checkout begins with, at `base`: the commit that the run begins at. Absent: nothing does. */
  setup: z.strictObject({ command: z.string().min(1), base: z.string() }).exactOptional(),
  /** Execution of code that the model writes for itself. */
  reasoning: Reasoning,
  /** Result of the attempt before, and the person's answers so far; for the engineer. */
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
  /** Result of the tests at the base, for engineer and evaluator; absent where nothing is known. */
  base_tests: z.string().optional(),
  /** The same of `base`, where they ran there; and trees that are known to be green. */
  before: Before.exactOptional(),
  green: z.array(z.string()).exactOptional(),
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
  setup: true,
}).extend({
  kind: z.literal('base-tests'),
  command: z.string().min(1),
  /** A person wants them to run once more: no earlier report will do. */
  again: z.literal(true).exactOptional(),
  /** Not the tests but a layer's own command, without network; and its limit (milliseconds). */
  asked: z.number().positive().exactOptional(),
  limits: z.strictObject({ attempt_ms: z.number().positive(), stuck_ms: z.number().positive() }),
});
export type BaseTestsSpec = z.infer<typeof BaseTestsSpec>;

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

/** Said where the attempt's own time was over. */
export const ATTEMPT_LIMIT = 'it is that of the whole attempt, which `timeouts.attempt` sets';

/** People's messages since the approval, quoted, in the form for an engineer and its evaluator; empty: there are none. */
export const guidanceText = ({ guidance, told }: { guidance?: string; told?: readonly string[] }): string =>
  [
    guidance && `The person has given new guidance for the whole run:\n${guidance}`,
    told &&
      `People who may write to this repository say of this issue:\n${told.join('\n')}\nThis says how to do what the issue asks. The issue was approved, and nothing else: do not do what goes beyond its text. Say in your result what you did with it.`,
  ]
    .filter(Boolean)
    .join('\n\n');
