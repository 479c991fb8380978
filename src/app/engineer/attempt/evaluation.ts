// Environment in which the engineer's program is evaluated: tools, tests as the script, and the final decision on both.
import { dirname, join } from 'node:path';
import { outcomeOf, readRegular } from '@echelon/ground/workspace';
import type { Library } from '../../../engine/language.ts';
import { fencedOff, wholeDiff } from '../../../engine/texts.ts';
import { type Engine, enginePrograms, inOrder, type Model } from '../../../engine/models.ts';
import { guarded, modelNames, modelsBehind, readState, scriptedRows } from '../../../engine/models.ts';
import { type EvaluateOptions, evaluationOf, type TaskEvent, windowOf } from '../../../engine/engine.ts';
import { changeTools, editTools, isOfEvaluator, programEngine, shellTool } from '../../../engine/parts.ts';
import { type Memory, shareOf } from '../../../engine/files.ts';
import { hasMarks, MAX_MARKED } from '../slots/fit.ts';
import { stillMarked } from '../../comments/together.ts';
import { NoChanges } from './attempt-journal.ts';
import { unjudged } from '../slots/criteria.ts';
import { installAgain } from './ground.ts';
import { commandsIn } from './job-commands.ts';
import { relock } from './relock.ts';
import { diffWith, missingIn, unlessMissing } from './serve-missing.ts';
import { runsAnew } from '../jobs/result-caches.ts';
import { stepWithTree } from './step-with-tree.ts';
import { ATTEMPT_LIMIT, SHOWN_AT } from '../jobs/job-spec.ts';
import { evidenceText, verdictTests } from './verdict-tests.ts';
import type { Workplace } from './workplace.ts';

/** The task that an engine carries out; its evaluator, and whatever recovers it, are always ours. */
const director = 'engineer.director';

/** Output counts as progress at most this often (milliseconds). */
const OUTPUT_MS = 5000;

/** Inputs equal for all engineers of a run: the program puts them first, then the map, which is of a branch. */
const ofRun = ['conventions', 'lessons', 'toolchain', 'base_tests', 'directive', 'plan'];

/** Options for `evaluate`. They serve one evaluation, which goes on from `state` and leaves in it what it came to. */
export function evaluateOptions(place: Workplace, library: Library, memory: Memory): EvaluateOptions {
  const { spec, checkout, state, host, signal } = place;
  const attemptMs = spec.limits.attempt_ms;
  const { needs = [], beside = [] } = spec.around ?? {};
  const hasOthers = needs.length + beside.length > 0;
  const model = modelFor(place);
  const onOutput = signOfLife(place.host);
  const onEvent = (event: TaskEvent) => tell(event, place);
  const run = commandsIn(place, onOutput);
  const { models, modelRows } = modelsOf(spec);
  const evaluation = evaluationOf({
    ...{ model, library, onEvent },
    ...{ sandbox: host.sandbox, reasoning: spec.reasoning, pauses: true },
    ...{ memory, contextIsAid: true, lasting: [ofRun, [...ofRun, 'map']] },
    tools: [
      ...editTools(checkout),
      // The evaluator judges the tree that the director left.
      ...changeTools(checkout, () => (state.changing ? undefined : state.tree)),
      shellTool(run),
    ],
    ...judgedBy(place, run),
    sessions: {
      onSummary: summary => void state.summaries.push(summary),
      budget: () => ({ used: state.spent.cost_usd, limit: spec.limits.budget_usd }),
    },
    step: stepWithTree(place),
    settings: spec.settings,
    ...{ models, modelRows },
    turns: task => (task === director ? spec.limits.turns : undefined),
    warnAt: spec.limits.warn_at,
    // The attempt's own limit holds every session in it.
    timeMs: () => attemptMs,
    key: attemptKey(spec),
    scope: spec.op,
    ...{ clock: host.clock, signal },
  });
  const engine = directorEngine(place, { native: evaluation.session, model, onEvent, onOutput });
  return {
    ...evaluation,
    session(request, saved) {
      // A session takes off itself the time that it was under way before; the job has only what is left of it.
      const before = saved?.state === undefined ? 0 : readState(saved.state).activeMs;
      const limits = { ...request.limits, time_ms: attemptMs + before };
      const run = request.task === director ? engine : evaluation.session;
      // An evaluator changes nothing and runs nothing, whatever its program names; those of other issues begin as it does.
      const judging = isOfEvaluator(request.key) && {
        tools: request.tools.filter(({ readOnly }) => readOnly),
        once: true,
        cuts: hasOthers ? (request.cuts ?? []).slice(0, 1) : [],
      };
      return run({ ...request, ...judging, limits }, saved);
    },
  };
}

/** Begins the keys of model requests, which are those of its journal too: of several candidates each has its own. */
export const attemptKey = ({ issue, attempt }: Workplace['spec']): string =>
  `issue-${issue.number}/attempt-${attempt}`;

/** Models of a job's tasks with their data and fallbacks. */
export function modelsOf({ models, model }: Workplace['spec']) {
  const tables = { models, rows: model.provider === 'scripted' ? scriptedRows : model.rows };
  return { models: modelNames(tables), modelRows: tables.rows, behind: modelsBehind(tables) };
}

/** The most of a diff that one prompt holds (tokens), however large the window. */
const MOST_DIFF = 50_000;

/** Tokens of diffs that the evaluator is shown: a quarter of the smallest window of those that may be asked. */
export function shownTokens({ spec, model }: Pick<Workplace, 'spec' | 'model'>): number {
  const { models, modelRows, behind } = modelsOf(spec);
  const window = windowOf(model, modelRows);
  const task = 'engineer.evaluator';
  const first = models(undefined, task);
  return Math.min(MOST_DIFF, ...[first, ...behind(first, task)].map(name => shareOf(name, { window })));
}

type RunInCheckout = ReturnType<typeof commandsIn>;

/** Judges a round: by the tree that the director left and the project's tests, with a final decision on both. */
function judgedBy(
  place: Workplace,
  run: RunInCheckout,
): Pick<EvaluateOptions, 'script' | 'checkpoint' | 'serve' | 'judge'> {
  const { spec, checkout, before, state, host, signal } = place;
  const testCommand = spec.settings.test_command.trim();
  return {
    async checkpoint(_round, { status, content }) {
      state.tree = await checkout.writeTree(signal);
      if (await relock(place, state.tree)) state.tree = await checkout.writeTree(signal);
      state.changing = false;
      state.tests = null;
      // One that waits for a subtask is not done yet; what people asked may need an answer only.
      if (!spec.wanted && status === 'COMPLETE' && state.tree === before) throw new NoChanges(content);
      return { diff: fencedOff(wholeDiff(await checkout.diff(spec.base, state.tree), shownTokens(place))) };
    },
    async script({ command, env, stdin, signal: stop }) {
      // The patch is the engineer's work: what a script leaves in the files is gone before anybody goes on.
      const time = { ms: spec.limits.attempt_ms, more: ATTEMPT_LIMIT };
      // Other scripts of the library may run in a round too; only the project's own command is its tests.
      const isTests = command === testCommand;
      const within = { env: isTests ? { ...runsAnew, ...env } : env, stdin };
      const failed = isTests ? await installAgain(place) : undefined;
      if (failed) {
        state.log = `${failed.message}\n${failed.tail}`;
        return { exit_code: 1, stdout: '', stderr: state.log, timed_out: false };
      }
      const ended = await checkout.undoing(() => run(command, time, stop, within), signal);
      if (!isTests) return outcomeOf(ended);
      state.log = `${ended.stdout}\n${ended.stderr}`;
      host.progress({ type: 'tests', exit_code: ended.exit_code, at: host.clock.now() });
      state.tests = await verdictTests(ended, command, place);
      return { ...outcomeOf(ended), evidence: evidenceText(state.tests, state.log) };
    },
    async serve(verdict) {
      const missing = missingIn(verdict);
      const judged = verdict.outputs?.['criteria'];
      const left = verdict.success && !spec.wanted ? unjudged(judged, spec.issue.body) : [];
      if (missing === undefined && left.length === 0) return undefined;
      const change = { checkout, base: spec.base, tree: state.tree, tokens: shownTokens(place) };
      return { diff: await diffWith(missing, change, left) };
    },
    judge(given, outcome) {
      const { tests } = state;
      const verdict = unlessMissing(given);
      const marked = spec.wanted?.fit?.conflicts.filter(path => isMarked(checkout.tree, path)) ?? [];
      if (marked.length > 0) return { success: false, feedback: `Not accepted: ${stillMarked(marked)}.` };
      if (!verdict.success || testCommand === '' || tests?.exit_code === 0) return verdict;
      const exited = outcome?.end ? `did not pass (${outcome.end})` : `exited ${tests?.exit_code}`;
      const why = `The tests ${tests ? exited : 'were not run in this round'}`;
      return {
        ...verdict,
        success: false,
        feedback: `${why}, so the change is not accepted. ${verdict.feedback ?? ''}`.trim(),
      };
    },
  };
}

function isMarked(tree: string, path: string): boolean {
  const bytes = readRegular(join(tree, path), MAX_MARKED);
  return Buffer.isBuffer(bytes) && hasMarks(bytes.toString('utf8'));
}

/** Passes on what happens, as the job's progress. Rounds that an earlier process told of are not told again. */
function tell(event: TaskEvent, { state, host: { onSession, progress, clock } }: Workplace): void {
  onSession?.(event);
  const at = clock.now();
  if (event.type === 'model_reply') progress({ type: 'model_reply', task: event.task, at });
  if (event.type === 'tool_call') progress({ type: 'tool_call', tool: event.name, ok: event.ok, at });
  if (event.type !== 'round') return;
  const { n: round, success, feedback } = event;
  state.rounds = round;
  state.changing = !success;
  if (round <= state.roundsBefore) return;
  progress({ type: 'round', round, success, feedback: (feedback ?? '').slice(0, 500), at });
}

/** Not asked any more once the job's share of the budget is used up; every reply is written down. */
function modelFor({ spec, state, host, model }: Workplace): Model {
  return guarded(hearing(model, host), { clock: host.clock, behind: modelsOf(spec).behind }).within({
    most: spec.limits.budget_usd,
    before: state.spent,
    name: "the job's budget",
    timeoutMs: spec.limits.attempt_ms,
    async onSpent(sum) {
      state.spent = sum;
      await host.spend(sum);
    },
  });
}

/** Every turn is told what a person has said meanwhile: it stands in no conversation, so that none has to be changed. */
const hearing = (model: Model, { told }: Workplace['host']): Model => ({
  ...model,
  async call(request, onEvent) {
    const guidance = await told();
    if (guidance === '') return await model.call(request, onEvent);
    const changing = [request.system.changing, guidance].filter(Boolean).join('\n\n');
    return await model.call({ ...request, system: { ...request.system, changing } }, onEvent);
  },
});

/** For output as it comes: a sign of life, not a line for each piece of it. */
export function signOfLife({ clock, progress }: Pick<Workplace['host'], 'clock' | 'progress'>): () => void {
  let told = 0;
  return () => {
    if (clock.now() - told < OUTPUT_MS) return;
    told = clock.now();
    progress({ type: 'output', at: told });
  };
}

/**
 * The first available engine of the configuration carries out the director; everything around it stays the same.
 * `native`: this product's own session. Which one it was is left in the attempt's state.
 */
function directorEngine(
  { spec, checkout, isolation, hosts, host, state }: Workplace,
  { native, ...told }: { native: Engine; model: Model; onEvent(event: TaskEvent): void; onOutput(): void },
): Engine {
  const room = {
    ...{ tree: checkout.tree, folder: dirname(checkout.tree), at: SHOWN_AT, hostPath: host.hostPath },
    ...(host.reach && { reach: host.reach }),
    ...{ isolation, hosts, job: host.mark, clock: host.clock },
    ...told,
    onSummary: (summary: Workplace['state']['summaries'][number]) => void state.summaries.push(summary),
  };
  const engines = spec.engines.map(name =>
    name === 'native' ? { name, called: () => name, run: native } : programEngine(enginePrograms[name], room),
  );
  return inOrder(engines, words => {
    if (words !== 'native') state.engine = words;
  });
}
