// Values of a program: bindings, texts, and tasks that are evaluated first.
import type { Binding, FunctionTask, Task, Value } from '../language/ast.ts';
import { asText, type Bound, boundValue, type Environment } from '../language/environment.ts';
import { addSpent, nothingSpent, type Spent, TaskError, type TaskResult } from '../language/result.ts';
import { lookUp, substitute } from '../language/substitute.ts';
import { allWarnings, warningsOf } from '../language/warnings.ts';
import { before, type Evaluator, type TaskPlace } from './task-place.ts';
import { together } from './together.ts';

/** A task's result as the name it is bound to: its content, its outputs as fields. */
export function boundResult(result: TaskResult): Bound {
  const { content, outputs } = result;
  const value = Object.keys(outputs).length === 0 ? content : { content, ...outputs };
  return { text: content, fields: outputs, value };
}

/** A function as the name that it is called by; its body sees `environment`. */
export function boundFunction(task: FunctionTask, environment: Environment): Bound {
  return { text: '', fields: {}, value: null, closure: { task, environment } };
}

/** What came with one value or several, of the tasks that gave them. */
export interface Given {
  spent: Spent;
  /** Each with the name of its value. */
  warnings: readonly string[];
}

export interface Valued extends Given {
  value: Bound;
}

const nothingGiven: Given = { spent: nothingSpent, warnings: [] };

/**
 * `name` tells the value's key from those of its neighbours. Throws TaskError TASK_FAILURE `failed` where its task
 * ends as FAILED: why it failed is not the value.
 */
export async function evaluateValue(
  value: Value,
  name: string,
  place: TaskPlace,
  evaluator: Evaluator,
): Promise<Valued> {
  switch (value.kind) {
    case 'binding':
      return { value: lookUp(value.from, place.environment), ...nothingGiven };
    case 'text':
      return { value: boundValue(substitute(value.text, place.environment)), ...nothingGiven };
    case 'task': {
      const key = `${place.key}/${name}`;
      const inner: TaskPlace = {
        ...place,
        key,
        inherit: 'full',
        directorInherit: 'none',
        previous: undefined,
        heard: false,
      };
      const result = await evaluator.run(value.task, inner);
      const { status, content, notes } = result;
      if (status !== 'FAILED')
        return {
          value: boundResult(result),
          spent: notes,
          warnings: warningsOf(words(name), notes.warnings),
        };
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'failed' },
        `the task of ${words(name)} ended as failed: ${content.slice(0, 500)}`,
        { notes },
      );
    }
  }
}

/** `input-x` -> `input x`. */
const words = (name: string): string => name.replace('-', ' ');

/** Values that do not see one another, side by side. The error of one carries what the others cost. */
export async function evaluateValues(
  bindings: readonly Binding[],
  kind: string,
  place: TaskPlace,
  evaluator: Evaluator,
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
    ({ name, value }, _index, apart) =>
      evaluateValue(value, `${kind}-${name}`, { ...place, ...apart }, evaluator),
    place,
    {
      onFailure: (error, finished, _index, cutOff) =>
        error instanceof TaskError ? error.with(sum(finished, cutOff)) : error,
    },
  );
  return {
    bound: bindings.map(({ name }, index) => [name, values[index]!.value]),
    spent: sum(values, nothingSpent),
    warnings: allWarnings(...values.map(({ warnings }) => warnings)),
  };
}

const isTask = ({ value }: Binding): boolean => value.kind === 'task';

function plainValue(value: Value, environment: Environment): Bound {
  if (value.kind === 'binding') return lookUp(value.from, environment);
  if (value.kind === 'text') return boundValue(substitute(value.text, environment));
  throw new TypeError('a task is no plain value');
}

function sum(parts: readonly (Valued | undefined)[], cutOff: Spent): Spent {
  return parts.reduce((total, part) => (part ? addSpent(total, part.spent) : total), cutOff);
}

/** The environment of the task itself, and what came with its inputs. Parameters are bound already, around it. */
export async function bindInputs(
  task: Task,
  place: TaskPlace,
  evaluator: Evaluator,
): Promise<{ environment: Environment } & Given> {
  const given = task.inputs.flatMap(({ name, at, value }) =>
    value.kind === 'parameter' ? [] : [{ name, at, value }],
  );
  if (given.length === 0) return { environment: place.environment, ...nothingGiven };
  const at = given.some(isTask) ? before([{ ...task, inputs: [] }], place) : place;
  const { bound, spent, warnings } = await evaluateValues(given, 'input', at, evaluator);
  return { environment: place.environment.extend(bound), spent, warnings };
}

/**
 * A bound value as a list: a JSON list, or a text that is one, or the lines of a text that are not blank. Of a result
 * with outputs its content counts.
 */
export function asList({ value, text }: Bound): readonly Bound['value'][] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' && text === asText(value)) return undefined;
  const parsed = parsedList(text);
  if (parsed) return parsed;
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

function parsedList(text: string): readonly Bound['value'][] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    // No list then: the text is read in the other ways.
    return undefined;
  }
}
