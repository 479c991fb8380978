// `.github/echelon.yml`: every key, what it may be, and its default.
import { z } from 'zod';
import { readGlob } from '@echelon/ground';
import { defaultProtectedPaths } from '@echelon/ground/workspace';
import { type LayerId, layers } from '../layers.ts';
import { efforts } from '../../engine/texts.ts';
import { engineNames } from '../../engine/models.ts';
import { branch, command, duration, line, modelValue, Network, noGlob, Prices, usd } from './values.ts';

/** Path of the configuration on the default branch. */
export const configPath = '.github/echelon.yml';

/** Issues that run side by side. */
const MAX_PARALLEL = 3;
/** Attempts after the first. */
const RETRIES = 2;
/** One attempt with all its rounds and scripts; then its process group is killed. */
const HARD_LIMIT = '10m';
/** Without a model reply, a tool call or output of a script for this long, an attempt counts as stuck. */
const STUCK_AFTER = '2m';

/** Label for a broken file, which cannot name its own: its problems are reported when this one is added. */
export const defaultLabel = 'echelon';

/** Stands for a limit where none is enforced (USD): far above all that may be set. */
export const NO_LIMIT_USD = 1e9;

/** `of` for each layer; where it is not set, what the layer's own row says holds. */
const byLayer = <T extends z.ZodNumber>(of: T, own: 'budget' | 'turns', description: string) => {
  const entry = (id: LayerId) =>
    of.optional().meta({ description, default: layers.find(layer => layer.id === id)?.[own] });
  return { '2ic': entry('2ic'), 'eng-lead': entry('eng-lead'), 'team-lead': entry('team-lead') };
};

const executionPolicy = z.enum(['default', 'safe', 'aggressive', 'debug']);

/** The one schema: docs/configuration.md and docs/echelon.schema.json are made of it (`npm run docs`). */
export const Config = z.strictObject({
  // GitHub parts labels by commas where it is asked for the issues that carry one.
  label: line(50)
    .refine(label => !label.includes(','), 'a label with a comma cannot be looked for')
    .default(defaultLabel)
    .describe('starts a run'),
  base: branch.optional().meta({
    title: 'branch',
    description: 'branch that work starts from and pull requests target; default: the default branch',
  }),
  approval: z
    .enum(['none', 'destructive', 'all'])
    .default('destructive')
    .describe('what waits for approval: nothing; effects (issues, branches, work); the plan too'),
  layers: z
    .enum(['all', 'auto'])
    .default('auto')
    .describe('`auto`: lower layers are skipped if the drafts leave them nothing to split or order'),
  dry_run: z.boolean().default(false).describe('the layers only say what they would do'),
  billing: z
    .enum(['api', 'max'])
    .default('api')
    .describe(
      '`api`: each call is paid, `budget` holds; `max`: a flat plan pays, dollars are by the price table, no `budget` is enforced',
    ),
  budget: z
    .strictObject({
      total: usd.default(50).describe('USD for a run'),
      layers: z.strictObject(byLayer(usd, 'budget', 'USD for this layer')).prefault({}),
    })
    .prefault({}),
  models: z
    .record(line(200), modelValue)
    .default({})
    .describe(
      'the model of a task, or a list of fallbacks; or the description of your own model ([models](models.md))',
    ),
  prices: Prices.describe(
    'USD per million tokens of a model that the built-in table lacks. If the operator of an App caps the budget, only they can set prices. A run with an unpriced model does not begin',
  ),
  effort: z
    .record(line(200), z.enum(efforts))
    .default({})
    .describe(
      "thinking effort, by the task's name or `default`; not set: the provider's default. Unsupported ones are refused",
    ),
  output_tokens: z
    .record(line(200), z.int().min(500).max(1_000_000))
    .default({})
    .describe(
      "tokens of one reply at most, thinking included, by the task's name or `default`; not set: 16,000",
    ),
  turns: z
    .strictObject({
      ...byLayer(z.int().min(1).max(30), 'turns', 'model calls in one turn of this layer'),
      director: z.int().min(1).max(30).default(30).describe('model calls in one round of the engineer'),
    })
    .prefault({}),
  timeouts: z
    .strictObject({
      cascade: duration.prefault('30m').describe('active time of the layers'),
      layer: duration.prefault('5m').describe('one model call of a layer'),
      attempt: duration.prefault(HARD_LIMIT).describe('one attempt at an issue'),
      stuck: duration
        .prefault(STUCK_AFTER)
        .describe('time without progress after which an attempt is warned about in the log'),
    })
    .prefault({}),
  max_parallel: z.int().min(1).max(20).default(MAX_PARALLEL).describe('jobs at the same time'),
  overlap: z
    .enum(['parallel', 'serial'])
    .default('parallel')
    .describe(
      'issues that may touch the same files: at the same time, or each on the branch of the one before',
    ),
  retries: z.int().min(0).max(10).default(RETRIES).describe('further attempts at an issue'),
  rounds: z.int().min(1).max(20).default(5).describe('rounds of one attempt'),
  candidates: z
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe(
      'engineers that work each issue independently in one job; the best change is taken, all are paid',
    ),
  engines: z
    .array(z.enum(engineNames))
    .min(1)
    .refine(names => new Set(names).size === names.length, 'an engine is named twice')
    .default(['native'])
    .meta({
      title: 'list of `native`, `claude-code`, `aider`',
      uniqueItems: true,
      description:
        'program of the engineer; the next one if one is missing or paused ([engines](models.md#engines))',
    }),
  setup: command.optional().meta({
    title: 'command',
    description:
      'installs dependencies once, for all jobs ([more](#dependencies)); not set: guessed; empty: none',
  }),
  test: command.optional().meta({
    title: 'command',
    description: "the project's tests; not set: guessed; empty: none, the evaluator judges alone",
  }),
  create_pr: z
    .boolean()
    .default(true)
    .describe(
      '`false`: finished work is merged into the base branch **without review**, and its issue closed',
    ),
  draft: z.boolean().default(true).describe('pull requests are drafts'),
  checks: z
    .enum(['ask', 'auto'])
    .default('ask')
    .describe(
      '`ask`: checks on a draft wait for `/checks`, a review or a click on ready by somebody with write access; `auto`: they start at once ([more](security.md#checks-on-code-that-nobody-has-read))',
    ),
  on_red: z
    .enum(['fix', 'tell'])
    .default('fix')
    .describe('checks that fail on a draft: `fix`: a round, twice at most; `tell`: a comment'),
  partial: z
    .enum(['branch', 'pull-request'])
    .default('branch')
    .describe(
      'where the last change of a failed issue is kept; the unfinished draft is taken over by a successful `/retry`. With `create_pr: false` always a branch',
    ),
  execution: z
    .enum(['local', 'actions'])
    .default('local')
    .describe(
      "where jobs of the App run: on its machine, or in the repository's workflow (`echelon init --app`)",
    ),
  isolation: z
    .enum(['auto', 'bubblewrap', 'none'])
    .default('auto')
    .describe(
      "sandbox of model-written commands; `none` needs the operator's permission where there are secrets",
    ),
  network: Network.default('none').meta({
    title: '`none`, `registries`, `all`, a list of host names',
    description:
      "hosts that tests and engineers' commands may reach ([more](#network)); `all` needs the operator's permission",
  }),
  reasoning: z
    .strictObject({
      policy: executionPolicy
        .default('default')
        .describe(
          '[execution policy](reasoning.md#execution-policies) of JavaScript that a model writes for itself',
        ),
      tasks: z
        .record(z.string().min(1).max(200), executionPolicy)
        .default({})
        .describe('the same for one task, by its name; not set: `reasoning.policy`'),
      retry: z
        .enum(['immediate', 'exponential', 'aggressive', 'conservative'])
        .default('exponential')
        .describe('[retry policy](reasoning.md#errors-and-what-follows) of own errors that name none'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      issues: z.int().min(1).max(50).default(50).describe('issues a run may create'),
      comments: z
        .int()
        .min(10)
        .max(1000)
        .default(200)
        .describe('comments of a run, replies included; then it says so in one more and ends'),
      open_drafts: z
        .strictObject({
          run: z.int().min(1).max(50).default(5).describe('open pull requests of a run; further work waits'),
          repository: z.int().min(1).max(100).default(10).describe('the same of all runs'),
        })
        .prefault({}),
      runs_per_hour: z
        .int()
        .min(1)
        .max(1000)
        .default(10)
        .describe('runs begun per hour; further ones are refused with the time of the next'),
      warn_at: z
        .number()
        .min(0.01)
        .max(1)
        .default(0.8)
        .describe("share of a session's turns, tokens or time at which an event warns"),
    })
    .prefault({}),
  protected_paths: z
    .array(line(200).refine(glob => readGlob(glob.replace(/^!/, '')) !== undefined, noGlob))
    .max(100)
    .refine(globs => globs.join('').length <= 4000, 'more than 4000 characters in all')
    .default([])
    .meta({
      title:
        'globs of `*`, `**`, `?`, `{a,b}`, `[a-z]`, `[!a]`, with or without `!` in front; 4,000 characters in all',
      description: `no patch may touch them, in any letter case. Added to the default; \`!glob\` removes what it matches from: \`${defaultProtectedPaths.join(' ')}\``,
    }),
});
export type Config = z.infer<typeof Config>;
