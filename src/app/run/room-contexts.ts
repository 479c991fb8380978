// The rooms of a run put together: what the cascade and the engineers are handed, made of its start and its replay.
import type { CascadeContext } from '../cascade/context.ts';
import type { RunView } from '../comments/view.ts';
import type { EngineerContext } from '../engineer/context.ts';
import type { AnyJobSpec, JobSpec, Jobs } from '../engineer/job-spec.ts';
import type { Repository } from '../github/repository.ts';
import type { Source } from '../../engine/language/library.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Layer, type LayerId, layers } from '../layers.ts';
import type { SharedWait } from '../../lib/shared-wait.ts';
import { modelNames, scriptedPrices } from '../../engine/models/names.ts';
import type { PlayedReply } from '../../engine/models/scripted.ts';
import { openMemory } from '../../engine/runtime/open-memory.ts';
import type { OpenedModel } from '../../engine/runtime/open-model.ts';
import type { TaskEvent } from '../../engine/tasks/evaluate.ts';
import type { RunEvent } from '../run-events.ts';
import type { Sandbox } from '../../engine/sandbox/sandbox.ts';
import type { OpenRun } from '../scheduler/overlapping-runs.ts';
import type { RunContext } from '../scheduler/run-context.ts';
import { readTools } from '../../engine/runtime/tools/commit-tools.ts';
import type { Mirror } from '../../workspace/mirror.ts';
import { accept, refuse } from './acknowledge.ts';
import type { Config } from '../config/config.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunValues } from './signals.ts';
import type { Start } from './run-start.ts';
import type { Templates } from './templates.ts';

/** The ways to the outside, made once in doors/app/ for a repository. */
export interface Surroundings {
  github: Repository;
  /** The mirror with all branches as they were when this process opened it. */
  mirror(): Promise<Mirror>;
  /** The mirror with all branches as the server has them now. */
  newestMirror(): Promise<Mirror>;
  mirrorPath: string;
  jobs: Jobs;
  /** Runs of the repository that have not ended, by the label; `more`: there may be some that are not known. */
  openRuns(label: string): Promise<{ runs: OpenRun[]; more: boolean }>;
  /** What the model's provider asked anybody to wait for who uses the same key. */
  provider: SharedWait;
  /** The product's templates of the task language. */
  templates: readonly Source[];
  openModel(played: readonly PlayedReply[], prices: Config['prices']): Promise<OpenedModel>;
  /** What jobs are told about the model, with the configuration's prices: the scripted one's file goes with the job. */
  jobModel(prices: Config['prices']): JobSpec['model'];
  /** Values that must never leave in a patch or a comment. */
  secrets: readonly string[];
  /** Where code runs that a model writes for itself. */
  sandbox: Sandbox;
  /** Everything that sessions of layers tell. */
  onSession?: (event: TaskEvent) => void;
  mask(text: string): string;
  clock: Clock;
}

export interface ActiveRun {
  /** The connection as the run speaks through it: what it says is bounded. */
  github: Repository;
  journal: RunJournal;
  view: RunView;
  outstanding: Map<string, AnyJobSpec>;
  emit(event: RunEvent): void;
  abort: AbortSignal;
}

/** What the cascade is handed by a run that began so. */
export function cascadeContext(
  start: Start,
  around: Surroundings,
  replay: ActiveRun,
  { library }: Templates,
  tests: CascadeContext['tests'],
): CascadeContext {
  const { journal, view, abort } = replay;
  const { github } = around;
  const { config } = start;
  const prices = start.scripted ? scriptedPrices : config.prices;
  const models = modelNames({ models: start.models, prices });
  return {
    ...runContext(replay),
    save: journal.save,
    async createBranch(name, from) {
      const mirror = await around.mirror();
      const commit = from === undefined ? start.base.commit : await mirror.resolve(from);
      if (!commit) return `not done: there is no branch ${from}`;
      const made = await github.createBranch(name, commit);
      return 'refused' in made ? `not done: ${made.refused}` : made.branch;
    },
    directive: { number: view.issue, ...start.directive },
    library,
    tests,
    openModel: played => around.openModel(played, config.prices),
    modelOf: (layer, named) => models(named, layer),
    async repository() {
      const mirror = await around.mirror();
      const files = (await mirror.listFiles(start.base.commit)).map(file => file.path);
      const memory = openMemory({ mirror, commit: start.base.commit }, { signal: abort });
      return { tools: readTools(mirror, start.base.commit), files, memory };
    },
    reasoning: config.reasoning,
    sandbox: around.sandbox,
    onSession: around.onSession,
    async openRuns() {
      const { runs, more } = await around.openRuns(config.label);
      return { runs: runs.filter(({ issue }) => issue !== view.issue), more };
    },
    triggerLabel: config.label,
    approval: config.approval,
    dryRun: config.dry_run,
    limits: {
      issues: config.limits.issues,
      warnAt: config.limits.warn_at,
      layerMs: config.timeouts.layer,
      cascadeMs: config.timeouts.cascade,
      budgets: byLayer(({ id, budget }) => config.budget.layers[id] ?? budget),
      turns: byLayer(({ id, turns }) => config.turns[id] ?? turns),
    },
    clock: around.clock,
    abort,
  };
}

/** What working its batch is handed. */
export function engineerContext(
  start: Start,
  around: Surroundings,
  replay: ActiveRun,
  { sources }: Templates,
): EngineerContext {
  const { config } = start;
  const { owner, name } = around.github;
  return {
    ...runContext(replay),
    mirror: around.mirror,
    jobs: around.jobs,
    outstanding: replay.outstanding,
    base: start.base,
    settings: {
      maxParallel: config.max_parallel,
      leastUsd: start.first_call_usd,
      retries: config.retries,
      draft: config.draft,
      protectedPaths: config.protected_paths,
      secrets: around.secrets,
      job: {
        repository: `${owner}/${name}`,
        mirror: around.mirrorPath,
        library: sources.map(each => [...each]),
        settings: { test_command: start.test, rounds: String(config.rounds) },
        model: around.jobModel(config.prices),
        models: start.models,
        isolation: start.isolation,
        network: config.network,
        reasoning: config.reasoning,
        attemptMs: config.timeouts.attempt,
        stuckMs: config.timeouts.stuck,
        turns: config.turns.director,
        warnAt: config.limits.warn_at,
      },
    },
  };
}

/** What both rooms are handed alike. */
function runContext({ github, journal, view, emit }: ActiveRun): RunContext<RunValues> {
  const { step, signal, intend } = journal;
  return {
    step,
    signal,
    intend,
    accept: command => accept(step, github, command),
    refuse: (command, why) => refuse(step, github, command, view.issue, why),
    emit,
    view,
    github,
  };
}

const byLayer = (of: (layer: Layer) => number) =>
  Object.fromEntries(layers.map(layer => [layer.id, of(layer)])) as Record<LayerId, number>;
