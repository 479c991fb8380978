// The project's tests, run once at the base while the layers think: begun with the run, awaited before anything is listed.
import type { BaseTestsView } from '../comments/view.ts';
import { quoteForModel, quoted } from '../../engine/language/quote.ts';
import { messageOf } from '../../lib/message.ts';
import { operationOf } from '../scheduler/run-context.ts';
import { baseTestsSignalName, type EngineerContext } from './context.ts';
import type { BaseTestsSpec, Before } from './job-spec.ts';

/** Names of red tests that engineer and evaluator are told; the end of the output is bounded where it is made. */
const NAMES = 50;

/** What engineer and evaluator are told; names and output are the project's, so they are quoted. Undefined: not known. */
export function baseTestsForModel({ state, exit_code, failing, tail }: BaseTestsView): string | undefined {
  if (state === 'green') return `They were green: they exited ${exit_code}.`;
  if (state !== 'red') return undefined;
  const more = failing.length > NAMES ? [`and ${failing.length - NAMES} more`] : [];
  const said = [
    ['What was red then:', [...failing.slice(0, NAMES), ...more].join('\n')],
    ['The end of what they printed:', tail],
  ].flatMap(([heading, text = '']) =>
    text === '' ? [] : [`${heading}\n${quoted(quoteForModel(text).text)}`],
  );
  return [`They exited ${exit_code} already.`, ...said].join('\n\n');
}

/** What they came to at that commit; undefined: they have not run there. */
export function testsBefore({ view, base }: EngineerContext, commit: string): Before | undefined {
  const { baseTests: tests } = view;
  if (commit !== base.commit || (tests?.state !== 'green' && tests?.state !== 'red')) return undefined;
  return { state: tests.state, failing: tests.failing };
}

export interface BaseTests {
  /** Starts them as a job of its own, where a test command is known; again, when a person wants that. */
  start(): Promise<void>;
  /** Waits for what they came to; undefined where none is known, or none was started. */
  outcome(): Promise<BaseTestsView | undefined>;
}

export function baseTestsOf(ctx: EngineerContext): BaseTests {
  const { view, settings, outstanding } = ctx;
  let time = 0;
  return {
    async start() {
      const command = settings.job.settings.test_command.trim();
      if (command === '') return;
      time += 1;
      const key = `base/tests-${time}`;
      const op = operationOf(ctx, key);
      const spec = specOf(ctx, op, command);
      // Written before the job lives, so that /cancel finds it.
      await ctx.step(key, async () => true, { costly: true });
      outstanding.set(op, spec);
      // Other jobs are started when the program waits; this one works beside the first layer. Where it cannot be
      // started now, it is tried then.
      await ctx.step(`${key}/started`, () => ctx.jobs.start(spec).then(() => true, messageOf));
      view.baseTests = { command, state: 'running', exit_code: null, failing: [], why: '', tail: '' };
      ctx.emit({ type: 'base_tests', state: 'running', exit_code: null });
    },
    async outcome() {
      while (view.baseTests?.state === 'running') {
        const { op, report } = (await ctx.signal([baseTestsSignalName])).value;
        // A report of an earlier time concerns nobody.
        if (!outstanding.delete(op)) continue;
        const { command } = view.baseTests;
        const found = report.kind === 'failed' ? lost(report.feedback, report.log_tail) : report;
        const { state, exit_code, failing, why, tail, ms } = found;
        const setup = 'setup' in found && found.setup && { setup: found.setup };
        view.baseTests = { command, state, exit_code, failing, why, tail, ms, ...setup };
        ctx.emit({ type: 'base_tests', state, exit_code });
      }
      return view.baseTests;
    },
  };
}

const lost = (why: string, tail: string) => ({
  state: 'cannot_run' as const,
  exit_code: null,
  failing: [],
  why,
  tail,
  ms: 0,
});

const specOf = (ctx: EngineerContext, op: string, command: string): BaseTestsSpec => ({
  kind: 'base-tests',
  ...testsJob(ctx, { op, command, base: ctx.base.commit }),
});

/** What every job has that runs the project's tests without an engineer. */
export function testsJob<What extends Pick<BaseTestsSpec, 'op' | 'command' | 'base'>>(
  { view, settings: { job } }: EngineerContext,
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
    limits: { attempt_ms: job.attemptMs, stuck_ms: job.stuckMs },
    ...what,
  };
}
