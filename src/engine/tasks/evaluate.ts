// Evaluates a checked program: the one entry to the task language's evaluator.
import type { Json } from '@echelon/ground';
import {
  environmentOf,
  nothingPreceding,
  settingsFrame,
  boundValue,
  type Environment,
} from '../language/environment.ts';
import type { Input, Task } from '../language/ast.ts';
import { emptyLibrary } from '../language/library.ts';
import { TaskError, type TaskResult, withCosts } from '../language/result.ts';
import { missingInput } from '../language/substitute.ts';
import { allWarnings } from '../language/warnings.ts';
import type { ModelMessage } from '../models/model.ts';
import { runAtomic } from './atomic.ts';
import { runCall } from './call.ts';
import { hasCandidates, runCandidates } from './candidates.ts';
import { runCond } from './cond.ts';
import { runDirectorEvaluator } from './director-evaluator.ts';
import { failureOf, withFailure } from './failure.ts';
import { bindInputs } from './inputs.ts';
import { runLet } from './let.ts';
import { budgetOf, limitsWithin, within } from './limits.ts';
import { runMap } from './map.ts';
import type { EvaluateOptions } from './options.ts';
import { emptyResult, type Evaluator, nameOf, rootPlace, type TaskPlace } from './task-place.ts';
import { preflight } from './preflight.ts';
import { runReduce } from './reduce.ts';
import { runScript } from './script.ts';
import { runSequential } from './sequential.ts';
import { shownInput } from './shown.ts';
import { createTaskMeter, type TaskMeter } from './task-meter.ts';

export type { EvaluateOptions, ScriptRequest, TaskAt, TaskEvent } from './options.ts';

/** A result, with the whole conversation when the program is a single atomic task; else it is empty. */
export interface Evaluated extends TaskResult {
  messages: readonly ModelMessage[];
}

/**
 * Evaluates `program` with `inputs` for the root's parameters. Throws TaskError, whose notes keep what was finished
 * and what was spent; the signal's reason when it aborts; and what a seam throws that is neither.
 * Nothing has run when a VALIDATION_ERROR, INVALID_INPUT or a missing parameter is reported.
 */
export async function evaluate(
  program: Task,
  inputs: Readonly<Record<string, Json>>,
  options: EvaluateOptions,
): Promise<Evaluated> {
  options.signal.throwIfAborted();
  preflight(program, options);
  if (options.history && program.type !== 'atomic')
    throw new TaskError(
      { code: 'INVALID_INPUT' },
      `a conversation can be gone on with in an atomic task only, not in type ${program.type}`,
    );
  const settings = settingsFrame(options.settings);
  const { preceding = nothingPreceding } = options;
  const { environment, warnings } = bindParameters(program, inputs, environmentOf(preceding, settings));
  const library = options.library ?? emptyLibrary;
  let messages: Evaluated['messages'] = [];
  const meter = createTaskMeter(options.clock);
  const evaluator: Evaluator = {
    options,
    library,
    settings,
    program,
    run: (task, place) => run(task, place, evaluator, meter),
    said: conversation => (messages = conversation),
  };
  const { key, signal, context } = options;
  const previous = preceding.previous?.result;
  const place = rootPlace({
    environment,
    key,
    signal,
    previous,
    ...(context && { context }),
    recoveries: [],
  });
  const { notes, ...result } = await evaluator.run(program, place);
  return { ...result, notes: { ...notes, warnings: allWarnings(warnings, notes.warnings) }, messages };
}

/** A task at its place, within what its surroundings put around it. */
async function run(task: Task, at: TaskPlace, evaluator: Evaluator, meter: TaskMeter): Promise<TaskResult> {
  await meter(task, at.signal);
  const { around } = evaluator.options;
  const paid = () =>
    within(task, budgetOf(task), at, evaluator, place => runToItsEnd(task, place, evaluator));
  if (!around) return await paid();
  const { type } = task;
  return await around({ name: nameOf(task), type, key: at.key }, paid);
}

/** Within its limits; where it fails and says what to do then, the task that runs instead. */
function runToItsEnd(task: Task, at: TaskPlace, evaluator: Evaluator): Promise<TaskResult> {
  const own = within(task, limitsWithin(task), at, evaluator, limited => runOwn(task, limited, evaluator));
  return task.onFailure ? orInstead(own, task, task.onFailure, at, evaluator) : own;
}

async function orInstead(
  own: Promise<TaskResult>,
  task: Task,
  onFailure: Task,
  at: TaskPlace,
  evaluator: Evaluator,
): Promise<TaskResult> {
  let failure: TaskError;
  try {
    const result = await own;
    if (result.status !== 'FAILED') return result;
    failure = failureOf(task, result);
  } catch (error) {
    if (!(error instanceof TaskError) || at.signal.aborted) throw error;
    failure = error;
  }
  const told = `${nameOf(task)} failed (${failure.code}), and <on_failure> ran: ${failure.message.slice(0, 500)}`;
  const instead: TaskPlace = {
    ...at,
    environment: withFailure(failure, at.environment),
    key: `${at.key}/on-failure`,
  };
  const given = { spent: failure.notes.dataUsage, warnings: [...failure.notes.warnings, told] };
  return await withCosts(given, evaluator.run(onFailure, instead));
}

/** A task's inputs, then the task itself. What the inputs cost counts with the task. */
async function runOwn(task: Task, at: TaskPlace, evaluator: Evaluator): Promise<TaskResult> {
  // What is taken as it stands is so with all that is in it.
  const place = task.disableReparsing ? { ...at, recoveries: undefined } : at;
  const act = actOf(task);
  if (task.inputs.length === 0 && !task.template) return await act(task, place, evaluator);
  const { environment, spent, warnings } = await bindInputs(task, place, evaluator);
  const own = task.inputs.flatMap(input => (input.shown ? shownInput(input.name, environment) : []));
  const shown = own.length > 0 ? [...place.shown, ...own] : place.shown;
  const given = { spent, warnings, template: task.template };
  return await withCosts(given, act(task, { ...place, environment, shown }, evaluator));
}

/** What evaluates the task itself: once, or so many candidates of it. */
function actOf(task: Task): Runner<Task> {
  const once = runners[task.type] as Runner<Task>;
  return hasCandidates(task)
    ? (_same, place, evaluator) => runCandidates(task, place, evaluator, once)
    : once;
}

type Runner<T extends Task> = (task: T, place: TaskPlace, evaluator: Evaluator) => Promise<TaskResult>;

const runners: { [K in Task['type']]: Runner<Extract<Task, { type: K }>> } = {
  atomic: runAtomic,
  sequential: runSequential,
  map: runMap,
  reduce: runReduce,
  script: runScript,
  'director-evaluator': runDirectorEvaluator,
  call: runCall,
  cond: runCond,
  let: runLet,
  // What a sequence binds by its name; by itself it does nothing.
  function: async () => emptyResult,
};

/** What precedes the program, then the root's parameters. Throws TASK_FAILURE `missing_input` for a parameter without a value. */
function bindParameters(
  program: Task,
  inputs: Readonly<Record<string, Json>>,
  around: Environment,
): { environment: Environment; warnings: string[] } {
  const parameters = program.inputs.filter(input => input.value.kind === 'parameter');
  const boundTo = ({ name, at }: Input) => {
    const bound = Object.hasOwn(inputs, name) ? boundValue(inputs[name] ?? null) : around.get(name);
    if (!bound) throw missingInput(name, at);
    return bound;
  };
  const bound = parameters.map(parameter => [parameter.name, boundTo(parameter)] as const);
  const known = new Set(parameters.map(input => input.name));
  const warnings = Object.keys(inputs)
    .filter(name => !known.has(name))
    .map(name => `input "${name}" is no parameter of the program and is ignored`);
  return { environment: around.extend(bound), warnings };
}
