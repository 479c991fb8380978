// Values of a program: bindings, texts, and tasks that are evaluated first.
import { allWarnings, placeOf, warningsOf } from '../language/problem.ts';
import { isObject, type Json } from '@echelon/ground';
import type { Binding, FunctionTask, Task, Value } from '../language/ast.ts';
import { asText, type Bound, boundValue, type Environment } from '../language/environment.ts';
import {
  addSpent,
  invalidInput,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskResult,
  throwIfFailed,
  wholeText,
  sumSpent,
} from '../language/result.ts';
import { withCosts, type Given } from './ledger.ts';
import { faithfulJson } from '../language/envelope/faithful-json.ts';
import { jsonBlocks } from '../language/envelope/json-blocks.ts';
import { lookUp, substitute } from '../language/substitute.ts';
import { passedOn, type TemplateText } from '../language/text.ts';
import { shownInput } from './shown.ts';
import { type Act, before, type TaskPlace } from './task-place.ts';
import { together } from './together.ts';

/** A task's result as the name it is bound to: its text; that, its status and outputs as fields. */
export function boundResult(result: TaskResult): Bound {
  const { content, status, outputs, reply, notes } = result;
  const text = wholeText(result);
  const value = dataOf(result);
  const members = isObject(result.value) ? result.value : undefined;
  const fields = { content: result.value ?? text, status, ...members, ...outputs };
  const bound: Bound = { text, fields, value };
  if (reply) return { ...bound, reply };
  return notes.script?.stdout_cut && notes.script.stdout === content ? { ...bound, cut: true } : bound;
}

/** A result as data: what its content says where that is no text; with outputs, all of it. */
export function dataOf({ content, outputs, value, reply }: TaskResult): Json {
  if (value !== undefined) return value;
  for (const _ in outputs) return reply && content === '' ? outputs : { content, ...outputs };
  return content;
}

/** A function as the name that it is called by; its body sees `environment`. */
export function boundFunction(task: FunctionTask, environment: Environment): Bound {
  return { text: '', fields: {}, value: null, closure: { task, environment } };
}

export interface Valued extends Given {
  value: Bound;
}

export const nothingGiven: Given = { spent: nothingSpent, warnings: [] };

/**
 * `name` tells the value's key from those of its neighbours. Throws TaskError TASK_FAILURE `failed` where its task
 * ends as FAILED: why it failed is not the value.
 */
export async function evaluateValue(value: Value, name: string, place: TaskPlace): Promise<Valued> {
  if (value.kind !== 'task') return { value: plainValue(value, place.environment), ...nothingGiven };
  const inner: TaskPlace = {
    ...place,
    key: `${place.key}/${name}`,
    inherit: 'full',
    directorInherit: 'none',
    previous: undefined,
    heard: false,
    notesOnly: false,
  };
  const result = await place.evaluator.run(value.task, inner);
  const { notes } = result;
  throwIfFailed(result, `the task of ${words(name)}`, notes);
  const warnings = warningsOf(words(name), notes.warnings);
  return { value: boundResult(result), spent: notes.dataUsage, warnings };
}

/** `input-x` -> `input x`. */
const words = (name: string): string => name.replace('-', ' ');

/** Values that do not see one another, side by side. The error of one carries what the others cost. */
export async function evaluateValues(
  bindings: readonly Binding[],
  kind: string,
  place: TaskPlace,
): Promise<{ bound: [string, Bound][] } & Given> {
  // Nothing to wait for: the usual case.
  if (!bindings.some(isTask)) {
    const bound = bindings.map(({ name, value }): [string, Bound] => [
      name,
      plainValue(value, place.environment),
    ]);
    return { bound, ...nothingGiven };
  }
  const values = await together(
    bindings,
    ({ name, value }, _index, apart) => evaluateValue(value, `${kind}-${name}`, { ...place, ...apart }),
    place,
    {
      onFailure: (error, finished, _index, cutOff) =>
        error instanceof TaskError ? error.with({ dataUsage: addSpent(sum(finished), cutOff) }) : error,
    },
  );
  return {
    bound: bindings.map(({ name }, index) => [name, values[index]!.value]),
    spent: sum(values),
    warnings: allWarnings(...values.map(({ warnings }) => warnings)),
  };
}

/** A text; one that is a placeholder and nothing else is what that stands for. */
function textValue(text: TemplateText, environment: Environment): Bound {
  const passed = passedOn(text);
  return passed ? lookUp(passed, environment) : boundValue(substitute(text, environment));
}

const isTask = ({ value }: Binding): boolean => value.kind === 'task';

function plainValue(value: Value, environment: Environment): Bound {
  if (value.kind === 'binding') return lookUp(value.from, environment);
  if (value.kind === 'text') return textValue(value.text, environment);
  throw new TypeError('a task is no plain value');
}

const sum = (parts: readonly (Valued | undefined)[]): Spent => sumSpent(parts.map(part => part?.spent));

/** A task's inputs, then the task itself. What the inputs cost counts with the task. */
export const withInputs =
  (act: Act): Act =>
  async (task, place) => {
    const { environment, spent, warnings } = await bindInputs(task, place);
    const own = task.inputs.flatMap(input => (input.shown ? shownInput(input.name, environment) : []));
    const shown = own.length > 0 ? [...place.shown, ...own] : place.shown;
    const given = { spent, warnings, template: task.template };
    return await withCosts(given, act(task, { ...place, environment, shown }));
  };

/** The environment of the task itself, and what came with its inputs. Parameters are bound already, around it. */
async function bindInputs(task: Task, place: TaskPlace): Promise<{ environment: Environment } & Given> {
  const given = task.inputs.flatMap(({ name, at, value }) =>
    value.kind === 'parameter' ? [] : [{ name, at, value }],
  );
  if (given.length === 0) return { environment: place.environment, ...nothingGiven };
  const at = given.some(isTask) ? before([{ ...task, inputs: [] }], place) : place;
  const { bound, spent, warnings } = await evaluateValues(given, 'input', at);
  return { environment: place.environment.extend(bound), spent, warnings };
}

/** Elements that a list may have. */
const MOST_ELEMENTS = 10_000;

/**
 * The list that a map or a reduce works. Throws TaskError, with what the list cost: INVALID_OUTPUT where a model should
 * have given one, INVALID_INPUT where anything else is none, or is too long.
 */
export function listOver({ value: bound, spent }: Valued, { at }: Task): readonly Json[] {
  const list = bound.cut ? undefined : asList(bound);
  if (list && list.length <= MOST_ELEMENTS) return list;
  const place = `(${placeOf(at)})`;
  if (!bound.reply) {
    const is = bound.cut
      ? 'what a script printed, of which the middle is left out: print less, or write it to a file'
      : list
        ? `a list of ${list.length} elements; at most ${MOST_ELEMENTS} are worked`
        : 'neither a JSON list nor a text';
    throw invalidInput(`<over> is ${is} ${place}`, {
      notes: { dataUsage: spent },
    });
  }
  const violation = list
    ? `what <over> is given has ${list.length} elements; at most ${MOST_ELEMENTS} are worked`
    : `what <over> is given is no JSON list: ${JSON.stringify(bound.text.slice(0, MOST_SHOWN))}`;
  throw new TaskError(
    { code: 'INVALID_OUTPUT', violations: [violation] },
    `${violation} ${place}. Ask for a JSON list, or declare an <output> of type json and take that`,
    { notes: { dataUsage: spent } },
  );
}

/** Characters of a reply that an error repeats. */
const MOST_SHOWN = 200;

/**
 * A bound value as a list: a list; of a result with outputs, the only output that is one; else a text that is a JSON
 * list, in a code fence or not. What a model wrote is no other list; of another text it is the lines that are not blank.
 */
function asList({ value, text, fields, reply }: Bound): readonly Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') {
    const lists = reply ? Object.values(fields).filter(each => Array.isArray(each)) : [];
    if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
    if (text === asText(value)) return undefined;
  }
  const list = listIn(text, reply === true);
  if (list || reply) return list;
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

/** The list that a text is; of a reply, also the only JSON that stands alone in it. */
function listIn(text: string, reply: boolean): readonly Json[] | undefined {
  const whole = faithfulJson(text);
  if (whole !== undefined || !reply) return Array.isArray(whole) ? whole : undefined;
  const [only, ...others] = jsonBlocks(text, 2);
  const value = only && others.length === 0 ? faithfulJson(text.slice(only.from, only.to)) : undefined;
  return Array.isArray(value) ? value : undefined;
}
