// `.github/echelon.yml`: every key, what it may be, and its default.
import { z } from 'zod';
import { readGlob } from '../../lib/glob-match.ts';
import { defaultProtectedPaths } from '../../workspace/index-changes.ts';

/** Where the configuration stands on the default branch. */
export const configPath = '.github/echelon.yml';

/** Issues that run side by side. */
const MAX_PARALLEL = 3;
/** Attempts after the first. */
const RETRIES = 2;
/** One attempt with all its rounds and scripts, in ms; then its process group is killed. */
const HARD_LIMIT_MS = 600_000;
/** Without a model reply, a tool call or output of a script for this long (ms), an attempt counts as stuck. */
const STUCK_AFTER_MS = 120_000;

/** What a broken file cannot say: its problems are told to who puts this label on. */
export const defaultLabel = 'echelon';

/** More than this is taken for a slip of the hand, as in `/budget`. */
const usd = z.number().min(0).max(100_000);
const perMillion = z.number().min(0).max(10_000);
const price = z.strictObject({
  input: perMillion,
  output: perMillion,
  cache_read: perMillion,
  cache_write: perMillion,
});

/** One line that begins and ends with something seen. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'has a line end or control character')
    .refine(text => text.trim() === text, 'begins or ends with white space');

/** The part of `git check-ref-format` that a branch's short name has to keep. */
const noBranch =
  /[\s~^:?*[\\\x7f\p{Cc}]|\.\.|@\{|\/\/|^[-/]|\/$|(?:^|\/)\.|(?:\.|\.lock)(?:\/|$)|^@$|^HEAD$|^refs\/|^[0-9a-f]{40}$/u;
const branch = line(200).refine(
  name => !noBranch.test(name),
  'not the name of a branch, such as main or release/2',
);

const noGlob = 'not a glob that paths can be held against; it may hold *, **, ?, {a,b}, [a-z] and [!a]';

/** Longest time that may be configured. Timers of the process end at 24 days; nobody waits for a job so long. */
const longestHours = 168;

/** `30m`, `90s`, `1h`: milliseconds. */
const duration = z
  .string()
  .regex(/^\d{1,6}(s|m|h)$/, 'a duration such as 30m, 90s or 1h')
  .transform(
    text =>
      Number(text.slice(0, -1)) * { s: 1000, m: 60_000, h: 3_600_000 }[text.slice(-1) as 's' | 'm' | 'h'],
  )
  .refine(
    ms => ms > 0 && ms <= longestHours * 3_600_000,
    `a duration from 1s to ${longestHours}h is possible`,
  );

const minutes = (n: number) => n * 60_000;
const layer = <T extends z.ZodType>(of: T) => ({
  '2ic': of.optional(),
  'eng-lead': of.optional(),
  'team-lead': of.optional(),
});

/** Settings of the specification that this version does not know how to follow yet, with the value it has instead. */
const fixed = <T extends string | number | boolean>(value: T) =>
  z.literal(value, { error: `only ${JSON.stringify(value)} is available yet` }).default(value as never);

const executionPolicy = z.enum(['default', 'safe', 'aggressive', 'debug']);

export const Config = z.strictObject({
  // GitHub parts labels by commas where it is asked for the issues that carry one.
  label: line(50)
    .refine(label => !label.includes(','), 'a label with a comma cannot be looked for')
    .default(defaultLabel),
  base: branch.optional(),
  approval: z.enum(['none', 'destructive', 'all']).default('destructive'),
  dry_run: z.boolean().default(false),
  billing: fixed('api'),
  budget: z
    .strictObject({ total: usd.default(50), layers: z.strictObject(layer(usd)).prefault({}) })
    .prefault({}),
  models: z.record(line(200), line(200)).default({}),
  prices: z.record(line(200), price).default({}),
  turns: z
    .strictObject({ ...layer(z.int().min(1).max(30)), director: z.int().min(1).max(30).default(30) })
    .prefault({}),
  timeouts: z
    .strictObject({
      cascade: duration.default(minutes(30)),
      layer: duration.default(minutes(5)),
      attempt: duration.default(HARD_LIMIT_MS),
      stuck: duration.default(STUCK_AFTER_MS),
    })
    .prefault({}),
  max_parallel: z.int().min(1).max(20).default(MAX_PARALLEL),
  retries: z.int().min(0).max(10).default(RETRIES),
  rounds: z.int().min(1).max(20).default(5),
  candidates: fixed(1),
  engines: z.tuple([z.literal('native', { error: 'only native is available yet' })]).default(['native']),
  setup: z.undefined({ error: 'a setup command is not available yet' }).optional(),
  // White space is no command: a shell that is given nothing to do answers that all is well.
  test: z
    .string()
    .max(2000)
    .regex(/^[^\0]*$/, 'no command can hold a NUL character')
    .transform(command => command.trim())
    .optional(),
  create_pr: fixed(true),
  draft: z.boolean().default(true),
  execution: fixed('local'),
  isolation: z.enum(['auto', 'bubblewrap', 'none']).default('auto'),
  network: z.boolean().default(false),
  record: z.enum(['comment', 'branch']).default('comment'),
  reasoning: z
    .strictObject({
      policy: executionPolicy.default('default'),
      tasks: z.record(z.string().min(1).max(200), executionPolicy).default({}),
      retry: z.enum(['immediate', 'exponential', 'aggressive', 'conservative']).default('exponential'),
      cleaning: z
        .strictObject({
          execution_log: z.boolean().default(true),
          tracker: z.boolean().default(true),
          reasoning_log: z.boolean().default(false),
          valid_ids: z.boolean().default(true),
          hint: z.boolean().default(true),
        })
        .prefault({}),
      recovery: z
        .strictObject({
          context: z.boolean().default(true),
          reasoning: z.boolean().default(true),
          valid_ids: z.boolean().default(true),
        })
        .prefault({}),
    })
    .prefault({}),
  limits: z
    .strictObject({
      issues: z.int().min(1).max(50).default(50),
      /** Runs begun in the repository within an hour. */
      runs_per_hour: z.int().min(1).max(1000).default(10),
      /** Of a session: the share of its turns, tokens and time at which it warns. */
      warn_at: z.number().min(0.01).max(1).default(0.8),
    })
    .prefault({}),
  protected_paths: z
    .array(line(200).refine(glob => readGlob(glob) !== undefined, noGlob))
    .max(100)
    .refine(globs => globs.join('').length <= 4000, 'more than 4000 characters in all')
    .default(defaultProtectedPaths),
});
export type Config = z.infer<typeof Config>;
