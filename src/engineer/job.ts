// One attempt at one issue, carried out in a process of its own: checkout, program, bundle, report. Holds no token.
import { createLibrary, emptyLibrary, type Library } from '../language/library.ts';
import { formatProblem } from '../language/problem.ts';
import { readTemplate } from '../language/program.ts';
import { type Notes, nothingSpent, TaskError } from '../language/result.ts';
import { trimLog } from '../language/trim.ts';
import { ParkRun } from '../models/guard.ts';
import { ModelFailure } from '../models/model.ts';
import { SessionPaused } from '../reasoning/question.ts';
import { evaluate } from '../tasks/evaluate.ts';
import { makeBundle } from '../workspace/bundle.ts';
import { type Checkout, createCheckout, TreeTooLarge } from '../workspace/checkout.ts';
import { GitError } from '../workspace/git.ts';
import { chooseIsolation } from '../workspace/isolation.ts';
import { takeUp } from '../workspace/take-up.ts';
import { evaluation, issueInputs, type JobSurroundings, type Progress } from './evaluation.ts';
import { KEPT, type JobReport, type JobSpec, MAX_QUESTION } from './job-spec.ts';
import { leavePaused, readPaused } from './paused.ts';

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
  const { checkout, before, paused } = await openCheckout(spec, folder, signal);
  const state: Progress = {
    tree: undefined,
    tests: null,
    log: '',
    rounds: 0,
    steps: { ...paused?.steps },
    spent: around.spentBefore,
    sessions: [],
    answered: {},
  };
  const facts = (notes: Notes) => ({
    rounds: notes.rounds ?? 0,
    ...state.spent,
    tests: state.tests,
    feedback: notes.evaluation?.feedback ?? '',
    isolation: spec.isolation,
    ms: clock.now() - began,
    sessions: state.sessions.slice(-KEPT),
  });
  try {
    const library = libraryOf(spec);
    const { program, problems } = readTemplate(library.get('implement-issue'), library);
    if (!program) {
      const feedback = problems.map(formatProblem).join('; ').slice(0, 2000);
      return failure('crash', { ...facts(nothing), feedback });
    }
    try {
      const options = evaluation({ spec, library, checkout, isolation, state, paused, around, signal });
      const inputs = await issueInputs(spec, checkout);
      const result = await evaluate(program, inputs, options).catch(asPaused);
      if (result instanceof SessionPaused) return await pause(result);
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

  /** Leaves what the attempt goes on with after the answer. */
  async function pause({ key, question, state: session }: SessionPaused): Promise<JobReport> {
    const tree = await checkout.writeTree(signal);
    const changes = tree !== before;
    const { steps, rounds } = state;
    // What it was answered before stands in its state.
    const { [key]: _, ...answered } = state.answered;
    // The tests that ran are those of another tree.
    const found = { ...facts(nothing), rounds, tests: null };
    if (changes) await hand(checkout, tree, folder, spec, found);
    if (await leavePaused(folder, { session: key, state: session, answered, steps, rounds, changes }))
      return { kind: 'question', ...found, question: question.slice(0, MAX_QUESTION) };
    const feedback = `the engineer asked "${question.slice(0, 500)}" in a session that is too large to be kept until the answer`;
    return failure('question', { ...found, feedback }, { partial: changes });
  }
}

/** A pause is an outcome, not an error. */
function asPaused(error: unknown): SessionPaused {
  if (error instanceof SessionPaused) return error;
  throw error;
}

/**
 * A fresh checkout, `before` the tree of its commit. With what an attempt that asked had changed, where that can be
 * gone on with; else the attempt begins anew.
 */
async function openCheckout(spec: JobSpec, folder: string, signal: AbortSignal) {
  const open = () => createCheckout({ mirror: spec.mirror, commit: spec.base, folder });
  const checkout = await open();
  try {
    const before = await checkout.writeTree();
    const paused = spec.continues && (await readPaused(spec.continues.folder));
    if (!paused?.changes || (await takeUp(checkout, spec.continues!.folder, signal)))
      return { checkout, before, paused };
    await checkout.remove();
    return { checkout: await open(), before, paused: undefined };
  } catch (error) {
    await checkout.remove();
    throw error;
  }
}

/** The sources in their order: each overrides those before it by name. */
const libraryOf = ({ library }: JobSpec): Library =>
  library.reduce((outer, sources) => createLibrary(sources, { outer }).library, emptyLibrary);

type Facts = Pick<
  JobReport,
  'rounds' | 'cost_usd' | 'model_calls' | 'tests' | 'feedback' | 'isolation' | 'ms' | 'sessions'
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
