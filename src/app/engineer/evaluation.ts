// What the engineer's program is evaluated with: the checkout's tools, its tests as the script, and the last word on both.
import type { Library } from '../../engine/language/library.ts';
import { fencedOff } from '../../engine/language/quote.ts';
import { trimDiff } from '../../engine/language/trim.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Spending, withinBudget } from '../../engine/models/budget.ts';
import { resilientModel } from '../../engine/models/resilient-model.ts';
import type { Model } from '../../engine/models/model.ts';
import { modelNames, scriptedPrices } from '../../engine/models/names.ts';
import { openMemory } from '../../engine/runtime/open-memory.ts';
import { evaluationOf } from '../../engine/runtime/evaluation.ts';
import { readState, type SessionState } from '../../engine/reasoning/state.ts';
import type { PlayedReply } from '../../engine/models/scripted.ts';
import type { OpenedModel } from '../../engine/runtime/open-model.ts';
import type { Json } from '../../lib/json.ts';
import { makeBundle } from '../../workspace/bundle.ts';
import type { Progress, Step } from '../../journal/journal.ts';
import type { Sandbox } from '../../engine/sandbox/sandbox.ts';
import type { EvaluateOptions, TaskEvent } from '../../engine/tasks/evaluate.ts';
import type { Checkout } from '../../workspace/checkout.ts';
import { runCommand } from '../../workspace/command.ts';
import { outcomeOf, type TimeLimit } from '../../workspace/command-end.ts';
import { editTools, shellTool } from '../../engine/runtime/tools/checkout-tools.ts';
import type { Isolation } from '../../workspace/isolation.ts';
import { CHECKOUT_ANEW, SavedSession, type Standing } from './attempt-journal.ts';
import { type AttemptState, NoChanges } from './attempt-state.ts';
import { ATTEMPT_LIMIT, type JobProgress, type JobSpec } from './job-spec.ts';

export interface JobSurroundings {
  /** The model, told what it played for this job before. */
  openModel(played: readonly PlayedReply[]): Promise<OpenedModel>;
  clock: Clock;
  /** Where code runs that the model writes for itself. */
  sandbox: Sandbox;
  /** Everything that sessions tell, for who looks closely. */
  onSession?: (event: TaskEvent) => void;
  /** PATH of the host, to find its toolchains. */
  hostPath: string;
  /** Marks every command of the job. */
  mark: string;
  /** Ends the job at once, without a report. */
  signal: AbortSignal;
  progress(line: JobProgress): void;
  /** What was spent before, by a process of this job that was lost; and where it is written down as it grows. */
  spentBefore: Spending;
  spend(spent: Spending): Promise<void>;
  /** An error that is none of the attempt's but the product's own, for the log. */
  unexpected(error: unknown): void;
}

/** Where and with what the job works. */
export interface Workplace {
  spec: JobSpec;
  checkout: Checkout;
  /** The tree of the base, without what was taken up. */
  before: string;
  isolation: Isolation;
  /** Changed while the program is evaluated. */
  state: AttemptState;
  model: Model;
  around: JobSurroundings;
  /** The job's. */
  folder: string;
  /** Ends the attempt. */
  signal: AbortSignal;
}

/** Bytes of a command's output that are kept, of stdout and of stderr each. */
const MAX_OUTPUT = 256 * 1024;
/** Output counts as progress at most this often (milliseconds). */
const OUTPUT_MS = 5000;

/** Options for `evaluate`. They serve one evaluation, which goes on from `state` and leaves in it what it came to. */
export function evaluateOptions(place: Workplace, library: Library): EvaluateOptions {
  const { spec, checkout, state, around, signal } = place;
  const { clock, progress } = around;
  const attemptMs = spec.limits.attempt_ms;
  const testCommand = spec.settings.test_command.trim();
  const run = commandsIn(place);
  const evaluation = evaluationOf({
    model: modelFor(place),
    library,
    sandbox: around.sandbox,
    reasoning: spec.reasoning,
    pauses: true,
    memory: openMemory({ folder: checkout.tree, gitDir: checkout.gitDir }, { cache: null, signal }),
    sessions: { onSummary: summary => void state.summaries.push(summary) },
    step: stepWithTree(place),
    tools: [...editTools(checkout), shellTool(run)],
    async script({ command, env, stdin, signal: stop }) {
      // The patch is the engineer's work: what a script leaves in the files is gone before anybody goes on.
      const time = { ms: attemptMs, more: ATTEMPT_LIMIT };
      const ended = await checkout.undoing(() => run(command, time, stop, env, stdin), signal);
      const { exit_code, stdout, stderr } = ended;
      // Other scripts of the library may run in a round too; only the project's own command is its tests.
      if (command === testCommand) {
        state.log = `${stdout}\n${stderr}`;
        state.tests = { command, exit_code, tree: state.tree ?? '' };
        progress({ type: 'tests', exit_code, at: clock.now() });
      }
      return outcomeOf(ended);
    },
    async checkpoint(_round, { status, content }) {
      state.tree = await checkout.writeTree(signal);
      state.changing = false;
      state.tests = null;
      // One that waits for a subtask is not done yet.
      if (status === 'COMPLETE' && state.tree === place.before) throw new NoChanges(content);
      return { diff: fencedOff(trimDiff(await checkout.diff(spec.base, state.tree))) };
    },
    judge(verdict, outcome) {
      const { tests } = state;
      if (!verdict.success || testCommand === '' || tests?.exit_code === 0) return verdict;
      const exited = outcome?.end ? `did not pass (${outcome.end})` : `exited ${tests?.exit_code}`;
      const why = `The tests ${tests ? exited : 'were not run in this round'}`;
      return {
        success: false,
        feedback: `${why}, so the change is not accepted. ${verdict.feedback ?? ''}`.trim(),
      };
    },
    settings: spec.settings,
    models: modelNames({
      models: spec.models,
      prices: spec.model.provider === 'scripted' ? scriptedPrices : spec.model.prices,
    }),
    turns: task => (task === 'engineer.director' ? spec.limits.turns : undefined),
    warnAt: spec.limits.warn_at,
    // The attempt's own limit holds every session in it.
    timeMs: () => attemptMs,
    key: `issue-${spec.issue.number}/attempt-${spec.attempt}`,
    scope: spec.op,
    clock,
    signal,
    onEvent(event) {
      around.onSession?.(event);
      const at = clock.now();
      if (event.type === 'model_reply') progress({ type: 'model_reply', task: event.task, at });
      if (event.type === 'tool_call') progress({ type: 'tool_call', tool: event.name, ok: event.ok, at });
      if (event.type !== 'round') return;
      const { n: round, success, feedback } = event;
      state.rounds = round;
      state.changing = !success;
      if (round <= state.roundsBefore) return;
      progress({ type: 'round', round, success, feedback: (feedback ?? '').slice(0, 500), at });
    },
  });
  return {
    ...evaluation,
    session(request, saved) {
      // A session takes off itself the time that it was under way before; the job has only what is left of it.
      const before = saved?.state === undefined ? 0 : readState(saved.state).activeMs;
      const limits = { ...request.limits, time_ms: attemptMs + before };
      return evaluation.session({ ...request, limits }, saved);
    },
  };
}

/** Not asked any more once the job's share of the budget is used up; every reply is written down. */
function modelFor({ spec, state, around, model }: Workplace): Model {
  return withinBudget(resilientModel(model, { clock: around.clock }), spec.limits.budget_usd, {
    before: state.spent,
    name: "the job's budget",
    timeoutMs: spec.limits.attempt_ms,
    async onSpent(sum) {
      state.spent = sum;
      await around.spend(sum);
    },
  });
}

/** Runs commands in the checkout. */
function commandsIn({ spec, checkout, isolation, around }: Workplace) {
  const { clock, progress } = around;
  let told = 0;
  return (
    command: string,
    time: TimeLimit,
    stop: AbortSignal,
    env: Record<string, string> = {},
    stdin?: string,
  ) =>
    runCommand({
      command,
      tree: checkout.tree,
      home: checkout.home,
      hostPath: around.hostPath,
      env,
      ...(stdin !== undefined && { stdin }),
      job: around.mark,
      time,
      maxOutputBytes: MAX_OUTPUT,
      isolation,
      network: spec.network,
      signal: stop,
      /** A sign of life for output, not a line for each piece of it. */
      onOutput() {
        if (clock.now() - told < OUTPUT_MS) return;
        told = clock.now();
        progress({ type: 'output', at: told });
      },
    });
}

/** Keeps each result, and each session that goes on, with the tree and its tests: another process finds them as they were. */
function stepWithTree(place: Workplace): Step {
  const { state } = place;
  return async <T>(key: string, make: (op: string, progress: Progress) => Promise<T>) => {
    let isNew = false;
    const made = await state.journal.step(
      key,
      async (op, progress) => {
        isNew = true;
        const result = await make(op, withTree(progress, place));
        return { result, ...standing(state) };
      },
      { costly: true },
    );
    if (!isNew) Object.assign(state, { tree: made.tree, tests: made.tests });
    return made.result;
  };
}

const standing = ({ tree, tests, rounds }: AttemptState): Standing => ({
  tests,
  rounds,
  ...(tree !== undefined && { tree }),
});

function withTree(progress: Progress, place: Workplace): Progress {
  const saved = progress.state === undefined ? undefined : SavedSession.parse(progress.state);
  const session = saved && readState(saved.session);
  return {
    said: progress.said,
    state: session && (JSON.parse(JSON.stringify(session.pending ? session : told(session))) as Json),
    async save(next) {
      const { checkout, state, spec, folder, signal } = place;
      const isPaused = readState(next).status === 'paused';
      const tree = state.changing
        ? await checkout.writeTree(signal).catch((error: unknown) => {
            if (isPaused) throw error;
            return null;
          })
        : state.tree;
      // What cannot be stored now may be gone by the end of the round.
      if (tree === null) return;
      if (tree !== undefined && tree !== place.before)
        await makeBundle(checkout, tree, folder, {
          tests: null,
          rounds: state.rounds,
          cost_usd: state.spent.cost_usd,
          isolation: spec.isolation,
        });
      await progress.save({ session: next, ...standing(state), ...(tree !== undefined && { tree }) });
    },
  };
}

/** With the word that its checkout is another one. */
function told(session: SessionState): SessionState {
  const last = session.messages.at(-1);
  if (!last) return session;
  const note = { type: 'text' as const, text: CHECKOUT_ANEW };
  return {
    ...session,
    messages: [...session.messages.slice(0, -1), { ...last, content: [...last.content, note] }],
  };
}
