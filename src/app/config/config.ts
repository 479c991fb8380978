// `.github/echelon.yml`: every key, what it may be, and its default.
import { z } from 'zod';
import { readGlob } from '@echelon/ground';
import { defaultProtectedPaths } from '@echelon/ground/workspace';
import { type LayerId, layers } from '../layers.ts';
import { efforts } from '../../engine/language/ast.ts';
import { engineNames } from '../../engine/runtime/engines/engine.ts';
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
    .describe('puts a run on'),
  base: branch.optional().meta({
    title: 'branch',
    description: 'what work starts from and pull requests go to; not set: the default branch',
  }),
  approval: z
    .enum(['none', 'destructive', 'all'])
    .default('destructive')
    .describe('what waits: nothing; creating issues and branches and working them; the plan too'),
  layers: z
    .enum(['all', 'auto'])
    .default('auto')
    .describe(
      'who plans: all three layers; `auto`: drafts that leave nothing to cut or to order are listed, and the layers below are not asked, as the listing says',
    ),
  dry_run: z
    .boolean()
    .default(false)
    .describe('the layers reply and say what they would do; nothing is done'),
  billing: z
    .enum(['api', 'max'])
    .default('api')
    .describe(
      '`api`: calls are paid one by one, and the limits below hold; `max`: a flat plan pays, dollars are what it would come to by the price table, and no limit of `budget` is enforced',
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
      "the model of each name: `default`, a layer's id, `engineer.director`, `engineer.evaluator`, `reviewer`; not set: by tier. Of a list each takes the place of the one before it where that is limited, down, or refuses. Under a model's own name what is known of it ([models](models.md))",
    ),
  prices: Prices.describe(
    'USD a million tokens, only of models that the built-in table lacks: one that it has, or a dated snapshot of one, is refused, and where the operator of an App caps the budget every price is theirs to give; a run with a model that has no price does not begin',
  ),
  effort: z
    .record(line(200), z.enum(efforts))
    .default({})
    .describe(
      "how deeply the model of a task thinks, by the task's name, or `default`; not set: as its provider does by itself. One that its model does not take is refused",
    ),
  output_tokens: z
    .record(line(200), z.int().min(500).max(1_000_000))
    .default({})
    .describe(
      "tokens of one reply at most, thinking included, by the task's name, or `default`; not set: 16,000. A reply that is cut off is gone on with",
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
        .describe(
          "without progress for so long an attempt is warned about, in the log and the demo's timeline",
        ),
    })
    .prefault({}),
  max_parallel: z.int().min(1).max(20).default(MAX_PARALLEL).describe('jobs side by side'),
  retries: z.int().min(0).max(10).default(RETRIES).describe('further attempts at an issue'),
  rounds: z.int().min(1).max(20).default(5).describe('rounds of one attempt'),
  candidates: z
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe(
      'engineers that work each issue side by side, in one job and each on its own, of whose changes the best is taken; each costs its own',
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
        'who does the work of an engineer: Echelon itself, or a program of others that is installed where engineers work ([engines](models.md#engines)); the next one where one is missing or its provider wants a pause',
    }),
  setup: command.optional().meta({
    title: 'command',
    description:
      'installs what the tests need, once, in the sandbox, at the base: every job starts from what it leaves in its home and in files that git ignores ([more](#dependencies)); not set: guessed from files of the project; empty: none',
  }),
  test: command.optional().meta({
    title: 'command',
    description:
      "the project's tests; not set: guessed from files of the project; empty: none, the evaluator judges the change alone",
  }),
  create_pr: z
    .boolean()
    .default(true)
    .describe(
      'finished work becomes a pull request; `false`: it is merged into the base branch **without review**, and its issue is closed',
    ),
  draft: z.boolean().default(true).describe('pull requests are drafts'),
  checks: z
    .enum(['ask', 'auto'])
    .default('ask')
    .describe(
      "`ask`: the repository's checks on a draft wait until somebody with write access comments `/checks`, reviews it or marks it as ready, because they may use secrets; `auto`: they start at once ([more](security.md#checks-on-code-that-nobody-has-read))",
    ),
  partial: z
    .enum(['branch', 'pull-request'])
    .default('branch')
    .describe(
      'what keeps the last change of an issue that failed: a branch, or a draft pull request marked unfinished, which a `/retry` that succeeds takes over; with `create_pr: false` always a branch',
    ),
  execution: z
    .enum(['local', 'actions'])
    .default('local')
    .describe(
      "where jobs of the App run: on its own machine, or in the repository's workflow, which `echelon init --app` writes then",
    ),
  isolation: z
    .enum(['auto', 'bubblewrap', 'none'])
    .default('auto')
    .describe(
      "what keeps model-written commands in; `none` needs the operator's word where there are secrets",
    ),
  network: Network.default('none').meta({
    title: '`none`, `registries`, `all`, a list of host names',
    description:
      "hosts that tests and engineers' commands may reach, over HTTP and HTTPS ([more](#network)); `registries`: those of the repository's package managers; `*.example.org` is possible in a list; `all` needs the operator's permission",
  }),
  reasoning: z
    .strictObject({
      policy: executionPolicy
        .default('default')
        .describe(
          'how JavaScript is executed that a model writes for itself: time limit, attempts, checks ([all of it](reasoning.md#javascript))',
        ),
      tasks: z
        .record(z.string().min(1).max(200), executionPolicy)
        .default({})
        .describe(
          "the same for one task, by its name: a layer's id, `engineer.director`, a task of a program; not set: `reasoning.policy`",
        ),
      retry: z
        .enum(['immediate', 'exponential', 'aggressive', 'conservative'])
        .default('exponential')
        .describe('waits before another attempt, for errors that have none of their own'),
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
        .describe(
          'comments a run may write, answers to commands too; then it says so in one more and ends, and its board alone is edited',
        ),
      runs_per_hour: z
        .int()
        .min(1)
        .max(1000)
        .default(10)
        .describe(
          'runs begun in the repository within an hour; one more is refused with the time from which it is possible',
        ),
      warn_at: z
        .number()
        .min(0.01)
        .max(1)
        .default(0.8)
        .describe(
          "the share of a session's turns, tokens or time at which it warns; nothing else happens then",
        ),
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
      description: `no patch may touch them, in upper or lower case. They are added to the default, from which \`!glob\` takes out what it matches: \`${defaultProtectedPaths.join(' ')}\``,
    }),
});
export type Config = z.infer<typeof Config>;
