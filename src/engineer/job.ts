// One attempt at one issue, carried out in a process of its own: checkout, program, bundle, report. Holds no token.
import { parseProgram } from '../language/program.ts';
import { type Notes, nothingSpent, TaskError } from '../language/result.ts';
import { trimLog } from '../language/trim.ts';
import { ParkRun } from '../models/guard.ts';
import { ModelFailure } from '../models/model.ts';
import { evaluate } from '../tasks/evaluate.ts';
import { makeBundle } from '../workspace/bundle.ts';
import { type Checkout, createCheckout, TreeTooLarge } from '../workspace/checkout.ts';
import { GitError } from '../workspace/git.ts';
import { chooseIsolation } from '../workspace/isolation.ts';
import { evaluation, issueInputs, type JobSurroundings, type Progress } from './evaluation.ts';
import type { JobReport, JobSpec } from './job-spec.ts';

/** Carries the job out in `folder`. A failure of the attempt is a report; throws only what is none. */
export async function runJob(spec: JobSpec, folder: string, around: JobSurroundings): Promise<JobReport> {
  const { clock } = around;
  const began = clock.now();
  const time = new AbortController();
  const over = new AbortController();
  clock.sleep(spec.limits.attempt_ms, over.signal).then(
    () => time.abort(new Error('the hard time limit has passed')),
    () => {},
  );
  const signal = AbortSignal.any([around.signal, time.signal]);
  // The parent chose it; a sandbox that has stopped working since must not be passed over in silence.
  const isolation = await chooseIsolation(spec.isolation, { secretsPresent: true });
  const checkout = await createCheckout({ mirror: spec.mirror, commit: spec.base, folder });
  const state: Progress = { tree: undefined, tests: null, log: '', spent: around.spentBefore };
  const facts = (notes: Notes) => ({
    rounds: notes.rounds ?? 0,
    ...state.spent,
    tests: state.tests,
    feedback: notes.evaluation?.feedback ?? '',
    isolation: spec.isolation,
    ms: clock.now() - began,
  });
  try {
    const { program, problems } = parseProgram(spec.program, 'programs/implement-issue.xml');
    const [first] = problems.filter(({ severity }) => severity === 'error');
    if (!program) {
      const feedback = `${first?.file}:${first?.line}:${first?.column} ${first?.message}`;
      return failure('crash', { ...facts(nothing), feedback });
    }
    const before = await checkout.writeTree();
    try {
      const options = evaluation({ spec, checkout, isolation, state, around, signal });
      const result = await evaluate(program, await issueInputs(spec, checkout), options);
      const tree = state.tree ?? before;
      if (tree === before)
        return failure('no_changes', { ...facts(result.notes), feedback: result.content.slice(0, 2000) });
      await hand(checkout, tree, folder, spec, facts(result.notes));
      return { kind: 'bundle', ...facts(result.notes), summary: result.content.slice(0, 20_000) };
    } catch (error) {
      around.signal.throwIfAborted();
      const log = { log_tail: trimLog(state.log) };
      if (time.signal.aborted)
        return failure('time', { ...facts(nothing), feedback: 'the hard time limit has passed' }, log);
      if (error instanceof ParkRun)
        return failure('rate_limit', { ...facts(nothing), feedback: error.message }, log);
      if (error instanceof TreeTooLarge || error instanceof GitError)
        return failure('checkout', { ...facts(nothing), feedback: error.message.slice(0, 2000) }, log);
      if (!(error instanceof TaskError)) throw error;
      const found = facts(error.notes);
      const tree = state.tree ?? (await checkout.writeTree(signal).catch(() => before));
      if (tree !== before) await hand(checkout, tree, folder, spec, found);
      // A round's feedback must not hide that it was the model that failed.
      const feedback = error.cause instanceof ModelFailure ? error.message : found.feedback || error.message;
      return failure(classOf(error), { ...found, feedback }, { ...log, partial: tree !== before });
    }
  } finally {
    over.abort();
    await checkout.remove();
  }
}

type Facts = Pick<
  JobReport,
  'rounds' | 'cost_usd' | 'model_calls' | 'tests' | 'feedback' | 'isolation' | 'ms'
>;

const nothing: Notes = { warnings: [], ...nothingSpent };

const failure = (
  kind: string,
  facts: Facts,
  more: { log_tail?: string; partial?: boolean } = {},
): JobReport => ({
  kind: 'failed',
  class: kind,
  log_tail: '',
  partial: false,
  ...facts,
  ...more,
});

/** What the report calls the failure: a class of model failure, a reason of the language, or an error's code. */
function classOf({ cause, detail }: TaskError): string {
  if (cause instanceof ModelFailure) return cause.class;
  if (detail.code === 'TASK_FAILURE') return detail.reason;
  return detail.code === 'RESOURCE_EXHAUSTION' ? `${detail.resource}_exhausted` : detail.code;
}

const hand = (
  checkout: Checkout,
  tree: string,
  folder: string,
  spec: JobSpec,
  { tests, rounds, cost_usd }: Facts,
) => makeBundle(checkout, tree, folder, { tests, rounds, cost_usd, isolation: spec.isolation });
