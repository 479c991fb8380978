// How many elements a list of a program has, as far as that can be known before it runs.
import type { MapTask, ReduceTask, Task, Value } from '../../language/ast.ts';
import { boundValue, Environment } from '../../language/environment.ts';
import { TaskError } from '../../language/result.ts';
import type { Flow } from '../../language/scope.ts';
import { lookUp, substitute } from '../../language/substitute.ts';
import { passedOn, placeholders, readsFrom } from '../../language/text.ts';
import type { Json } from '../../../lib/json.ts';
import { listOver, nothingGiven } from '../inputs.ts';

/** A program with what is known of it before it runs. */
export interface Known {
  program: Task;
  flows: readonly Flow[];
  /** For its parameters; those that are not known are left out. */
  inputs: Readonly<Record<string, Json>>;
}

/** The elements that `task` works; undefined: only a run knows. A list that is none has no element. */
export function elementsOf(task: MapTask | ReduceTask, known: Known): number | undefined {
  const { over } = task;
  if (!over) return task.type === 'reduce' ? task.inputs.filter(({ asked }) => !asked).length : 0;
  const bound = boundOver(over, task, known);
  if (!bound) return undefined;
  try {
    return listOver({ value: bound, ...nothingGiven }, task).length;
  } catch (error) {
    if (error instanceof TaskError) return 0;
    throw error;
  }
}

function boundOver(over: Value, task: Task, known: Known) {
  if (over.kind === 'task') return undefined;
  if (over.kind === 'text' && placeholders(over.text).length === 0)
    return boundValue(substitute(over.text, new Environment()));
  const from = over.kind === 'binding' ? over.from : passedOn(over.text);
  if (!from) return undefined;
  const given = Object.entries(known.inputs).find(
    ([name]) => readsFrom(from.name, name) && isParameter(name, known) && readsIt(name, task, known),
  );
  if (!given) return undefined;
  const [name, value] = given;
  try {
    return lookUp(from, new Environment([[name, boundValue(value)]]));
  } catch (error) {
    // Nothing is there: the run says so before it works any element.
    if (error instanceof TaskError) return boundValue([]);
    throw error;
  }
}

const isParameter = (name: string, { program }: Known): boolean =>
  program.inputs.some(input => input.name === name && input.value.kind === 'parameter');

/** An input of its own would be what it reads. */
const readsIt = (name: string, task: Task, { program, flows }: Known): boolean =>
  task === program ||
  (!task.inputs.some(input => input.name === name) &&
    flows.some(flow => flow.name === name && flow.from === program && flow.to === task));
