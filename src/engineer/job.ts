// One attempt at one issue, carried out in a process of its own: checkout, program, bundle, report. Holds no token.
import { quoteForModel } from '../comments/neutral.ts';
import { parseProgram } from '../language/program.ts';
import { type Notes, TaskError } from '../language/result.ts';
import { trimDiff, trimLog } from '../language/trim.ts';
import type { Clock } from '../lib/clock.ts';
import { guarded } from '../models/guard.ts';
import { type Model, ModelFailure, type ModelRequest } from '../models/model.ts';
import { runSession } from '../reasoning/session.ts';
import { evaluate } from '../tasks/evaluate.ts';
import { makeBundle } from '../workspace/bundle.ts';
import { createCheckout } from '../workspace/checkout.ts';
import { runCommand } from '../workspace/command.ts';
import { editTools, shellTool } from '../workspace/files.ts';
import { chooseIsolation } from '../workspace/isolation.ts';
import type { JobProgress, JobReport, JobSpec } from './job-spec.ts';

/** Bytes of a command's output that are kept, of stdout and of stderr each. */
const MAX_OUTPUT = 256 * 1024;
/** A shell command of the director that names no time limit (milliseconds). */
const SHELL_MS = 120_000;
const LESSONS = 'LESSONS.md';

export interface JobSurroundings {
  model: Model;
  clock: Clock;
  /** PATH of the host, to find its toolchains. */
  hostPath: string;
  signal: AbortSignal;
  progress(line: JobProgress): void;
}

type Outcome = Pick<
  JobReport,
  'rounds' | 'cost_usd' | 'model_calls' | 'tests' | 'feedback' | 'isolation' | 'ms'
>;

/** Carries the job out in `folder`. A failure of the attempt is a report; throws only when aborted from outside. */
export async function runJob(spec: JobSpec, folder: string, around: JobSurroundings): Promise<JobReport> {
  const { clock } = around;
  const began = clock.now();
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new Error('the hard time limit has passed')),
    spec.limits.attempt_ms,
  );
  const signal = AbortSignal.any([around.signal, limit.signal]);
  // The parent chose; a sandbox that has stopped working since must not be passed over in silence.
  const isolation = await chooseIsolation(spec.isolation, { secretsPresent: true });
  const checkout = await createCheckout({ mirror: spec.mirror, commit: spec.base, folder });
  let rounds: { tree: string; tests: JobReport['tests'] } | undefined;
  const outcome = (notes: Notes): Outcome => ({
    rounds: notes.rounds ?? 0,
    cost_usd: notes.cost_usd,
    model_calls: notes.turns,
    tests: rounds?.tests ?? null,
    feedback: notes.evaluation?.feedback ?? '',
    isolation: spec.isolation,
    ms: clock.now() - began,
  });
  const hand = (tree: string, o: Outcome) =>
    makeBundle(checkout, tree, folder, {
      tests: o.tests,
      rounds: o.rounds,
      cost_usd: o.cost_usd,
      isolation: spec.isolation,
    });

  const command = (text: string, timeoutMs: number, env: Record<string, string>, stdin?: string) =>
    runCommand({
      command: text,
      tree: checkout.tree,
      home: checkout.home,
      hostPath: around.hostPath,
      env,
      ...(stdin !== undefined && { stdin }),
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT,
      isolation,
      network: spec.network,
      signal,
    });

  try {
    const { program, problems } = parseProgram(spec.program, 'programs/implement-issue.xml');
    if (!program) {
      const first = problems[0];
      const message = `programs/implement-issue.xml:${first?.line}:${first?.column} ${first?.message}`;
      return failed('crash', { ...outcome(nothing), feedback: message }, '', false);
    }
    const baseTree = await checkout.writeTree();
    const guard = guarded(budgeted(around.model, spec.limits.budget_usd), { clock });
    const lastLog = { text: '' };
    try {
      const result = await evaluate(program, issueInputs(spec, await lessons(checkout, clock)), {
        session: request =>
          runSession(request, {
            model: {
              provider: guard.provider,
              call: (r: ModelRequest) => guard.call({ ...r, timeout_ms: spec.limits.attempt_ms }),
            },
            clock,
            onEvent: event => {
              if (event.type === 'model_reply')
                around.progress({ type: 'model_reply', task: event.task, at: clock.now() });
              if (event.type === 'tool_call')
                around.progress({ type: 'tool_call', tool: event.name, ok: event.ok, at: clock.now() });
            },
          }),
        tools: [
          ...editTools(checkout),
          shellTool((text, timeoutMs, toolSignal) => {
            toolSignal.throwIfAborted();
            return command(text, timeoutMs ?? SHELL_MS, {});
          }),
        ],
        script: async request => {
          const run = await command(request.command, spec.limits.attempt_ms, request.env, request.stdin);
          lastLog.text = `${run.stdout}\n${run.stderr}`;
          around.progress({ type: 'tests', exit_code: run.exit_code, at: clock.now() });
          rounds = {
            tree: rounds!.tree,
            tests: { command: request.command, exit_code: run.exit_code, tree: rounds!.tree },
          };
          const { stdout, stderr, timed_out } = run;
          // A command that a signal ended has no code of its own; a shell would say 128 and the signal's number.
          return { exit_code: run.exit_code ?? 137, stdout, stderr, timed_out };
        },
        settings: spec.settings,
        models: (name, task) => name ?? spec.models[task] ?? spec.models['default'] ?? '',
        key: `issue-${spec.issue.number}/attempt-${spec.attempt}`,
        scope: spec.op,
        // Before the tests run: their leftovers are not part of the change.
        checkpoint: async () => {
          rounds = { tree: await checkout.writeTree(), tests: null };
          return { diff: trimDiff(await checkout.diff(spec.base, rounds.tree)) };
        },
        judge: (evaluation, script) =>
          evaluation.success && script && script.exit_code !== 0
            ? {
                success: false,
                feedback: `The tests exited ${script.exit_code}, so the change is not accepted.${evaluation.feedback ? ` ${evaluation.feedback}` : ''}`,
              }
            : evaluation,
        turns: task => (task === 'engineer.director' ? spec.limits.turns : undefined),
        clock,
        signal,
        onEvent: event => {
          if (event.type === 'round')
            around.progress({
              type: 'round',
              round: event.n,
              success: event.success,
              feedback: (event.feedback ?? '').slice(0, 500),
              at: clock.now(),
            });
        },
      });
      const tree = rounds?.tree ?? baseTree;
      const out = outcome(result.notes);
      if (tree === baseTree)
        return failed('no_changes', { ...out, feedback: result.content.slice(0, 2000) }, '', false);
      await hand(tree, out);
      return { kind: 'bundle', ...out, summary: result.content.slice(0, 20_000) };
    } catch (error) {
      around.signal.throwIfAborted();
      if (limit.signal.aborted)
        return failed(
          'time',
          { ...outcome(nothing), feedback: 'the hard time limit has passed' },
          trimLog(lastLog.text),
          false,
        );
      if (!(error instanceof TaskError)) throw error;
      const out = outcome(error.notes);
      const tree = rounds?.tree ?? (await checkout.writeTree());
      const partial = tree !== baseTree;
      if (partial) await hand(tree, out);
      const kind = error.cause instanceof ModelFailure ? error.cause.class : reasonOf(error);
      return failed(
        kind,
        { ...out, feedback: out.feedback || error.message },
        trimLog(lastLog.text),
        partial,
      );
    }
  } finally {
    clearTimeout(timer);
    await checkout.remove();
  }
}

const nothing: Notes = {
  warnings: [],
  cost_usd: 0,
  turns: 0,
  usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 },
};

const failed = (kind: string, outcome: Outcome, log_tail: string, partial: boolean): JobReport => ({
  kind: 'failed',
  ...outcome,
  class: kind,
  log_tail,
  partial,
});

const reasonOf = ({ detail }: TaskError) =>
  detail.code === 'TASK_FAILURE'
    ? detail.reason
    : detail.code === 'RESOURCE_EXHAUSTION'
      ? `${detail.resource}_exhausted`
      : detail.code;

/** A model that is not asked any more once the job's slice of the budget is used up. */
function budgeted(model: Model, most: number): Model {
  let spent = 0;
  return {
    provider: model.provider,
    async call(request, onEvent) {
      if (spent >= most)
        throw new ModelFailure('quota', `the job has used up its share of the budget ($${most})`);
      const reply = await model.call(request, onEvent);
      spent += reply.cost_usd;
      return reply;
    },
  };
}

async function lessons(checkout: { tree: string; gitDir: string }, clock: Clock): Promise<string> {
  const read = editTools(checkout).find(tool => tool.name === 'read_file')!;
  void clock;
  try {
    return await read.run({ path: LESSONS }, new AbortController().signal);
  } catch {
    return '';
  }
}

/** Text by people is cleaned of what they cannot see before a model reads it. */
function issueInputs({ issue, previous }: JobSpec, lessonsText: string): Record<string, string> {
  return {
    issue_number: String(issue.number),
    issue_title: quoteForModel(issue.title).text,
    issue_body: quoteForModel(issue.body).text,
    conventions: '',
    lessons: lessonsText,
    previous_attempt: previous ?? '',
  };
}
