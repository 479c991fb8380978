// Evaluates a call: the arguments first, then the function's body where the function was defined.
import { placeOf } from '../language/problem.ts';
import { didYouMean, type Json } from '@echelon/ground';
import type { CallTask, FunctionTask, OutputType } from '../language/ast.ts';
import { type Bound, type Environment, boundValue } from '../language/environment.ts';
import { invalidInput, invalidOutput, TaskError, type TaskResult } from '../language/result.ts';
import { withCosts } from './ledger.ts';
import { placeWithin } from './context.ts';
import { evaluateValues } from './inputs.ts';
import { isBound, withinLimits } from './limits.ts';
import { MOST_CALLS } from './task-meter.ts';
import type { Act, Evaluator, TaskPlace } from './task-place.ts';
import { noContext } from './memory/memory.ts';
import { programOf } from './template-programs.ts';
import { faithfulJson } from '../language/envelope/faithful-json.ts';
import { unfenced } from '../language/envelope/parts.ts';

interface Closure {
  task: FunctionTask;
  environment: Environment;
}

/**
 * The body's result, with the template that a function of the library is. The body sees its parameters and the frame of
 * its definition, not its caller's names.
 */
export async function runCall(task: CallTask, place: TaskPlace): Promise<TaskResult> {
  const { name, at } = task.ref;
  const where = placeOf(at);
  if (place.calls >= MOST_CALLS)
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'too_deep', at },
      `${MOST_CALLS} calls are within one another at the call of "${name}" (${where}): a function that calls itself needs a case that does not`,
    );
  const closure = functionOf(task, place);
  if (!closure)
    throw invalidInput(`"${name}" is not a function that can be called (${where})${remedyFor(name, place)}`);
  const { bound, spent, warnings } = await evaluateValues(task.args, 'arg', place);
  const { body, parameters, returns } = closure.task;
  const missing = parameters.find(parameter => !task.args.some(arg => arg.name === parameter.name));
  if (missing)
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'missing_input', at },
      `Missing required input: ${missing.name} (${where}): give it with <arg name="${missing.name}">`,
    );
  const typed = bound.map(([each, given]): [string, Bound] => {
    const type = parameters.find(parameter => parameter.name === each)?.type;
    const fitting = argument(given, type);
    if (fitting) return [each, fitting];
    const what = `the argument "${each}" of "${name}" is ${JSON.stringify(given.text.slice(0, 60))}`;
    throw invalidInput(`${what}, which is not of type ${type} (${where})`, {
      notes: { dataUsage: spent },
    });
  });
  const itself = { text: '', fields: {}, value: null, closure };
  const runBody: Act = async (_function, limited) => {
    const result = await place.evaluator.run(body, {
      ...(await placeOfBody(task, closure.task, limited)),
      environment: closure.environment.extend([[name, itself]]).extend(typed),
      key: `${place.key}/call`,
      previous: undefined,
      shown: [],
      calls: place.calls + 1,
    });
    if (!returns || returns === 'string') return result;
    const value = returned(result, returns);
    if (value !== undefined) return { ...result, value };
    const violation = `"${name}" returns ${result.content.slice(0, 60)}, which is not of type ${returns}`;
    throw invalidOutput(violation, {
      notes: result.notes,
    });
  };
  const { limits } = closure.task;
  const act = isBound(limits) ? withinLimits(limits, runBody) : runBody;
  return withCosts({ spent, warnings, template: closure.task.template }, act(closure.task, place));
}

/** The remedy for a call of `name`, which is no function: what it is instead, or a function of a similar name. */
function remedyFor(name: string, { environment, evaluator: { library } }: TaskPlace): string {
  if (environment.get(name)) return `: it is a value here; give the function another name`;
  const template = library.find(name);
  if (template) return `: it is a task of type ${template.type}; take it with <task ref="${name}">`;
  const functions = library.templates().filter(({ type }) => type === 'function');
  return didYouMean(
    name,
    functions.map(each => each.name),
  );
}

/**
 * A body sees nothing of its caller's context, unless the function or the call says so; not even what a task in it
 * asks for by itself: a function means the same whoever calls it.
 */
async function placeOfBody(call: CallTask, called: FunctionTask, place: TaskPlace): Promise<TaskPlace> {
  const offered = await placeWithin(call, place, 'none');
  const body = await placeWithin(called, offered);
  return body.inherit === 'none' ? { ...body, context: noContext, earlier: undefined } : body;
}

/** The function that is called; undefined: there is none of the name. Throws TaskError VALIDATION_ERROR. */
function functionOf(
  { ref: { name }, ofLibrary }: CallTask,
  { environment, evaluator }: TaskPlace,
): Closure | undefined {
  const local = ofLibrary ? undefined : environment.get(name)?.closure;
  return local ?? fromLibrary(name, evaluator);
}

/** A function of the library sees the settings of the run and nothing else. */
function fromLibrary(
  name: string,
  { library, settings }: Pick<Evaluator, 'library' | 'settings'>,
): Closure | undefined {
  const template = library.find(name);
  if (template?.type !== 'function') return undefined;
  const task = programOf(template, library);
  return task.type === 'function' ? { task, environment: settings } : undefined;
}

/** The result as a value of that type; undefined: it is none. Text is read as JSON, in a code fence or not. */
function returned(
  { content, value }: Pick<TaskResult, 'content' | 'value'>,
  type: Exclude<OutputType, 'string'>,
): Json | undefined {
  const given = value ?? faithfulJson(unfenced(content));
  return type === 'json' || typeof given === type ? given : undefined;
}

/** An argument as what a parameter of that type is bound to; undefined: it is none. Everything has a text. */
function argument(given: Bound, type: OutputType | undefined): Bound | undefined {
  const { text: content, value } = given;
  if (type === undefined || typeof value === type) return given;
  if (type === 'string') return boundValue(content);
  if (type === 'json' && typeof value !== 'string') return given;
  const found = returned({ content }, type);
  return found === undefined ? undefined : boundValue(found);
}
