// Evaluates a checked program: the one entry to the task language's evaluator.
import { failingWith, withCosts } from './ledger.ts';
import type { Input, LetTask, Task } from '../language/ast.ts';
import { addSpent, invalidInput, type TaskResult } from '../language/result.ts';
import { allWarnings } from '../language/problem.ts';
import { placeWithin } from './context.ts';
import { evaluateValue, withInputs, nothingGiven } from './inputs.ts';
import {
  type Act,
  before,
  emptyResult,
  type Evaluator,
  nameOf,
  rootPlace,
  type TaskPlace,
} from './task-place.ts';
import type { Json } from '@echelon/ground';
import {
  boundValue,
  type Environment,
  environmentOf,
  nothingPreceding,
  settingsFrame,
} from '../language/environment.ts';
import { emptyLibrary } from '../language/library.ts';
import { missingInput } from '../language/substitute.ts';
import type { ModelMessage } from '../models/model.ts';
import { runAtomic } from './atomic.ts';
import { runCall } from './call.ts';
import { withCandidates } from './candidates.ts';
import { runCond } from './cond.ts';
import { runDirectorEvaluator } from './director-evaluator.ts';
import { orInstead } from './failure.ts';
import { isBound, withinLimits } from './limits.ts';
import { runMap } from './map.ts';
import type { EvaluateOptions } from './options.ts';
import { preflight } from './rights.ts';
import { withoutRecovery } from './recovery.ts';
import { runReduce } from './reduce.ts';
import { runScript } from './script.ts';
import { runSequential } from './sequential.ts';
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
    throw invalidInput(
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
    run: (task, place) => run(task, place, meter),
    said: conversation => (messages = conversation),
  };
  const { key, signal, context } = options;
  const previous = preceding.previous?.result;
  const place = rootPlace({
    evaluator,
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

/** A task at its place: the runner of its type, in what the task's own words put around it. */
function run(task: Task, place: TaskPlace, meter: TaskMeter): Promise<TaskResult> {
  const { around } = place.evaluator.options;
  const turn = meter(task, place.signal);
  if (!around && !turn) return actOf(task)(task, place);
  const act = () => actOf(task)(task, place);
  const at = { name: nameOf(task), type: task.type, key: place.key };
  return (turn ?? Promise.resolve()).then(() => (around ? around(at, act) : act()));
}

/** A program is put together once, however often its tasks are evaluated. */
const acts = new WeakMap<Task, Act>();

function actOf(task: Task): Act {
  let act = acts.get(task);
  if (!act) acts.set(task, (act = putTogether(task)));
  return act;
}

/** From the inside out; each stands only around the tasks that are in need of it. */
function putTogether(task: Task): Act {
  const { budgetUsd, ...limits } = task.limits;
  let act = runners[task.type] as Act;
  if (task.candidates) act = withCandidates(act);
  if (task.inputs.length > 0 || task.template) act = withInputs(act);
  if (task.disableReparsing) act = withoutRecovery(act);
  // Of an atomic task they are those of its one session.
  if (task.type !== 'atomic' && isBound(limits)) act = withinLimits(limits, act);
  if (task.onFailure) act = orInstead(act);
  // Of every task: all that is done for it costs at most that, what is done in its place when it failed included.
  if (budgetUsd !== undefined) act = withinLimits({ budgetUsd }, act);
  return act;
}

const runners: { [K in Task['type']]: Act<Extract<Task, { type: K }>> } = {
  atomic: runAtomic,
  sequential: runSequential,
  map: runMap,
  reduce: runReduce,
  script: runScript,
  'director-evaluator': runDirectorEvaluator,
  call: runCall,
  cond: runCond,
  let: runLet,
  // A sequence binds it by its name; by itself it does nothing.
  function: async () => emptyResult,
};

/** Binds the root's parameters within `around`. Throws TASK_FAILURE `missing_input` for a parameter without a value. */
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

async function runLet(task: LetTask, place: TaskPlace): Promise<TaskResult> {
  let { environment } = place;
  let given = nothingGiven;
  for (const { name, value } of task.binds) {
    const at = before([task.body], { ...place, environment });
    const failing = failingWith({ dataUsage: given.spent, warnings: [...given.warnings] });
    const found = await evaluateValue(value, `bind-${name}`, at).catch(failing);
    environment = environment.extend([[name, found.value]]);
    given = { spent: addSpent(given.spent, found.spent), warnings: [...given.warnings, ...found.warnings] };
  }
  const body = async () => {
    const within = await placeWithin(task, place);
    return await place.evaluator.run(task.body, { ...within, environment, key: `${place.key}/body` });
  };
  return await withCosts(given, body());
}
