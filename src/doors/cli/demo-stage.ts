// Stage of a demo: a local GitHub with the App, or one whose workflows do the work.
import { secretsOf } from '../../engine/models/provider-keys.ts';
import type { RunView } from '../../app/views.ts';
import type { Forge } from '@echelon/forge';
import type { Settings } from '../settings.ts';
import type { DemoPlan } from './demo-options.ts';
import { person } from './own-repository.ts';
import { sampleRepository } from './sample.ts';
import type { Timeline } from './timeline.ts';

export interface Stage {
  forge: Forge;
  /** State of an issue's run; undefined if it has none. */
  view(issue: number): Promise<RunView | undefined>;
  /** Resolves when every event was taken and every run has gone as far as it can; jobs of the App may be running. */
  idle(): Promise<void>;
  /** Resolves when something happens that is told. */
  next(): Promise<void>;
  /** Requests that the product sent to GitHub so far. */
  sent(): { read: number; write: number };
  /** Jobs of workflows so far. */
  jobs(): Promise<number>;
  /** Ends every job that is running, at once, and closes. */
  close(): Promise<void>;
}

/** Opens the stage that the plan names, in a folder of its own. */
export async function openStage(
  plan: DemoPlan,
  folder: string,
  settings: Settings,
  lines: Timeline,
): Promise<Stage> {
  const from = plan.repo ?? (await sampleRepository(folder, plan.files));
  const repository = { owner: person, name: plan.name, from };
  return plan.via === 'actions'
    ? await actionsStage(plan, folder, repository, settings, lines)
    : await appStage(plan, folder, repository, settings, lines);
}

type DemoRepository = { owner: string; name: string; from: string };

async function appStage(
  plan: DemoPlan,
  folder: string,
  repository: DemoRepository,
  settings: Settings,
  lines: Timeline,
): Promise<Stage> {
  // Loaded only now: wrong options are answered before Probot and the forge are.
  const { openLocal } = await import('./local.ts');
  const { onThisMachine } = await import('@echelon/forge');
  const local = await openLocal({
    ...{ folder, repository, person },
    logLevel: plan.debug ? 'warn' : 'fatal',
    // For the pipelines of a story's repository.
    runner: { carryOut: onThisMachine(settings.path) },
    installations: {
      model: plan.model,
      secrets: plan.model.provider === 'served' ? secretsOf(plan.model.keys) : [],
      host: settings,
      test: plan.test,
      log: line => lines.say('log', line),
      onProgress: (spec, line) => lines.progress(spec, line),
      onSession: event => lines.session(event),
      debug: plan.debug,
    },
  });
  const { installations } = local;
  const context = () => installations.repositories()[0];
  let told = () => {};
  installations.bus.on(notice => {
    lines.notice(notice);
    told();
  });
  return {
    forge: local.forge,
    view: async issue => context()?.views.get(issue),
    idle: () => local.forge.workflowsSettled().then(local.idle),
    next: () => new Promise(resolve => (told = resolve)),
    sent: () => context()?.github.sent ?? { read: 0, write: 0 },
    jobs: async () => 0,
    async close() {
      await local.stopJobs();
      await local.close();
    },
  };
}

/** Interval for polling the jobs' progress (milliseconds). */
const LOOK_MS = 300;

async function actionsStage(
  plan: DemoPlan,
  folder: string,
  repository: DemoRepository,
  host: Settings,
  lines: Timeline,
): Promise<Stage> {
  const { openLocalActions } = await import('./local-actions.ts');
  const log = (line: string) => lines.say('log', line);
  const { model, test } = plan;
  lines.say('forge', 'begins; the Action is built for it first, which takes some seconds');
  const local = await openLocalActions({ ...{ folder, repository, person, model, test, host, log } });
  const { forge } = local;
  const told = new Set<string>();
  let happened = () => {};
  const look = async () => {
    for (const { name, status, conclusion } of await local.jobs()) {
      const text = status === 'completed' ? (conclusion ?? status) : status;
      if (status === 'queued' || told.has(`${name} ${text}`)) continue;
      told.add(`${name} ${text}`);
      lines.say('job', `${name}: ${text === 'in_progress' ? 'runs' : text}`);
      happened();
    }
  };
  const timer = setInterval(() => void look().catch(error => log(String(error))), LOOK_MS);
  return {
    forge,
    view: issue => local.view(issue),
    idle: () => local.idle(),
    next: () => new Promise(resolve => (happened = resolve)),
    sent() {
      const own = forge.calls.filter(({ actor, unchanged }) => actor === 'github-actions[bot]' && !unchanged);
      const read = own.filter(({ kind }) => kind === 'read').length;
      return { read, write: own.length - read };
    },
    jobs: async () => (await local.jobs()).length,
    async close() {
      clearInterval(timer);
      await local.close();
    },
  };
}
