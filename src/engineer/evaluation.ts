// What the engineer's program is evaluated with: the checkout's tools, its tests as the script, and the last word on both.
import { quoteForModel } from '../comments/neutral.ts';
import type { Library } from '../language/library.ts';
import { fencedOff, quoted, quotedLine } from '../language/quote.ts';
import { trimDiff } from '../language/trim.ts';
import type { Clock } from '../lib/clock.ts';
import type { SessionSummary } from '../lib/session-summary.ts';
import { guarded } from '../models/guard.ts';
import { type Model, ModelFailure, type ModelRequest } from '../models/model.ts';
import { modelNames, scriptedPrices } from '../models/names.ts';
import type { SessionEvent } from '../reasoning/events.ts';
import { windowOf } from '../models/window.ts';
import { configuredExecutor } from '../reasoning/execution/settings.ts';
import type { Step } from '../record/journal.ts';
import { type KeptSteps, keptSteps } from '../record/kept-steps.ts';
import { type Answered, answeredOf } from '../reasoning/question.ts';
import { runSession } from '../reasoning/session.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { EvaluateOptions } from '../tasks/evaluate.ts';
import type { Checkout } from '../workspace/checkout.ts';
import { runCommand } from '../workspace/command.ts';
import { editTools, shellTool } from '../workspace/files.ts';
import type { Isolation } from '../workspace/isolation.ts';
import type { JobProgress, JobReport, JobSpec } from './job-spec.ts';
import type { Paused } from './paused.ts';

export interface JobSurroundings {
  model: Model;
  clock: Clock;
  /** Where code runs that the model writes for itself. */
  sandbox: Sandbox;
  /** Everything that sessions tell, for who looks closely. */
  onSession?: (event: SessionEvent) => void;
  /** PATH of the host, to find its toolchains. */
  hostPath: string;
  /** Ends the job at once, without a report. */
  signal: AbortSignal;
  progress(line: JobProgress): void;
  /** What was spent before, by a process of this job that was lost; and where it is written down as it grows. */
  spentBefore: Spent;
  spend(spent: Spent): Promise<void>;
}

/** What the rounds have come to; filled while the program is evaluated. */
export interface Progress {
  /** The tree as the director left it in the last round, before the tests ran: their leftovers stay out. */
  tree: string | undefined;
  /** The tests of that tree. */
  tests: JobReport['tests'];
  /** Output of the last test run. */
  log: string;
  /** Rounds that were judged. */
  rounds: number;
  /** What was finished of the program. */
  steps: KeptSteps;
  /** Paid for so far, by whichever process of this job. */
  spent: Spent;
  /** Sessions that have ended, in order. */
  sessions: SessionSummary[];
  /** Sessions that are gone on with and have not finished. */
  answered: Answered;
}

export interface Spent {
  cost_usd: number;
  model_calls: number;
}

/** Bytes of a command's output that are kept, of stdout and of stderr each. */
const MAX_OUTPUT = 256 * 1024;
/** A shell command of the director that names no time limit (milliseconds). */
const SHELL_MS = 120_000;
/** Output counts as progress at most this often (milliseconds). */
const OUTPUT_MS = 5000;
/** What a shell says of a command that SIGKILL ended. */
const KILLED = 137;

export function evaluation(job: {
  spec: JobSpec;
  library: Library;
  checkout: Checkout;
  isolation: Isolation;
  state: Progress;
  /** The session that is gone on with. */
  paused: Paused | undefined;
  around: JobSurroundings;
  signal: AbortSignal;
}): EvaluateOptions {
  const { spec, library, checkout, isolation, state, paused, around, signal } = job;
  const { clock, progress } = around;
  const guard = guarded(budgeted(around.model, spec.limits.budget_usd, state, around), { clock });
  const attemptMs = spec.limits.attempt_ms;
  const model: Model = {
    provider: guard.provider,
    call: (request: ModelRequest) => guard.call({ ...request, timeout_ms: attemptMs }),
  };
  const executor = configuredExecutor(spec.reasoning, {
    sandbox: around.sandbox,
    clock,
    ...(around.onSession && { onEvent: around.onSession }),
  });
  let told = 0;
  /** A sign of life for output, not a line for each piece of it. */
  const onOutput = () => {
    if (clock.now() - told < OUTPUT_MS) return;
    told = clock.now();
    progress({ type: 'output', at: told });
  };
  const run = (
    command: string,
    timeoutMs: number,
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
      job: spec.op,
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT,
      isolation,
      network: spec.network,
      signal: stop,
      onOutput,
    });

  const keep = keptSteps(state.steps);
  /** With the tree and its tests, so that a program that is gone on with finds them as they were. */
  const step: Step = async <T>(key: string, make: (op: string) => Promise<T>) => {
    let isNew = false;
    const made = await keep(key, async op => {
      isNew = true;
      const result = await make(op);
      return { result, tree: state.tree, tests: state.tests };
    });
    if (!isNew) Object.assign(state, { tree: made.tree, tests: made.tests });
    return made.result;
  };
  if (paused) {
    const answer = `${quoteForModel(spec.continues?.answer ?? '').text}\n\n${ANEW}`;
    state.answered = { ...paused.answered, [paused.session]: { state: paused.state, answer } };
  }
  // A session takes off itself the time that it was under way before; the job has only what is left of it.
  const before = Math.max(0, ...Object.values(state.answered).map(each => each.state.activeMs));

  return {
    async session(request) {
      const outcome = await runSession(request, {
        model,
        clock,
        executor,
        resume: key => answeredOf(state.answered, key),
        onSummary: summary => state.sessions.push(summary),
        onEvent(event) {
          around.onSession?.(event);
          const at = clock.now();
          if (event.type === 'model_reply') progress({ type: 'model_reply', task: event.task, at });
          if (event.type === 'tool_call') progress({ type: 'tool_call', tool: event.name, ok: event.ok, at });
        },
      });
      delete state.answered[request.key];
      return outcome;
    },
    abilities: ['js', 'ask'],
    step,
    tools: [
      ...editTools(checkout),
      shellTool((command, timeoutMs, stop) => run(command, timeoutMs ?? SHELL_MS, stop)),
    ],
    async script({ command, env, stdin, signal: stop }) {
      const { exit_code, stdout, stderr, timed_out } = await run(command, attemptMs, stop, env, stdin);
      // Other scripts of the library may run in a round too; only the project's own command is its tests.
      if (command === spec.settings.test_command.trim()) {
        state.log = `${stdout}\n${stderr}`;
        state.tests = { command, exit_code, tree: state.tree ?? '' };
        progress({ type: 'tests', exit_code, at: clock.now() });
      }
      return { exit_code: exit_code ?? KILLED, stdout, stderr, timed_out };
    },
    async checkpoint() {
      state.tree = await checkout.writeTree(signal);
      state.tests = null;
      return { diff: fencedOff(trimDiff(await checkout.diff(spec.base, state.tree))) };
    },
    judge(verdict) {
      const tests = state.tests;
      if (!verdict.success || spec.settings.test_command.trim() === '' || tests?.exit_code === 0)
        return verdict;
      const why = tests ? `The tests exited ${tests.exit_code}` : 'The tests were not run in this round';
      return {
        success: false,
        feedback: `${why}, so the change is not accepted. ${verdict.feedback ?? ''}`.trim(),
      };
    },
    library,
    settings: spec.settings,
    window: windowOf,
    models: modelNames({
      models: spec.models,
      prices: spec.model.provider === 'scripted' ? scriptedPrices : spec.model.prices,
    }),
    turns: task => (task === 'engineer.director' ? spec.limits.turns : undefined),
    // The attempt's own limit holds every session in it.
    timeMs: () => attemptMs + before,
    key: `issue-${spec.issue.number}/attempt-${spec.attempt}`,
    scope: spec.op,
    clock,
    signal,
    onEvent(event) {
      if (event.type !== 'round') return;
      const { n: round, success, feedback } = event;
      state.rounds = round;
      if (round <= (paused?.rounds ?? 0)) return;
      progress({ type: 'round', round, success, feedback: (feedback ?? '').slice(0, 500), at: clock.now() });
    },
  };
}

const ANEW =
  '(Your checkout was made anew meanwhile: your changes are in it, files that git ignores are not, and nothing runs.)';

/** A model that is not asked any more once the job's share of the budget is used up; every reply is written down. */
function budgeted(model: Model, most: number, state: Progress, around: JobSurroundings): Model {
  return {
    provider: model.provider,
    async call(request, onEvent) {
      if (state.spent.cost_usd >= most)
        throw new ModelFailure('quota', `the job has used up its share of the budget ($${most})`);
      const reply = await model.call(request, onEvent);
      const { cost_usd, model_calls } = state.spent;
      state.spent = { cost_usd: cost_usd + reply.cost_usd, model_calls: model_calls + 1 };
      await around.spend(state.spent);
      return reply;
    },
  };
}

/** Values for the program's parameters. Text by people is cleaned of what they cannot see. */
export async function issueInputs(
  { issue, previous }: JobSpec,
  checkout: Checkout,
): Promise<Record<string, string>> {
  const read = async (path: string) => {
    const tool = editTools(checkout).find(({ name }) => name === 'read_file')!;
    // A file that is not there, or that leads out of the checkout, is none.
    return await tool.run({ path }, new AbortController().signal).catch(() => '');
  };
  return {
    issue_number: String(issue.number),
    issue_title: quotedLine(quoteForModel(issue.title).text),
    issue_body: quoted(quoteForModel(issue.body).text),
    conventions: quoted((await read('AGENTS.md')) || (await read('CONTRIBUTING.md'))),
    lessons: quoted(await read('LESSONS.md')),
    previous_attempt: quoted(previous ?? ''),
  };
}
