// The project's tests at the base commit, run before any layer is asked. If they cannot run, nothing is paid for until /retry.
import { commandTool } from '../../layers.ts';
import { digest, messageOf } from '@echelon/ground';
import type { CommandSignal } from '../../commands/table.ts';
import { testsCannotRun } from '../../comments/base-tests.ts';
import { goesOn, waitsFor } from '../../comments/fold.ts';
import type { BaseTestsView } from '../../comments/view.ts';
import { quoted, quoteForModel } from '../../../engine/texts.ts';
import { bindTool, shellTime, type Tool } from '../../../engine/language.ts';
import { operationOf, tellDirective } from '../../scheduler/run-context.ts';
import {
  baseTestsSignalName,
  type EngineerContext,
  type EngineerValues,
  type TestGround,
} from '../slots/context.ts';
import type { BaseTestsSpec, Before } from '../jobs/job-spec.ts';
import { cannotRun } from '../attempt/tests-at.ts';

/** Text for engineer and evaluator, bounded where it is made; names and output are the project's, so they are quoted. Undefined: not known. */
export function baseTestsForModel(tests: BaseTestsView): string | undefined {
  const { state, exit_code, failing, tail, facts = '' } = tests;
  if (state !== 'green' && state !== 'red') return undefined;
  const under = (heading: string, text: string) =>
    text === '' ? '' : `\n\n${heading}\n${quoted(quoteForModel(text).text)}`;
  const toolchain = under('Toolchain:', facts);
  if (state === 'green') return `They were green: they exited ${exit_code}.${toolchain}`;
  return `They exited ${exit_code} already.${under('What was red then:', failing.join('\n'))}${under('The end of what they printed:', tail)}${toolchain}`;
}

/** Result of the tests at that commit; undefined: they have not run there. */
export function testsBefore({ view, base }: EngineerContext, commit: string): Before | undefined {
  const { baseTests: tests } = view;
  if (commit !== base.commit || (tests?.state !== 'green' && tests?.state !== 'red')) return undefined;
  const { state, failing, ms } = tests;
  return { state, failing: [...failing], ...(ms !== undefined && { ms }) };
}

/** Runs a layer's command at the base, in a job without a key. Undefined where none can begin at once, or no sandbox holds it. */
function baseCommand(ctx: EngineerContext): Tool | undefined {
  const { jobs, base, settings } = ctx;
  if (!jobs.now || settings.job.isolation !== 'bubblewrap') return undefined;
  const tool = bindTool('shell', async ({ command, timeout_s = shellTime.default }, signal) => {
    const op = operationOf(ctx, `base/command/${digest(command)}`);
    const what = { kind: 'base-tests' as const, op, command, base: base.commit, asked: timeout_s * 1000 };
    const report = await jobs.now!(testsJob(ctx, what), signal);
    if (report.kind !== 'base-tests') return 'it was lost';
    const { why, exit_code, tail } = report;
    return `${why || `exit code ${exit_code}`}\n${quoted(quoteForModel(tail).text)}`;
  });
  const description = 'Run a command at the base.';
  // Of its own name, as a provider's native shell costs 250 tokens a call, and keeps its files.
  return {
    ...tool,
    name: commandTool,
    description,
    input: { type: 'object', properties: { command: { type: 'string' } } },
  };
}

export function baseTestsOf(ctx: EngineerContext) {
  const { view, settings, outstanding } = ctx;
  let time = 0;

  /** Starts them as a job of their own, if a test command is known. */
  async function start(): Promise<void> {
    ctx.emit({ change: 'run', to: { baseTests: undefined } });
    const command = settings.job.settings.test_command.trim();
    if (command === '') return;
    time += 1;
    const key = `base/tests-${time}`;
    const what = { kind: 'base-tests' as const, op: operationOf(ctx, key), command, base: ctx.base.commit };
    const spec: BaseTestsSpec = { ...testsJob(ctx, what), ...(time > 1 && { again: true }) };
    // Written before the job lives, so that /cancel finds it.
    await ctx.step(key, async () => true, { costly: true });
    outstanding.set(spec.op, spec);
    // Other jobs are started when the program waits. Where this one cannot be started now, it is tried then.
    await ctx.step(`${key}/started`, () => ctx.jobs.start(spec).then(() => true, messageOf));
    show({ command, state: 'running', exit_code: null, failing: [], why: '', tail: '' });
  }

  function show(tests: BaseTestsView): void {
    ctx.emit({ change: 'run', to: { baseTests: tests } });
    ctx.emit({ type: 'base_tests', state: tests.state, exit_code: tests.exit_code });
  }

  /** Takes in the report of a job. */
  async function take({ op, report }: EngineerValues[typeof baseTestsSignalName]): Promise<void> {
    // The report of an earlier job is out of date.
    if (!outstanding.delete(op) || !view.baseTests) return;
    // A lost job is the only failure of tests.
    const { kind: _, ...found } =
      report.kind === 'failed' ? { kind: '', ...cannotRun(report.feedback), tail: report.log_tail } : report;
    const tests: BaseTestsView = { command: view.baseTests.command, ...found };
    show(tests);
    if (tests.state !== 'cannot_run') return;
    ctx.emit(waitsFor('tests'));
    const body = testsCannotRun(tests);
    const { comment } = await tellDirective(ctx, { key: `base/tests-${time}/cannot-run`, body });
    ctx.emit({ change: 'run', to: { baseTests: { ...tests, comment } } });
  }

  /** /retry: reads what the tests need again, and starts them. False if that cannot be read. */
  async function again(command: CommandSignal<'retry'>): Promise<boolean> {
    const ground = await ctx.step(`command/${command.id}/ground`, ctx.testGround);
    if ('problem' in ground) {
      await ctx.refuse(command, ground.problem);
      return false;
    }
    await ctx.accept(command);
    ctx.emit(goesOn);
    stand(ctx, ground);
    await start();
    return true;
  }

  /** Waits for their result, and for /retry while they cannot run. Undefined: no test command is known, or none was started. */
  async function outcome(): Promise<BaseTestsView | undefined> {
    for (;;) {
      while (view.baseTests?.state === 'running') await take((await ctx.signal([baseTestsSignalName])).value);
      if (view.baseTests?.state !== 'cannot_run') return view.baseTests;
      ctx.emit(waitsFor('tests'));
      while (!(await again(await ctx.signal(['retry']))));
    }
  }

  return { start, outcome, command: baseCommand(ctx) };
}

/** Nothing stands on the old base commit yet: no issue is listed before the tests have run. */
function stand(ctx: EngineerContext, { commit, test, setup, guessed, network }: TestGround): void {
  const { job } = ctx.settings;
  ctx.base.commit = commit;
  job.settings = { ...job.settings, test_command: test };
  job.network = network;
  delete job.setup;
  ctx.emit({ change: 'run', to: { setup: setup || undefined, guessed } });
  if (setup) job.setup = { command: setup, base: commit };
}

/** Common part of jobs that run the project's tests without an engineer. */
export function testsJob<What extends Pick<BaseTestsSpec, 'op' | 'command' | 'base'>>(
  { view, config: { timeouts }, settings: { job } }: EngineerContext,
  what: What,
) {
  return {
    version: 1 as const,
    repository: job.repository,
    directive: view.issue,
    mirror: job.mirror,
    isolation: job.isolation,
    network: job.network,
    ...(job.setup && { setup: job.setup }),
    limits: { attempt_ms: timeouts.attempt, stuck_ms: timeouts.stuck },
    ...what,
  };
}
