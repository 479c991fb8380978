// Contexts of cascade and engineers for a run, beside the common one.
import type { CascadeContext } from '../cascade/context.ts';
import type { baseTestsOf } from '../engineer/integration/base-tests.ts';
import type { EngineerContext } from '../engineer/slots/context.ts';
import { modelNames, modelsBehind, rowOf, scriptedRows } from '../../engine/models.ts';
import { openMemory } from '../../engine/engine.ts';
import { readTools } from '../../engine/parts.ts';
import { modelTables, sessionSettings } from '../config/model-tables.ts';
import type { ActiveRun } from './active-run.ts';
import type { Templates } from './templates.ts';

export function cascadeContext(
  run: ActiveRun,
  { library }: Templates,
  tests: ReturnType<typeof baseTestsOf>,
): CascadeContext {
  const { access, view, start } = run;
  const { config, base } = start;
  // A script plays the part of the models that would be asked without it.
  const { rows } = modelTables(config);
  const named = modelNames({ models: start.scripted ? {} : start.models, rows });
  const engineersPrice = (task: string) => rowOf(named(undefined, task), rows).price;
  return {
    ...run,
    save: run.journal.save,
    async createBranch(name, from) {
      const mirror = await access.mirror();
      const commit = from === undefined ? base.commit : await mirror.resolve(from);
      if (!commit) return `not done: there is no branch ${from}`;
      const made = await access.github.createBranch(name, commit);
      return 'refused' in made ? `not done: ${made.refused}` : made.branch;
    },
    directive: { number: view.issue, ...start.directive },
    tests: tests.outcome,
    openModel: played => access.openModel(played, rows),
    behind: modelsBehind({ models: start.models, rows: start.scripted ? scriptedRows : rows }),
    evaluation: evaluationBy(run, library),
    async repository(at = base.commit) {
      // The branch may have moved since this process last fetched.
      const isKnown = (await (await access.mirror()).resolve(at)) !== undefined;
      const mirror = isKnown ? await access.mirror() : await access.newestMirror();
      const commit = (await mirror.resolve(at)) ?? base.commit;
      const files = (await mirror.listFiles(commit)).map(file => file.path);
      const memory = openMemory({ mirror, commit }, { signal: run.abort });
      const { command } = tests;
      const tools = [...readTools(mirror, commit), ...(at === base.commit && command ? [command] : [])];
      return { tools, files, memory, commit };
    },
    async otherRuns() {
      const { runs, ...rest } = await access.otherRuns(config.label);
      return { runs: runs.filter(({ issue }) => issue !== view.issue), ...rest };
    },
    engineers: {
      director: engineersPrice('engineer.director'),
      evaluator: engineersPrice('engineer.evaluator'),
      candidates: config.candidates,
    },
    clock: access.clock,
  };
}

function evaluationBy(
  { start, access, abort, doing }: ActiveRun,
  library: Templates['library'],
): CascadeContext['evaluation'] {
  const { config } = start;
  const rows = start.scripted ? scriptedRows : modelTables(config).rows;
  const models = modelNames({ models: start.models, rows });
  const turnsSet: Partial<Record<string, number>> = config.turns;
  return ({ id, turns }) => ({
    ...{ library, sandbox: access.sandbox, reasoning: sessionSettings(config) },
    ...{ clock: access.clock, signal: abort, mask: access.mask },
    onEvent(event) {
      doing.heard(id, event);
      access.onSession?.(event);
    },
    contextIsAid: true,
    settings: {},
    ...{ models: name => models(name, id), modelRows: rows },
    scope: 'layers',
    turns: () => turnsSet[id] ?? turns,
    warnAt: config.limits.warn_at,
    // A call has its own time-out; the turn as a whole is held by the cascade's clock.
    timeMs: () => config.timeouts.cascade,
  });
}

export function engineerContext(run: ActiveRun, { sources }: Templates): EngineerContext {
  const { access, start } = run;
  const { config } = start;
  const { owner, name } = access.github;
  return {
    ...run,
    mirror: access.mirror,
    testGround: access.testGround,
    sent: new Map(),
    base: start.base,
    directive: start.directive,
    settings: {
      leastUsd: start.first_call_usd,
      secrets: access.secrets,
      job: {
        repository: `${owner}/${name}`,
        mirror: access.mirrorPath,
        library: sources.map(each => [...each]),
        settings: { test_command: start.test, rounds: String(config.rounds) },
        model: access.jobModel(modelTables(config).rows),
        models: start.models,
        engines: config.engines,
        isolation: start.isolation,
        network: config.network,
        ...(start.setup && { setup: { command: start.setup, base: start.base.commit } }),
        reasoning: sessionSettings(config),
      },
    },
  };
}
