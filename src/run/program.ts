// The program of a run, from top to bottom as the story goes: begin, ask the layers, work the issues, say what came of it.
import { CascadeFailure, conductCascade } from '../cascade/cascade.ts';
import type { CascadeContext } from '../cascade/context.ts';
import type { Retry } from '../commands/retry.ts';
import { runEndComment } from '../comments/run-end.ts';
import { openSlots, reopen, workBatch } from '../engineer/batch.ts';
import type { EngineerContext, Slot } from '../engineer/context.ts';
import type { JobSpec, Jobs } from '../engineer/job-spec.ts';
import { commentOnce } from '../github/once.ts';
import type { Repository } from '../github/repository.ts';
import type { Clock } from '../lib/clock.ts';
import type { Model } from '../models/model.ts';
import { modelNames, scriptedPrices } from '../models/names.ts';
import type { PlayedReply } from '../models/scripted.ts';
import { PROGRAM_VERSION, type SignalEntry } from '../record/journal.ts';
import { type LayerId, layers } from '../lib/layers.ts';
import type { SessionEvent } from '../reasoning/events.ts';
import { configuredExecutor } from '../reasoning/execution/settings.ts';
import type { RunEvent } from '../record/run-events.ts';
import type { RunView } from '../comments/view.ts';
import type { Source } from '../language/library.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Mirror } from '../workspace/mirror.ts';
import { readTools } from '../workspace/commit-files.ts';
import { accept, refuse } from './answers.ts';
import type { Config } from './config.ts';
import { type Durable, Interrupted } from './durable.ts';
import { type Templates, templatesOf } from './templates.ts';

/** What a run is pinned to: the first entry of its journal. */
export interface Start {
  program: number;
  /** Who put the label on, and the id of that event: the same event never begins a second run. */
  by: string;
  trigger: number;
  base: { branch: string; commit: string };
  directive: { title: string; body: string };
  config: Config;
  /** Provider's model name by layer and task. */
  models: Record<string, string>;
  scripted: boolean;
  isolation: 'bubblewrap' | 'none';
  /** The command that is run as the project's tests; empty where none is known. */
  test: string;
  /** The commit whose `.github/echelon/` overrides templates; absent: it overrides none. */
  templates?: string;
}

/** The ways to the outside, made once in main/ for a repository. */
export interface Surroundings {
  github: Repository;
  /** The mirror with all branches as they were when this process opened it. */
  mirror(): Promise<Mirror>;
  mirrorPath: string;
  jobs: Jobs;
  /** The product's templates of the task language. */
  templates: readonly Source[];
  openModel(
    played: readonly PlayedReply[],
    prices: Config['prices'],
  ): { model: Model; used(): PlayedReply[] };
  /** What jobs are told about the model, with the configuration's prices: the scripted one's file goes with the job. */
  jobModel(prices: Config['prices']): JobSpec['model'];
  /** Values that must never leave in a patch or a comment. */
  secrets: readonly string[];
  /** Where code runs that a model writes for itself. */
  sandbox: Sandbox;
  /** Everything that sessions of layers tell. */
  onSession?: (event: SessionEvent) => void;
  mask(text: string): string;
  clock: Clock;
}

export interface Replay {
  durable: Durable;
  view: RunView;
  outstanding: Map<string, JobSpec>;
  emit(event: RunEvent): void;
  abort: AbortSignal;
}

/** Replays and goes on. Returns never: it ends in Waiting, or throws what stopped it. `view` tells how the run stands. */
export async function program(start: Start, around: Surroundings, replay: Replay): Promise<never> {
  const { durable, view, emit } = replay;
  if (start.program !== PROGRAM_VERSION) {
    view.status = 'failed';
    view.note = 'This run was begun by another version of Echelon. Take the label off and put it on again.';
    durable.interruptible(false);
    return await idle(durable);
  }
  emit({ type: 'run_started', directive: start.directive.title });
  try {
    const templates = await templatesOf(start.templates, around);
    const batch = await conductCascade(cascadeContext(start, around, replay, templates));
    view.phase = 'engineering';
    if (batch.notes.length > 0) view.note = batch.notes.join('; ');
    const engineers = engineerContext(start, around, replay, templates);
    const slots = openSlots(engineers, batch);
    for (let time = 1; ; time++) {
      await workBatch(engineers, slots, batch.maxParallel);
      durable.interruptible(false);
      view.phase = 'done';
      const delivered = view.issues.some(issue => issue.state === 'done');
      await conclude(around, replay, delivered || start.config.dry_run ? 'completed' : 'failed', time);
      await reopened(around, replay, engineers, slots);
      view.phase = 'engineering';
      view.status = 'running';
      durable.interruptible(true);
    }
  } catch (error) {
    if (error instanceof CascadeFailure) {
      durable.interruptible(false);
      view.note = `The cascade failed: ${error.message}.`;
      await conclude(around, replay, 'failed', 1);
    } else if (error instanceof Interrupted) {
      await cancel(around, replay, error.signal);
      await conclude(around, replay, 'cancelled', 1);
    } else throw error;
  }
  return await idle(durable);
}

/** Says what came of it. `time`: after a /retry there is another end. */
async function conclude(
  around: Surroundings,
  { durable, view, emit }: Replay,
  status: RunView['status'],
  time: number,
) {
  view.status = status;
  await commentOnce(durable.step, around.github, {
    key: `end/${status}-${time}`,
    issue: view.issue,
    body: runEndComment({ ...view, updated: durable.at() }),
  });
  emit({ type: 'run_settled', status });
}

/** Waits until a person wants failed issues tried again. */
async function reopened(
  around: Surroundings,
  { durable, view }: Replay,
  engineers: EngineerContext,
  slots: Slot[],
) {
  for (;;) {
    const command = await durable.signal(['retry']);
    const why = reopen(engineers, slots, command.value as Pick<Retry, 'issue'>);
    if (why === undefined) return await accept(durable.step, around.github, command);
    await refuse(durable.step, around.github, command, view.issue, why);
  }
}

/** Nothing more to do: every command that still comes is answered that it does not fit. */
async function idle(durable: Durable): Promise<never> {
  for (;;) await durable.signal([]);
}

async function cancel(
  around: Surroundings,
  { durable, view, outstanding, emit }: Replay,
  command: SignalEntry,
) {
  for (const op of outstanding.keys())
    await durable.step(`cancel/job-${op}`, async () => {
      await around.jobs.stop(op);
      return true;
    });
  outstanding.clear();
  for (const issue of view.issues)
    if (!['done', 'failed', 'blocked', 'skipped'].includes(issue.state)) {
      emit({
        type: 'slot_changed',
        issue: issue.number,
        from: issue.state,
        to: 'cancelled',
        reason: 'the run was cancelled',
      });
      issue.state = 'cancelled';
    }
  view.pending = [];
  view.questions = [];
  delete view.waitingFor;
  const { by } = command.value as { by: string };
  view.note = `Cancelled by ${by}.`;
  await accept(durable.step, around.github, command);
}

/** The view of a run before anything was asked. */
export function firstView(run: string, issue: number, start: Start, at: number): RunView {
  return {
    run,
    issue,
    status: 'running',
    phase: 'strategy',
    title: start.directive.title,
    layers: layers.map(({ id }) => ({ id, status: 'idle', turns: 0, cost_usd: 0 })),
    issues: [],
    pending: [],
    questions: [],
    sessions: [],
    cost_usd: 0,
    budget_usd: start.config.budget.total,
    scripted: start.scripted,
    isolation: start.isolation,
    started: at,
    updated: at,
  };
}

function cascadeContext(
  start: Start,
  around: Surroundings,
  replay: Replay,
  { library }: Templates,
): CascadeContext {
  const { durable, view, emit, abort } = replay;
  const { github } = around;
  const { config } = start;
  const prices = start.scripted ? scriptedPrices : config.prices;
  const models = modelNames({ models: start.models, prices });
  return {
    ...durableParts(durable),
    save: durable.save,
    accept: command => accept(durable.step, github, command),
    refuse: (command, why) => refuse(durable.step, github, command, view.issue, why),
    emit,
    view,
    github,
    async createBranch(name, from) {
      const mirror = await around.mirror();
      const commit = from === undefined ? start.base.commit : await mirror.resolve(from);
      if (!commit) return `not done: there is no branch ${from}`;
      const made = await github.createBranch(name, commit);
      return 'refused' in made ? `not done: ${made.refused}` : made.branch;
    },
    directive: { number: view.issue, ...start.directive },
    library,
    openModel: played => around.openModel(played, config.prices),
    modelOf: (layer, named) => models(named, layer),
    async repository() {
      const mirror = await around.mirror();
      const files = (await mirror.listFiles(start.base.commit)).map(file => file.path);
      return { tools: readTools(mirror, start.base.commit), files };
    },
    executor: configuredExecutor(config.reasoning, {
      sandbox: around.sandbox,
      clock: around.clock,
      ...(around.onSession && { onEvent: around.onSession }),
    }),
    onSession: around.onSession,
    triggerLabel: config.label,
    approval: config.approval,
    dryRun: config.dry_run,
    limits: {
      issues: config.limits.issues,
      layerMs: config.timeouts.layer,
      cascadeMs: config.timeouts.cascade,
      budgets: Object.fromEntries(
        layers.map(({ id, budget }) => [id, config.budget.layers[id] ?? budget]),
      ) as Record<LayerId, number>,
      turns: Object.fromEntries(layers.map(({ id, turns }) => [id, config.turns[id] ?? turns])) as Record<
        LayerId,
        number
      >,
    },
    clock: around.clock,
    abort,
  };
}

function engineerContext(
  start: Start,
  around: Surroundings,
  replay: Replay,
  { sources }: Templates,
): EngineerContext {
  const { durable, view, emit, outstanding } = replay;
  const { config } = start;
  const { owner, name } = around.github;
  return {
    ...durableParts(durable),
    accept: command => accept(durable.step, around.github, command),
    refuse: (command, why) => refuse(durable.step, around.github, command, view.issue, why),
    emit,
    view,
    github: around.github,
    mirror: around.mirror,
    jobs: around.jobs,
    outstanding,
    base: start.base,
    settings: {
      maxParallel: config.max_parallel,
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
      },
    },
  };
}

const durableParts = ({ step, signal, intend }: Durable) => ({ step, signal, intend });
